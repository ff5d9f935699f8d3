import { RUN_OPTIONS } from "../../config/flags.ts";
import type { CommandSpec } from "../../util/args.ts";

/** A client names the folder of each session, and sends pictures with its prompts. */
const ACP_OPTIONS = RUN_OPTIONS.filter(({ long }) => long !== "cd" && long !== "image");

export type AcpOption = (typeof ACP_OPTIONS)[number]["long"];

export const ACP = {
  name: "interpreter acp",
  summary: "Serves the agent to an editor: the Agent Client Protocol over stdin and stdout.",
  options: ACP_OPTIONS,
  notes: "The options count for every session. Logs go to stderr; the program ends with its input.",
} as const satisfies CommandSpec;
