import { walk } from "../../util/walk.ts";
import { matchRank } from "./popup/match.ts";

const MOST_FILES = 200_000;
const MOST_FOUND = 50;
/** A walk lets keys in between this often. */
const PAUSE_EVERY = 2000;

/** The files below a folder that no ignore rule leaves out, read once in the background. */
export class FileIndex {
  readonly #paths: string[] = [];
  readonly whole: Promise<void>;
  isWhole = false;

  constructor(root: string, signal: AbortSignal) {
    this.whole = this.#read(root, signal).finally(() => {
      this.isWhole = true;
    });
  }

  /** The best matches first: by the file's name, then by the path. */
  find(query: string): string[] {
    const wanted = query.replace(/:\d[\d-]*$/, "");
    const range = query.slice(wanted.length);
    const found: { path: string; rank: number }[] = [];
    for (const path of this.#paths) {
      const rank = rankOf(wanted, path);
      if (rank !== undefined) found.push({ path, rank });
    }
    found.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
    return found.slice(0, MOST_FOUND).map(({ path }) => path + range);
  }

  async #read(root: string, signal: AbortSignal): Promise<void> {
    let count = 0;
    try {
      for await (const entry of walk(root, { maxEntries: MOST_FILES }, signal)) {
        if (entry.kind === "file" || entry.kind === "link") this.#paths.push(entry.relative);
        if (++count % PAUSE_EVERY === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (cause) {
      if (!signal.aborted) throw cause;
    }
  }
}

function rankOf(wanted: string, path: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const byName = wanted.includes("/") ? undefined : matchRank(wanted, name);
  if (byName !== undefined) return byName;
  const byPath = matchRank(wanted, path);
  return byPath === undefined ? undefined : byPath + 5;
}
