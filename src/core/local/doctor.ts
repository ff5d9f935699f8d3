import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import { CONFIG_FILE, findHome } from "../../config/paths.ts";
import { type FoundServer, findLocalServers, providerOf } from "../../providers/local-probe.ts";
import { pickSandbox } from "../../sandbox/pick-sandbox.ts";
import { toErrorInfo } from "../../util/errors.ts";
import { factsOf } from "../../util/fs.ts";
import { NAME, VERSION } from "../../util/package.ts";
import { type Check, failed, good, warned } from "./doctor-check.ts";
import { modelChecks } from "./doctor-model.ts";

export type DoctorOptions = {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  overrides: readonly Override[];
  profile: string | undefined;
  /** Settings that were read already; without them, they are read. */
  config?: LoadedConfig | undefined;
  /** Ports of this machine where model servers are looked for; by default where they usually listen. */
  ports?: readonly number[];
};

/** Looks at everything a session needs. Only the configured provider and this machine are asked. Never throws. */
export async function runDoctor(options: DoctorOptions, signal: AbortSignal): Promise<Check[]> {
  const { env } = options;
  const home = await findHome(env).catch(() => undefined);
  const [loaded, sandbox, servers] = await Promise.all([
    readConfig(options),
    sandboxCheck(home ?? "", env),
    findLocalServers(signal, options.ports).then(serverCheck),
  ]);
  const model = "check" in loaded ? [] : await modelChecks(loaded.config, env, signal);
  return [
    programCheck(env),
    "check" in loaded ? loaded.check : configCheck(loaded.config),
    ...(home === undefined ? [] : [await homeCheck(home)]),
    sandbox,
    ...model,
    servers,
  ];
}

function programCheck(env: DoctorOptions["env"]): Check {
  const missing = ["git", "rg"].filter((tool) => !Bun.which(tool, { PATH: env["PATH"] ?? "" }));
  const facts = `${NAME} ${VERSION}, ${process.platform} ${process.arch}, ${process.execPath}`;
  if (missing.length === 0) return good("program", facts);
  const why = {
    git: "without Git, changes can't be undone: install it (git)",
    rg: "without ripgrep, searching is slower: install it (ripgrep)",
  };
  return warned("program", facts, missing.map((tool) => (tool === "git" ? why.git : why.rg)).join("; "));
}

async function readConfig({
  env,
  cwd,
  overrides,
  profile,
  config,
}: DoctorOptions): Promise<{ config: LoadedConfig } | { check: Check }> {
  if (config) return { config };
  try {
    return { config: await loadConfig({ env, cwd, overrides, profile }) };
  } catch (cause) {
    const { message, hint } = toErrorInfo(cause);
    return { check: failed("config", message, hint) };
  }
}

function configCheck({ home, warnings }: LoadedConfig): Check {
  const file = join(home, CONFIG_FILE);
  const facts = factsOf(file) ? file : `no ${file}: all settings have their defaults`;
  return warnings.length === 0 ? good("config", facts) : warned("config", facts, warnings.join("; "));
}

/** Sessions and keys lie there: nobody else should read them, and we must be able to write. */
async function homeCheck(home: string): Promise<Check> {
  const facts = factsOf(home);
  if (!facts) return good("home", `${home} is created with the first session`);
  const canWrite = await access(home, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!canWrite)
    return failed("home", `${home} can't be written to`, `make it yours: chown and chmod u+rwx ${home}`);
  const open = [home, join(home, CONFIG_FILE), join(home, ".env")].filter(isOpenToOthers);
  if (open.length === 0 || process.platform === "win32") return good("home", `${home}, private`);
  return warned("home", `others can read ${open.join(", ")}`, `close it: chmod go= ${open.join(" ")}`);
}

function isOpenToOthers(path: string): boolean {
  const facts = factsOf(path);
  return facts !== undefined && (facts.mode & 0o077) !== 0;
}

async function sandboxCheck(stateDir: string, env: DoctorOptions["env"]): Promise<Check> {
  const host = { platform: process.platform, processor: process.arch, stateDir, path: env["PATH"] ?? "" };
  const sandbox = await pickSandbox(host);
  const state = await sandbox.available();
  if (state.ok) return good("sandbox", sandbox.id);
  return warned(
    "sandbox",
    state.reason,
    "commands run only with approval, or with --sandbox danger-full-access",
  );
}

function serverCheck(servers: readonly FoundServer[]): Check {
  if (servers.length === 0) return good("local servers", "none on the usual ports");
  return good("local servers", servers.map(serverText).join("\n"));
}

function serverText({ kind, origin, version, models, context, needsKey }: FoundServer): string {
  const count = models.length === 1 ? "1 model" : `${models.length} models`;
  const facts = [needsKey ? "wants a key" : count, ...(context === undefined ? [] : [`context ${context}`])];
  const name = `${kind === "other" ? "a model server" : kind}${version ? ` ${version}` : ""}`;
  return `${name} at ${origin} (${facts.join(", ")}), ${wayTo(kind, origin)}`;
}

/** How a found server is used. */
function wayTo(kind: FoundServer["kind"], origin: string): string {
  const id = providerOf(kind);
  return id === undefined ? `base_url "${origin}/v1"` : `model_provider "${id}"`;
}
