import { readlink, stat } from "node:fs/promises";
import { z } from "zod";
import { type WalkedEntry, walk } from "../util/walk.ts";
import { defineTool } from "./define.ts";
import { hiddenBy } from "./files/denied.ts";
import { absolutePath, homeOf, locate, touched } from "./files/location.ts";
import { missingPathText } from "./files/near-paths.ts";
import { readingCall, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const ListInput = z.looseObject({
  path: z.string().optional(),
  /** 1: the folder's own entries. */
  depth: z.number().int().positive().optional(),
  limit: z.number().int().positive().optional(),
});
type ListInput = z.infer<typeof ListInput>;

const DEFAULT_LIMIT = 200;

/** Native "list": the entries of a folder, ignored folders named but closed. */
export const list = defineTool<ListInput>({
  name: "list",
  schema: ListInput,
  parallel: true,
  async prepare(input, ctx) {
    const path = absolutePath(input.path ?? ".", ctx.cwd, homeOf(ctx));
    const location = await locate(path);
    return readingCall(touched(location), (run) => listFolder(path, location.target, input, run));
  },
});

async function listFolder(
  path: string,
  target: string,
  input: ListInput,
  ctx: RunContext,
): Promise<ToolResult> {
  const stats = await stat(target).catch(() => undefined);
  if (!stats) return textResult(false, await missingPathText(path, ctx.cwd, ctx.signal));
  if (!stats.isDirectory()) return textResult(false, `${path} is a file, not a folder`);
  const limit = input.limit ?? DEFAULT_LIMIT;
  const options = { maxDepth: input.depth ?? 1, reportIgnored: true, skip: hiddenBy(ctx.policy) };
  const lines: string[] = [];
  let cut = false;
  for await (const entry of walk(target, options, ctx.signal)) {
    cut = lines.length === limit;
    if (cut) break;
    lines.push(await describeEntry(entry));
  }
  if (lines.length === 0)
    return textResult(true, "(the folder is empty)", { path, entries: 0, text: "", more: false });
  const text = lines.join("\n");
  const note = cut ? `\n(the first ${limit} entries; list a folder below for more)` : "";
  return textResult(true, text + note, { path, entries: lines.length, text, more: cut });
}

async function describeEntry({ path, relative, kind, ignored }: WalkedEntry): Promise<string> {
  const parts = relative.split("/");
  const name = "  ".repeat(parts.length - 1) + (parts.at(-1) ?? "");
  switch (kind) {
    case "folder":
      return `${name}/${ignored ? " (ignored)" : ""}`;
    case "link":
      return `${name} -> ${await readlink(path).catch(() => "?")}`;
    case "file":
    case "other":
      return name;
  }
}
