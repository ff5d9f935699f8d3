import type { CommandSpec } from "../../util/args.ts";

export const SANDBOX_COMMAND = {
  name: "interpreter sandbox",
  summary: "Run one command in the sandbox that commands of the agent run in",
  passthrough: true,
  positionals: [{ name: "COMMAND...", summary: "The command and its arguments" }],
  options: [
    {
      long: "mode",
      value: "MODE",
      values: ["read-only", "workspace-write", "danger-full-access"],
      summary: "What the command may change; read-only unless said otherwise",
    },
    {
      long: "add-dir",
      value: "DIR",
      repeatable: true,
      summary: "One more folder that workspace-write may change",
    },
    {
      long: "deny-read",
      value: "PATH_OR_GLOB",
      repeatable: true,
      summary: "Keep a file, a folder or every match of a pattern unreadable",
    },
    { long: "network", summary: "Allow the network; with workspace-write only" },
  ],
  notes:
    "With workspace-write the repository around the current folder and the temporary folders can be changed.\n" +
    "Variables that look like keys, secrets and tokens are not passed on.",
} as const satisfies CommandSpec;
