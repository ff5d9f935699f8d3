import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A throw-away home with a working folder. Removed at the end of the block: `await using home = await tempHome()`. */
export type TempHome = AsyncDisposable & {
  /** The product's own folder (config.toml, sessions), an absolute real path. */
  path: string;
  /** An empty folder to work in. */
  cwd: string;
  /** The whole environment a child needs: nothing of the tester's own settings and keys. */
  env: Record<string, string>;
  /** Writes a file below the working folder, or below the home with `~/` in front; returns its path. */
  write(name: string, text: string): Promise<string>;
};

export async function tempHome(): Promise<TempHome> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "interpreter-test-")));
  const path = join(root, "home", ".openinterpreter");
  const cwd = join(root, "work");
  await mkdir(path, { recursive: true });
  await mkdir(cwd);
  return {
    path,
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: join(root, "home"),
      INTERPRETER_HOME: path,
      LANG: "C.UTF-8",
      TERM: "dumb",
    },
    async write(name, text) {
      const file = name.startsWith("~/") ? join(path, name.slice(2)) : join(cwd, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
