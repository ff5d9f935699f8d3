import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitAtBytes } from "../../util/truncate.ts";
import type { MemoryKey, RunContext } from "../types.ts";

/** A folder of the session for outputs that are too long to be read as a whole. It goes when the session ends. */
const FOLDER: MemoryKey<{ path?: Promise<string> }> = {
  name: "spilledOutput",
  init: () => ({}),
  dispose: async ({ path }) => {
    if (path) await rm(await path, { recursive: true, force: true });
  },
};

const PREVIEW_BYTES = 2048;

/** Fields for a result template: where all of it is, how long it is (KB), and its beginning. */
export type Spilled = { file: string; sizeKb: string; preview: string };

/** Puts an output longer than `maxChars`, or than the model may be shown at all, into a file of its own. */
export async function spillOutput(
  output: string,
  maxChars: number | undefined,
  ctx: Pick<RunContext, "memory" | "callId" | "outputLimit">,
): Promise<Spilled | undefined> {
  if (maxChars === undefined) return undefined;
  const { unit, limit } = ctx.outputLimit;
  if (output.length <= Math.min(maxChars, unit === "tokens" ? limit * 4 : limit)) return undefined;
  const file = await outputFile(ctx);
  await writeFile(file, output, { mode: 0o600 });
  const [beginning] = splitAtBytes(output, PREVIEW_BYTES);
  const preview = beginning.slice(0, beginning.lastIndexOf("\n") + 1 || undefined).trimEnd();
  return { file, sizeKb: (Buffer.byteLength(output) / 1024).toFixed(1), preview };
}

/** The path of a file for the output of this call; the file itself is not made. */
export async function outputFile({ memory, callId }: Pick<RunContext, "memory" | "callId">): Promise<string> {
  const folder = memory.get(FOLDER);
  folder.path ??= mkdtemp(join(tmpdir(), "interpreter-output-"));
  return join(await folder.path, `${callId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80)}.txt`);
}
