import type { Main } from "../protocol/program.ts";
import type { CommandSpec } from "../util/args.ts";
import type { ProgramName } from "./names.ts";

export type Program = { main: Main };
export type Loader = {
  load(): Promise<Program>;
  /** Its command line, for shell completion; cheaper than the program. */
  command?(): Promise<CommandSpec>;
};

/**
 * How each program is loaded; only the chosen one ever is. A program without an entry is not built yet. `help` and
 * `completion` are missing because they read this table themselves.
 */
export const PROGRAMS: { readonly [Name in ProgramName]?: Loader } = {
  exec: {
    load: () => import("../frontends/exec/main.ts"),
    command: async () => (await import("../frontends/exec/options.ts")).EXEC,
  },
  review: {
    load: async () => ({ main: (await import("../frontends/exec/main.ts")).review }),
    command: async () => (await import("../frontends/exec/options.ts")).REVIEW,
  },
  sandbox: {
    load: () => import("../frontends/sandbox/main.ts"),
    command: async () => (await import("../frontends/sandbox/options.ts")).SANDBOX_COMMAND,
  },
  "apply-patch": { load: () => import("../frontends/apply-patch/main.ts") },
  models: {
    load: () => import("./commands/models.ts"),
    command: async () => (await import("./commands/models.ts")).MODELS_COMMAND,
  },
  providers: {
    load: () => import("./commands/providers.ts"),
    command: async () => (await import("./commands/providers.ts")).PROVIDERS_COMMAND,
  },
  harness: {
    load: () => import("./commands/harness.ts"),
    command: async () => (await import("./commands/harness.ts")).HARNESS_COMMAND,
  },
  features: {
    load: () => import("./commands/features.ts"),
    command: async () => (await import("./commands/features.ts")).FEATURES_COMMAND,
  },
  pull: {
    load: () => import("./commands/pull.ts"),
    command: async () => (await import("./commands/pull.ts")).PULL_COMMAND,
  },
  doctor: {
    load: () => import("./commands/doctor.ts"),
    command: async () => (await import("./commands/doctor.ts")).DOCTOR_COMMAND,
  },
  debug: {
    load: () => import("./commands/debug.ts"),
    command: async () => (await import("./commands/debug.ts")).DEBUG_COMMAND,
  },
  mcp: {
    load: () => import("./commands/mcp.ts"),
    command: async () => (await import("./commands/mcp.ts")).MCP_COMMAND,
  },
  skills: {
    load: () => import("./commands/skills.ts"),
    command: async () => (await import("./commands/skills.ts")).SKILLS_COMMAND,
  },
  "mcp-server": {
    load: () => import("../frontends/mcp-server/main.ts"),
    command: async () => (await import("../frontends/mcp-server/options.ts")).MCP_SERVER_COMMAND,
  },
  acp: {
    load: () => import("../frontends/acp/main.ts"),
    command: async () => (await import("../frontends/acp/options.ts")).ACP,
  },
  tui: { load: () => import("../frontends/tui/main.ts") },
  resume: {
    load: async () => ({ main: (await import("../frontends/tui/main.ts")).resume }),
    command: async () => (await import("../frontends/tui/options.ts")).RESUME,
  },
  fork: {
    load: async () => ({ main: (await import("../frontends/tui/main.ts")).fork }),
    command: async () => (await import("../frontends/tui/options.ts")).FORK,
  },
  // "app-server": { load: () => import("../frontends/app-server/main.ts") },
  // "linux-sandbox": { load: () => import("../frontends/linux-sandbox/main.ts") },
};
