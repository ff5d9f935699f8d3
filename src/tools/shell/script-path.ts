import { delimiter } from "node:path";
import { shellQuote } from "../../util/shell-quote.ts";

/** `env` with a folder at the front of its PATH. */
export function withFolderOnPath(
  env: Readonly<Record<string, string>>,
  folder: string | undefined,
): Record<string, string> {
  if (folder === undefined) return { ...env };
  // Windows spells it `Path`.
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const { [name]: old } = env;
  return { ...env, [name]: old ? `${folder}${delimiter}${old}` : folder };
}

/**
 * A login shell may set PATH anew (Debian's /etc/profile does). A script that calls `apply_patch` gets the folder back
 * after that, on its first line, so that line numbers in messages stay right; any other script is left as it is.
 */
export function withFolderInScript(argv: readonly string[], folder: string | undefined): string[] {
  const [shell = "", option, script] = argv;
  const isLogin = option === "-lc" && argv.length === 3;
  if (folder === undefined || !isLogin || script === undefined || !/\bapply_?patch\b/.test(script))
    return [...argv];
  return [shell, option, `PATH=${shellQuote([folder])}:"$PATH"; ${script}`];
}
