import { existsSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { findHome } from "../../config/paths.ts";
import type { CommandSpec, SandboxPolicy, SpawnSpec } from "../../protocol/policy.ts";
import type { Io, Main } from "../../protocol/program.ts";
import type { SandboxMode } from "../../protocol/settings.ts";
import { resolvePolicy } from "../../safety/modes.ts";
import { realPathOf } from "../../sandbox/paths.ts";
import { pickSandbox } from "../../sandbox/pick-sandbox.ts";
import { isSecretName } from "../../sandbox/protected.ts";
import { type Parsed, parseArgs, usageError } from "../../util/args.ts";
import { codeOf } from "../../util/fs.ts";
import { repositoryRoot } from "../../util/git.ts";
import { helpText } from "../../util/help.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import { forwardSignals, leaveInterruptsToCommand } from "./forward-signals.ts";
import { SANDBOX_COMMAND } from "./options.ts";

const NOT_FOUND = 127;

/** `interpreter sandbox`: one command with this process's own streams; its exit code, or 128 + the signal that ended it. */
export const main: Main = async (argv, io) => {
  const options = parseArgs(SANDBOX_COMMAND, argv);
  if (!options.wantsHelp) return await runConfined(options, io);
  await io.stdout.write(helpText(SANDBOX_COMMAND));
  return 0;
};

type Options = Parsed<(typeof SANDBOX_COMMAND)["options"][number]["long"]>;

async function runConfined(options: Options, io: Io): Promise<number> {
  const stateDir = await findHome(io.env);
  const policy = policyFrom(options, io, stateDir);
  const sandbox = await pickSandbox({
    platform: process.platform,
    processor: process.arch,
    stateDir,
    path: io.env["PATH"] ?? "",
  });
  const command = {
    argv: [...options.positionals],
    cwd: io.cwd,
    env: environment(io.env, isOffline(policy)),
  };
  if (!canBeFound(command)) return notFound(command, io);
  const spec = await sandbox.wrap(command, policy, { tty: io.stdin.isTty });
  try {
    return await run(spec, io);
  } finally {
    spec.release();
  }
}

function policyFrom(options: Options, io: Io, stateDir: string): SandboxPolicy {
  if (options.positionals.length === 0) throw usageError(SANDBOX_COMMAND, "a command to run was not given");
  const mode = modeNamed(options.value("mode"));
  for (const name of ["network", "add-dir"] as const) {
    if (!options.has(name) || mode === "workspace-write") continue;
    throw usageError(SANDBOX_COMMAND, `'--${name}' needs '--mode workspace-write'`);
  }
  if (options.has("deny-read") && mode === "danger-full-access") {
    throw usageError(SANDBOX_COMMAND, "'--deny-read' needs a sandbox, which danger-full-access does without");
  }
  const folder = realPathOf(io.cwd) ?? io.cwd;
  return resolvePolicy({
    mode,
    cwd: repositoryRoot(folder) ?? folder,
    addDirs: options.values("add-dir").map((path) => resolve(io.cwd, path)),
    deny: options.values("deny-read"),
    network: options.has("network"),
    tmpdir: io.env["TMPDIR"],
    stateDir,
  });
}

function modeNamed(name: string | undefined): SandboxMode {
  switch (name) {
    case "workspace-write":
    case "danger-full-access":
      return name;
    default:
      return "read-only";
  }
}

function isOffline(policy: SandboxPolicy): boolean {
  return policy.mode === "restricted" && !policy.network;
}

function environment(env: Io["env"], offline: boolean): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !isSecretName(name)) kept[name] = value;
  }
  return offline ? { ...kept, CODEX_SANDBOX_NETWORK_DISABLED: "1" } : kept;
}

async function run(spec: SpawnSpec, io: Io): Promise<number> {
  const child = start(spec);
  if (child === undefined) return notFound(spec, io);
  const stopForwarding = forwardSignals(child.pid, spec.fds.length > 0, io.signal);
  const takeInterrupts = io.stdin.isTty ? leaveInterruptsToCommand() : () => {};
  try {
    await child.exited;
  } finally {
    takeInterrupts();
    stopForwarding();
  }
  return child.exitCode ?? 128 + signalNumber(child.signalCode);
}

/** Inside the sandbox a missing program would be bwrap's failure, in bwrap's words. */
function canBeFound({ argv: [program = ""], cwd, env }: CommandSpec): boolean {
  if (program.includes("/")) return existsSync(resolve(cwd, program));
  return Bun.which(program, { PATH: env["PATH"] ?? "", cwd }) !== null;
}

async function notFound({ argv }: CommandSpec, io: Io): Promise<number> {
  await io.stderr.write(`error: the command "${terminalSafe(argv[0] ?? "")}" was not found\n`);
  return NOT_FOUND;
}

function signalNumber(name: NodeJS.Signals | number | null): number {
  return Object.entries(constants.signals).find(([known]) => known === name)?.[1] ?? 0;
}

function start(spec: SpawnSpec): Bun.Subprocess | undefined {
  try {
    return Bun.spawn(spec.argv, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ["inherit", "inherit", "inherit", ...spec.fds],
    });
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw cause;
  }
}
