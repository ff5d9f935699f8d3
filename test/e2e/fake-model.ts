import type { FakeServer } from "../support/fake-server.ts";
import type { TempHome } from "../support/home.ts";
import { type RunOptions, type RunResult, run } from "../support/run.ts";

export type WireName = "chat" | "responses" | "messages";
export const WIRES: readonly WireName[] = ["chat", "responses", "messages"];

/** Makes the fake server the model of this home. `config` are lines of config.toml before its tables. */
export async function useModel(
  home: TempHome,
  server: FakeServer,
  { wire = "chat", config = "", tables = "" }: { wire?: WireName; config?: string; tables?: string } = {},
): Promise<void> {
  await home.write(
    "~/config.toml",
    `model = "fake-1"
model_provider = "fake"
${config}
[model_providers.fake]
name = "Fake"
base_url = "${server.baseUrl}"
wire_api = "${wire}"
${tables}
`,
  );
}

/** Runs `exec` with events as JSON, outside a repository and without a sandbox. */
export function execJson(
  home: TempHome,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  return run(home, ["exec", "--json", ...FREE, ...args], options);
}

/** The same with progress for a person on stderr. */
export function execHuman(home: TempHome, args: readonly string[]): Promise<RunResult> {
  return run(home, ["exec", "--color", "never", ...FREE, ...args]);
}

const FREE = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
