/** The values of `shell_environment_policy`, spelled as in the configuration file. */
type EnvironmentPolicy = {
  inherit?: "all" | "core" | "none";
  ignore_default_excludes?: boolean;
  exclude?: readonly string[];
  set?: Readonly<Record<string, string>>;
  include_only?: readonly string[];
};

export type ChildEnvironmentOptions = {
  parent: Readonly<Record<string, string | undefined>>;
  policy: EnvironmentPolicy;
  /** Names of variables that hold provider keys. */
  secrets: readonly string[];
  sessionId: string;
  networkOff: boolean;
};

/**
 * The environment that commands start with. A provider key never gets in, by its own name or inside the value of
 * another variable. Patterns of the policy know `*` and `?` and ignore case.
 */
export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const { parent, policy, secrets, sessionId, networkOff } = options;
  const env = inherited(parent, policy.inherit ?? "all");
  if (policy.ignore_default_excludes === false) drop(env, matcher(["*KEY*", "*SECRET*", "*TOKEN*"]));
  if (policy.exclude?.length) drop(env, matcher(policy.exclude));
  Object.assign(env, policy.set);
  if (policy.include_only?.length) {
    const isWanted = matcher(policy.include_only);
    drop(env, (name) => !isWanted(name));
  }
  dropSecrets(env, parent, secrets);
  return { ...env, ...fixedVariables(sessionId), ...networkMark(networkOff) };
}

/** What tells a command that it has no network. */
export function networkMark(networkOff: boolean): Record<string, string> {
  return networkOff ? { [NETWORK_OFF]: "1" } : {};
}

export const NETWORK_OFF = "CODEX_SANDBOX_NETWORK_DISABLED";

const CORE = new Set(
  (process.platform === "win32"
    ? "PATH PATHEXT COMSPEC SYSTEMROOT SYSTEMDRIVE WINDIR USERPROFILE HOMEDRIVE HOMEPATH USERNAME USERDOMAIN APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) TEMP TMP"
    : "PATH SHELL TMPDIR TEMP TMP HOME LANG LC_ALL LC_CTYPE LOGNAME USER"
  ).split(" "),
);

function inherited(
  parent: ChildEnvironmentOptions["parent"],
  inherit: "all" | "core" | "none",
): Record<string, string> {
  const env: Record<string, string> = {};
  if (inherit === "none") return env;
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && (inherit === "all" || CORE.has(name.toUpperCase()))) env[name] = value;
  }
  return env;
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const all = patterns.map((pattern) => {
    const source = pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".");
    return new RegExp(`^${source}$`, "is");
  });
  return (name) => all.some((one) => one.test(name));
}

function drop(env: Record<string, string>, isUnwanted: (name: string, value: string) => boolean): void {
  for (const [name, value] of Object.entries(env)) if (isUnwanted(name, value)) delete env[name];
}

/** A shorter "key" (`dummy`, `ollama`) guards nothing and may equal a harmless value such as a user name. */
const SHORTEST_SECRET = 8;

function dropSecrets(
  env: Record<string, string>,
  parent: ChildEnvironmentOptions["parent"],
  secrets: readonly string[],
): void {
  const names = new Set(secrets);
  const values = secrets
    .map((name) => parent[name]?.trim() ?? "")
    .filter((value) => value.length >= SHORTEST_SECRET);
  // In an address or a header, too.
  drop(env, (name, value) => names.has(name) || values.some((secret) => value.includes(secret)));
}

/** Nothing may page, colour, or answer in another encoding: nobody looks at a terminal. */
function fixedVariables(sessionId: string): Record<string, string> {
  return {
    NO_COLOR: "1",
    TERM: "dumb",
    COLORTERM: "",
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    LC_CTYPE: "C.UTF-8",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GH_PAGER: "cat",
    CODEX_CI: "1",
    CODEX_THREAD_ID: sessionId,
    CODEX_SESSION_ID: sessionId,
    INTERPRETER_SESSION_ID: sessionId,
  };
}
