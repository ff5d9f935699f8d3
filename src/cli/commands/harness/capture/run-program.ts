import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError } from "../../../../util/errors.ts";
import { endTree } from "../../../../util/kill.ts";
import type { ProbePlace } from "./probes.ts";
import RECIPES from "./recipes.yaml";

export type Recipe = {
  like?: string;
  model?: string;
  args?: string[];
  env?: Record<string, string>;
  files?: Record<string, string>;
};

/** How to point a program to our server, by its name; undefined for one that nobody has written down. */
export function recipeFor(command: readonly string[]): Recipe | undefined {
  const recipes: Readonly<Record<string, Recipe>> = RECIPES;
  const name = basename(command[0] ?? "").replace(/\.(?:cmd|exe|js|mjs)$/, "");
  return Object.hasOwn(recipes, name) ? recipes[name] : undefined;
}

export function recipeNames(): string[] {
  return Object.keys(RECIPES);
}

export type Program = {
  command: readonly string[];
  recipe: Recipe | undefined;
  place: ProbePlace;
  origin: string;
  env: Readonly<Record<string, string | undefined>>;
};

const LONGEST_MS = 180_000;
const SHOWN_OUTPUT = 2000;

/** Runs it to its end, or for three minutes. Answers with the end of what it wrote. Throws AppError "config". */
export async function runProgram(program: Program, signal: AbortSignal): Promise<string> {
  const { command, recipe, place, env } = program;
  const fill = filler(program);
  for (const [name, text] of Object.entries(recipe?.files ?? {})) {
    const path = join(place.home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, fill(text));
  }
  // A command that says where the prompt goes is complete as it is.
  const added = command.some((word) => word.includes("{prompt}")) ? [] : (recipe?.args ?? []);
  const argv = [...command, ...added].map(fill);
  const program_ = Bun.which(argv[0] ?? "", { PATH: env["PATH"] ?? "" });
  if (!program_)
    throw new AppError("config", `${argv[0]} is not installed`, { hint: "check its name, or give its path" });
  const child = Bun.spawn([program_, ...argv.slice(1)], {
    cwd: place.cwd,
    env: { ...surroundings(env, place), ...mapped(recipe?.env ?? {}, fill) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  const over = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const end = () => void endTree(child.pid);
  over.addEventListener("abort", end, { once: true });
  const [out, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  over.removeEventListener("abort", end);
  signal.throwIfAborted();
  return `${problems}${out}`.trim().slice(-SHOWN_OUTPUT);
}

/** Nothing of the user's own settings and keys: neither do they belong into a harness, nor may they be sent anywhere. */
function surroundings(
  env: Readonly<Record<string, string | undefined>>,
  { home }: ProbePlace,
): Record<string, string> {
  const kept = ["PATH", "LANG", "SHELL", "SystemRoot", "TMPDIR"].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const off = { NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost" };
  return { ...Object.fromEntries(kept), ...off, HOME: home, TERM: "dumb", NO_COLOR: "1" };
}

function filler({ origin, place }: Program): (text: string) => string {
  const values: Readonly<Record<string, string>> = {
    prompt: place.prompt,
    model: place.model,
    baseUrl: `${origin}/v1`,
    origin,
    home: place.home,
    cwd: place.cwd,
  };
  return (text) => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function mapped(table: Readonly<Record<string, string>>, fill: (text: string) => string) {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, fill(value)]));
}
