import { AppError } from "../util/errors.ts";
import { type Env, type KeyCommand, nonBlank, type ProviderSettings } from "./settings.ts";

/** The key to send, or undefined when the provider needs none. Throws AppError "auth". */
export type KeySource = (signal: AbortSignal) => Promise<string | undefined>;

/** Where OpenAI's own key is looked for, in this order: the first is meant for single runs. */
const OPENAI_KEY_VARIABLES = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

export function keySource(settings: ProviderSettings, env: Env): KeySource {
  if (settings.auth) return commandKey(settings.auth, env);
  const { env_key: variable, experimental_bearer_token: token } = settings;
  if (variable) return async () => nonBlank(env, variable) ?? missingKey(variable, settings, env);
  if (token?.trim()) return async () => token.trim();
  if (settings.requires_openai_auth)
    return async () => openaiKey(env) ?? missingKey("OPENAI_API_KEY", settings, env);
  return async () => undefined;
}

export function openaiKey(env: Env): string | undefined {
  return OPENAI_KEY_VARIABLES.map((name) => nonBlank(env, name)).find((key) => key !== undefined);
}

async function missingKey(variable: string, settings: ProviderSettings, env: Env): Promise<never> {
  const instructions = settings.env_key_instructions ?? `set it, e.g. \`export ${variable}=...\``;
  throw new AppError("auth", `Missing environment variable: \`${variable}\`.`, {
    hint: `${instructions}${await otherwise(variable, env)}`,
  });
}

async function otherwise(variable: string, env: Env): Promise<string> {
  const { catalogEntriesWithKey } = await import("./catalog.ts");
  const usable = catalogEntriesWithKey((name) => name !== variable && nonBlank(env, name) !== undefined);
  const [first] = usable.filter((entry) => entry.sharedKey !== true);
  if (first) return `; or, as ${first.key} is set, run with -c model_provider=${first.id}`;
  return "; or run a local model with --local-provider ollama";
}

/** Runs a program that prints the key, and keeps what it printed until it is due again. */
function commandKey(auth: KeyCommand, env: Env): KeySource {
  const refreshMs = auth.refresh_interval_ms ?? 300_000;
  let kept: { key: string; at: number } | undefined;
  return async (signal) => {
    const isFresh = kept && (refreshMs === 0 || performance.now() - kept.at < refreshMs);
    if (!kept || !isFresh) kept = { key: await printedKey(auth, env, signal), at: performance.now() };
    return kept.key;
  };
}

async function printedKey(auth: KeyCommand, env: Env, signal: AbortSignal): Promise<string> {
  if (signal.aborted) throw new AppError("aborted", "interrupted");
  const timeoutMs = auth.timeout_ms ?? 5000;
  const deadline = AbortSignal.timeout(timeoutMs);
  const [exitCode, output, complaint] = await outcome(auth, env, AbortSignal.any([signal, deadline]));
  if (signal.aborted) throw new AppError("aborted", "interrupted");
  if (deadline.aborted) throw commandFailed(auth, `took longer than ${timeoutMs} ms`);
  if (exitCode !== 0)
    throw commandFailed(auth, `ended with code ${exitCode}${complaint ? `: ${complaint}` : ""}`);
  const key = output.trim();
  if (key === "") throw commandFailed(auth, "printed nothing");
  return key;
}

async function outcome(auth: KeyCommand, env: Env, signal: AbortSignal): Promise<[number, string, string]> {
  try {
    const child = Bun.spawn([auth.command, ...(auth.args ?? [])], {
      cwd: auth.cwd,
      env: { ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      signal,
      killSignal: "SIGKILL",
    });
    // A grandchild may hold the pipes after the program was killed: then nobody waits for them.
    const texts = Promise.all([child.stdout.text(), child.stderr.text()]);
    const exitCode = await child.exited;
    if (signal.aborted) return [exitCode, "", ""];
    const [output, complaint] = await texts;
    return [exitCode, output, complaint.trim().split("\n").at(-1)?.slice(0, 200) ?? ""];
  } catch (cause) {
    throw commandFailed(
      auth,
      `could not be started: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

function commandFailed(auth: KeyCommand, what: string): AppError {
  return new AppError("auth", `the auth command \`${auth.command}\` should print a key but ${what}`, {
    hint: "run it by hand, then correct model_providers.<id>.auth in config.toml",
  });
}
