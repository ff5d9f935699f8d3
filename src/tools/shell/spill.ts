import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitAtBytes } from "../../util/truncate.ts";
import type { MemoryKey, RunContext } from "../types.ts";
import { type Tail, tailOf } from "./excerpt.ts";
import type { Digest } from "./report.ts";

/** A folder of the session for outputs that are too long to be read as a whole. It is removed when the session ends. */
const FOLDER: MemoryKey<{ path?: Promise<string> }> = {
  name: "spilledOutput",
  init: () => ({}),
  dispose: async ({ path }) => {
    if (path) await rm(await path, { recursive: true, force: true });
  },
};

const PREVIEW_BYTES = 2048;
const TAIL_LINES = 2000;

/** Fields for a result template: where all of it is, how long it is, its beginning, its end and its last lines. */
export type Spilled = Tail & {
  file: string;
  sizeKb: string;
  chars: number;
  bytes: number;
  preview: string;
  ending: string;
};
/** Above which of them an output goes into a file; with neither, none does. */
export type SpillLimits = { spillChars?: number | undefined; spillLines?: number | undefined };

/** Puts an output above the limits, or longer than the model may be shown at all, into a file of its own. */
export async function spillOutput(
  { full, lines }: Pick<Digest, "full" | "lines">,
  { spillChars, spillLines }: SpillLimits,
  ctx: Pick<RunContext, "memory" | "callId" | "outputLimit">,
): Promise<Spilled | undefined> {
  if (spillChars === undefined && spillLines === undefined) return undefined;
  const { unit, limit } = ctx.outputLimit;
  const maxBytes = Math.min(spillChars ?? Infinity, unit === "tokens" ? limit * 4 : limit);
  if (full.length <= maxBytes && lines <= (spillLines ?? Infinity)) return undefined;
  const file = await outputFile(ctx);
  await writeFile(file, full, { mode: 0o600 });
  const [beginning] = splitAtBytes(full, PREVIEW_BYTES);
  const preview = beginning.slice(0, beginning.lastIndexOf("\n") + 1 || undefined).trimEnd();
  const last = full.slice(-PREVIEW_BYTES);
  const bytes = Buffer.byteLength(full);
  return {
    file,
    sizeKb: (bytes / 1024).toFixed(1),
    chars: full.length,
    bytes,
    preview,
    ending: last.slice(last.indexOf("\n") + 1).trimEnd(),
    ...tailOf(full, { maxLines: spillLines ?? TAIL_LINES, maxBytes, totalLines: lines }),
  };
}

/** The path of a file for the output of this call; the file itself is not made. */
export async function outputFile({ memory, callId }: Pick<RunContext, "memory" | "callId">): Promise<string> {
  const folder = memory.get(FOLDER);
  folder.path ??= mkdtemp(join(tmpdir(), "interpreter-output-"));
  return join(await folder.path, `${callId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80)}.txt`);
}
