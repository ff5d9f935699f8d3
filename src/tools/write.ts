import { z } from "zod";
import { defineTool } from "./define.ts";
import { absolutePath, homeOf } from "./files/location.ts";
import { knowledge } from "./files/read-state.ts";
import { type NewText, type OldFile, prepareTextChange } from "./files/text-change.ts";
import { splitLines, usualEnd } from "./files/text-lines.ts";

const WriteInput = z.looseObject({
  path: z.string(),
  content: z.string(),
  /** Adds to the end instead of replacing the file. */
  append: z.boolean().optional(),
  /** Refuse to replace a file whose present content the model has not seen. On unless set to false. */
  requireRead: z.boolean().optional(),
});
type WriteInput = z.infer<typeof WriteInput>;

/** Native "write": makes a text file, or replaces one that the model has read. */
export const write = defineTool<WriteInput>({
  name: "write",
  schema: WriteInput,
  parallel: false,
  async prepare(input, ctx) {
    const path = absolutePath(input.path, ctx.cwd, homeOf(ctx));
    return prepareTextChange(path, (old) => newText(path, input, old), ctx);
  },
});

function newText(path: string, { content, append, requireRead }: WriteInput, old: OldFile): NewText {
  const replaces = old.text !== undefined && old.text !== "" && !append;
  if (replaces && requireRead !== false) {
    const known = knowledge(old.memory, old.realPath, old.text ?? "");
    if (known === "unread")
      return {
        problem: `${path} exists and has not been read yet; read it before replacing it`,
        fields: { case: "unread", path },
      };
    if (known === "stale")
      return {
        problem: `${path} has changed since it was read; read it again before replacing it`,
        fields: { case: "stale", path },
      };
  }
  const styled = inStyleOf(content, old.text ?? "", append === true);
  const text = append ? appended(old.text ?? "", styled) : styled;
  const lines = splitLines(text).texts.length;
  const outcome = old.text === undefined ? "created" : append ? "added" : "replaced";
  const verb = { created: "Created", added: "Added to", replaced: "Replaced" }[outcome];
  return {
    text,
    answer: `${verb} ${path} (${lines} ${lines === 1 ? "line" : "lines"})`,
    fields: { case: outcome, path, lines, bytes: Buffer.byteLength(styled), created: old.text === undefined },
  };
}

/** A file keeps its byte order mark and its CRLF line ends when the new text says nothing else. */
function inStyleOf(content: string, old: string, append: boolean): string {
  const { ends } = splitLines(old);
  const crlf = usualEnd(ends) === "\r\n" && !ends.includes("\n") && !content.includes("\r\n");
  const text = crlf ? content.replaceAll("\n", "\r\n") : content;
  const mark = old.startsWith("\uFEFF") && !append && !text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return mark + text;
}

function appended(old: string, added: string): string {
  const glue = old === "" || old.endsWith("\n") ? "" : usualEnd(splitLines(old).ends);
  return old + glue + added;
}
