// Builds the executable: `bun install/build.ts [--target bun-linux-arm64] [--outfile path]`.
import { existsSync } from "node:fs";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { recordBytecodeOrder } from "./bytecode-order.ts";
import { leaveOutAjv } from "./leave-out-ajv.ts";

/** Names under which the executable behaves differently; the build links them beside it. */
const ALIASES = ["i", "interpreter-exec", "interpreter-acp", "apply_patch"];

/** How many times longer than usual code stays interpreted while the program starts. */
const START_UP_JIT = 300;

const root = dirname(import.meta.dir);

type BuildOptions = { outfile: string; target?: string };

async function build({ outfile, target }: BuildOptions): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true });
  // Somebody may be running the old executable, and a failed build must not leave half a file behind.
  const unfinished = join(dirname(outfile), `.${process.pid}-${basename(outfile)}`);
  const order = `${unfinished}.order`;
  try {
    await compile(unfinished, target);
    if (await recordBytecodeOrder(unfinished, order)) await compile(unfinished, target, order);
    await rename(unfinished, outfile);
  } finally {
    await rm(unfinished, { force: true });
    await rm(order, { force: true });
  }
  if (target === undefined && process.platform !== "win32") await linkAliases(outfile);
}

async function compile(outfile: string, target: string | undefined, bytecodeOrder?: string): Promise<void> {
  const result = await Bun.build({
    entrypoints: [join(root, "src", "main.ts")],
    target: "bun",
    format: "esm",
    minify: true,
    // Without splitting, everything behind an import() is loaded at start.
    splitting: true,
    bytecode: true,
    // What is nested deeper is compiled when it first runs: the same start, in a smaller file.
    bytecodeDepth: 2,
    plugins: [leaveOutAjv],
    compile: {
      outfile,
      // Code that runs once is not worth compiling; `src/cli/run.ts` ends this.
      jitPolicy: START_UP_JIT,
      bytecodeOrder: bytecodeOrder ?? false,
      ...(target === undefined ? {} : { target: compileTarget(target) }),
      // The folder a user starts us in is not trusted: its .env and bunfig.toml (with preloads) are not ours.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
    throw: false,
  });
  if (!result.success) throw new Error(result.logs.map(String).join("\n"));
}

function compileTarget(name: string): Bun.Build.CompileTarget {
  if (isCompileTarget(name)) return name;
  throw new Error(`--target must look like bun-linux-x64 or bun-darwin-arm64, found "${name}"`);
}

function isCompileTarget(name: string): name is Bun.Build.CompileTarget {
  return /^bun-(darwin|linux|windows)-(x64|arm64)(-baseline|-modern)?(-musl|-glibc)?$/.test(name);
}

async function linkAliases(outfile: string): Promise<void> {
  for (const alias of ALIASES) {
    const link = join(dirname(outfile), alias);
    await rm(link, { force: true });
    await symlink(basename(outfile), link);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      target: { type: "string" },
      outfile: { type: "string" },
    },
  });
  const extension = (values.target ?? process.platform).match(/windows|win32/) ? ".exe" : "";
  const outfile = resolve(values.outfile ?? join(root, "dist", `interpreter${extension}`));
  if (!existsSync(join(root, "src", "main.ts"))) throw new Error("src/main.ts is missing: nothing to build");
  await build({ outfile, target: values.target });
  console.log(`built ${outfile} (${manifest.version})`);
}

try {
  await main();
} catch (cause) {
  console.error(`build failed: ${cause instanceof Error ? cause.message : cause}`);
  process.exitCode = 1;
}
