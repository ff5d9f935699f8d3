import { AppError } from "../util/errors.ts";
import type { Env, KeyCommand } from "./settings.ts";

/** A program's key: `current` keeps it until it is due again, `renew` asks at once when `refused` is the kept one. */
export type CommandKey = {
  current(signal: AbortSignal): Promise<string>;
  renew(refused: string | undefined, signal: AbortSignal): Promise<string>;
};

/** Neither the key nor anything else that the program prints on stdout ever appears in a message. */
export function commandKey(auth: KeyCommand, env: Env): CommandKey {
  const refreshMs = auth.refresh_interval_ms ?? 300_000;
  let kept: { key: string; at: number } | undefined;
  const ask = async (signal: AbortSignal) => {
    kept = { key: await printedKey(auth, env, signal), at: performance.now() };
    return kept.key;
  };
  return {
    async current(signal) {
      const isFresh = kept && (refreshMs === 0 || performance.now() - kept.at < refreshMs);
      return kept && isFresh ? kept.key : await ask(signal);
    },
    async renew(refused, signal) {
      return kept && kept.key !== refused ? kept.key : await ask(signal);
    },
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
  if (/\s/.test(key)) throw commandFailed(auth, "printed more than one word");
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
