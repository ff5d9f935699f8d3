import type { LoadedConfig } from "../../../config/load.ts";
import { setTrust } from "../../../config/trust.ts";
import type { Asker } from "../prompts/asker.ts";
import { projectFindings } from "./project-findings.ts";

/** `look`: nothing was decided, and commands may change nothing. */
export type TrustAnswer = "trusted" | "look" | "quit";

/**
 * Asks about a folder that the user has not decided about, and remembers a yes. The first choice is the careful one where
 * the project brings something that would be switched on.
 */
export async function askTrust(asker: Asker, { config, cwd }: Place): Promise<TrustAnswer> {
  const { home, projectRoot } = config;
  const found = await projectFindings({ cwd, projectRoot, home });
  const brought =
    found.length === 0
      ? ["This project brings none of these yet."]
      : ["It brings:", ...found.map((line) => `  ${line}`)];
  asker.say(
    [
      "Trust lets commands write in this folder, and switches on what the project itself brings: its settings, skills, harnesses and MCP servers.",
      ...brought,
    ].join("\n"),
  );
  const answer = await asker.choose<TrustAnswer>({
    message: `Trust ${projectRoot}?`,
    choices: [
      { value: "trusted", label: "Trust" },
      { value: "look", label: "Look around (read-only)" },
      { value: "quit", label: "Quit" },
    ],
    initial: found.length === 0 ? 0 : 1,
  });
  if (answer === "trusted") await setTrust(home, projectRoot, "trusted");
  return answer ?? "look";
}

type Place = { config: LoadedConfig; cwd: string };

/** The user has said nothing about the folder, neither for good nor for this run. */
export function isUndecided({ trust, originOf }: LoadedConfig): boolean {
  return trust === undefined && originOf("sandbox_mode") === undefined;
}
