import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { AppError, toAppError } from "../util/errors.ts";
import { requireOrdinaryText } from "../util/fs.ts";
import { nearest } from "../util/nearest.ts";
import { builtInFile, builtInIds } from "./builtin.ts";
import { complete, extendFile, type Harness, missingPart } from "./compose.ts";
import type { HarnessFile } from "./schema.ts";

/** The name of a harness, and of its file: it never leads to another folder. */
export const HARNESS_ID = /^[a-z0-9][a-z0-9._-]*$/i;

/** A folder that holds `harnesses/`, or several of them, of which the later ones win. */
export type HarnessHome = string | readonly string[];

/**
 * The harness of that id: `<home>/harnesses/<id>.yaml`, else the built-in one. Throws AppError "config" for an unknown
 * id and for a file that is wrong.
 */
export async function loadHarness(id: string, home: HarnessHome): Promise<Harness> {
  return complete(await resolveFile(id, home, []));
}

/** A harness from the text of a file, wherever that is. Throws AppError "config" whose message starts with the place. */
export async function loadHarnessFile(path: string, text: string, home: HarnessHome): Promise<Harness> {
  const { readHarnessFile } = await import("./read-file.ts");
  const file = readHarnessFile(path, text);
  checkName(file, basename(path).replace(/\.ya?ml$/, ""), path);
  return complete(await withBase(file, path, home, []));
}

/** Every id that `loadHarness` knows, sorted. */
export async function harnessIds(home: HarnessHome): Promise<string[]> {
  return [...new Set([...builtInIds(), ...(await ownIds(home))])].sort();
}

/** The ids of the user's own files; those of built-in harnesses among them take their place. */
export async function ownIds(home: HarnessHome): Promise<string[]> {
  // Most people have no such folder: asking for it costs a tenth of failing to read it.
  const present = foldersOf(home).filter((folder) => existsSync(folder));
  const folders = await Promise.all(present.map((folder) => readdir(folder).catch(() => [])));
  const names = folders.flat().filter((name) => name.endsWith(".yaml"));
  return names.map((name) => name.slice(0, -".yaml".length)).filter((id) => HARNESS_ID.test(id));
}

function foldersOf(home: HarnessHome): string[] {
  return (typeof home === "string" ? [home] : home).map((folder) => join(folder, "harnesses"));
}

/** Where the file of that id is, or would be. */
export function pathOf(id: string, home: HarnessHome): string {
  const paths = foldersOf(home).map((folder) => join(folder, `${id}.yaml`));
  return paths.findLast((path) => existsSync(path)) ?? paths.at(0) ?? `${id}.yaml`;
}

/** `seen` holds the ids whose own file led here: a user's file may extend the built-in harness whose name it took. */
async function resolveFile(id: string, home: HarnessHome, seen: readonly string[]): Promise<HarnessFile> {
  const path = pathOf(id, home);
  const own = seen.includes(id) ? undefined : await ownFile(id, path);
  const file = own ?? (await builtInFile(id));
  if (!file) throw seen.includes(id) ? circular(path, seen) : await unknownHarness(id, home);
  return withBase(file, path, home, seen);
}

async function withBase(
  file: HarnessFile,
  path: string,
  home: HarnessHome,
  seen: readonly string[],
): Promise<HarnessFile> {
  const base =
    file.extends === undefined
      ? undefined
      : await resolveFile(file.extends, home, [...seen, file.id]).catch((cause: unknown) =>
          inExtends(cause, file.extends, path),
        );
  const whole = base ? extendFile(base, file) : file;
  const missing = missingPart(whole);
  if (!missing) return whole;
  throw new AppError("config", `${path}: ${missing} is missing`, {
    hint: "add it, or say which harness to start from, e.g. `extends: native`",
  });
}

/** A base that is not there is a mistake of the file that names it. */
function inExtends(cause: unknown, id: string | undefined, path: string): never {
  if (!(cause instanceof AppError) || cause.message !== notFound(id)) throw cause;
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  const line = lines.findIndex((one) => one.startsWith("extends:")) + 1;
  const place = line === 0 ? path : `${path}:${line}:1`;
  throw new AppError("config", `${place}: extends: ${cause.message}`, { cause, hint: cause.hint });
}

function notFound(id: string | undefined): string {
  return `harness \`${id}\` not found`;
}

async function ownFile(id: string, path: string): Promise<HarnessFile | undefined> {
  if (!HARNESS_ID.test(id)) return undefined;
  // Asked first because it costs nothing, while a failed read and the reader's libraries cost milliseconds.
  if (!existsSync(path)) return undefined;
  const text = await harnessText(path);
  const { readHarnessFile } = await import("./read-file.ts");
  const file = readHarnessFile(path, text);
  checkName(file, id, path);
  return file;
}

/** A file is found by its name, so that another id in it would never be asked for. */
function checkName(file: HarnessFile, id: string, path: string): void {
  if (file.id === id) return;
  throw new AppError("config", `${path}: id must be the name of the file, found "${file.id}"`, {
    hint: `write \`id: ${id}\` or rename the file`,
  });
}

/** Bytes. */
const LONGEST_FILE = 2 ** 20;

/** The text of a harness that a person wrote. Throws AppError "config". */
export async function harnessText(path: string): Promise<string> {
  try {
    return await requireOrdinaryText(path, LONGEST_FILE);
  } catch (cause) {
    throw new AppError("config", `${path} could not be read: ${toAppError(cause).message}`, {
      cause,
      hint: "check the path and its permissions",
    });
  }
}

function circular(path: string, seen: readonly string[]): AppError {
  return new AppError("config", `${path}: these harnesses extend each other: ${seen.join(", ")}`, {
    hint: "let one of them extend a built-in harness",
  });
}

async function unknownHarness(id: string, home: HarnessHome): Promise<AppError> {
  const known = await harnessIds(home);
  const close = nearest(id, known);
  return new AppError("config", notFound(id), {
    hint: close ? `did you mean \`${close}\`?` : `known: ${known.join(", ")}`,
  });
}
