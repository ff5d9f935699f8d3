import { z } from "zod";
import { createReplyReader, type ReplyPiece } from "../../model/text-calls/reply-reader.ts";
import type { ExitCode, Io } from "../../protocol/program.ts";
import { parseArgs, unknownWord } from "../../util/args.ts";
import { AppError } from "../../util/errors.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";

export const DEBUG_COMMAND = {
  name: `${NAME} debug`,
  summary: "Inspect what the program does internally",
  options: [{ long: "jsonl", summary: "parse-reply: one answer on each line of the input" }],
  positionals: [{ name: "ACTION", summary: "parse-reply: find the tool calls in the text of an answer" }],
  notes:
    'parse-reply reads {"tools": [{"name", "parameters"}], "text", "chunks"?, "field"?} from standard input and prints ' +
    '{"calls", "shown", "reasoning"}.',
} as const;

const HINT = '{"tools": [{"name": "run", "parameters": {"cmd": "string"}}], "text": "…"} is what it reads';

/** A schema, or the short form: parameter → type. */
const Parameters = z.record(z.string(), z.unknown()).transform((given) => {
  if (given["type"] === "object") return given;
  const schemas = Object.entries(given).map(([name, type]) => [
    name,
    typeof type === "string" ? { type } : type,
  ]);
  return { type: "object", properties: Object.fromEntries(schemas) };
});
const Reply = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string(), parameters: Parameters.default({}) })),
  text: z.string(),
  chunks: z.array(z.int().nonnegative()).default([]),
  field: z.enum(["content", "reasoning"]).default("content"),
});

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs(DEBUG_COMMAND, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(DEBUG_COMMAND));
    return 0;
  }
  const [action, ...more] = parsed.positionals;
  if (action !== "parse-reply" || more.length > 0)
    throw unknownWord(DEBUG_COMMAND, "ACTION", more[0] ?? action ?? "", ["parse-reply"]);
  const input = await new Response(io.stdin.stream()).text();
  if (!parsed.has("jsonl")) {
    await io.stdout.write(`${parseReply(input, "the input")}\n`);
    return 0;
  }
  for (const [index, line] of input.split("\n").entries()) {
    if (line.trim() !== "") await io.stdout.write(`${parseReply(line, `line ${index + 1}`)}\n`);
  }
  return 0;
}

/** `where` names the text in errors. Throws AppError "config". */
function parseReply(json: string, where: string): string {
  const { tools, text, chunks, field } = checked(json, where);
  const reader = createReplyReader({ tools });
  const pieces: ReplyPiece[] = [];
  const places = [0, ...chunks, text.length];
  for (const [index, place] of places.slice(1).entries()) {
    const from = places[index] ?? 0;
    if (place < from)
      throw new AppError("config", `${where}: chunks must be ascending places in the text, found ${chunks}`);
    const delta = text.slice(from, place);
    pieces.push(...(field === "reasoning" ? reader.pushReasoning(delta) : reader.push(delta)));
  }
  pieces.push(...reader.end());
  return JSON.stringify(summary(pieces));
}

function checked(json: string, where: string): z.infer<typeof Reply> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new AppError("config", `${where} is not JSON: ${cause instanceof Error ? cause.message : cause}`, {
      hint: HINT,
    });
  }
  const found = Reply.safeParse(value);
  if (found.success) return found.data;
  throw new AppError("config", `${where} is no answer to read:\n${z.prettifyError(found.error)}`, {
    hint: HINT,
  });
}

function summary(pieces: readonly ReplyPiece[]) {
  const calls: { name: string; arguments: unknown }[] = [];
  let shown = "";
  let reasoning = "";
  for (const piece of pieces) {
    switch (piece.kind) {
      case "text":
        shown += piece.text;
        break;
      case "thinking":
        reasoning += piece.text;
        break;
      case "was_thinking":
        reasoning += piece.text;
        shown = "";
        break;
      case "call":
        calls.push({ name: piece.name, arguments: piece.arguments });
        break;
      case "refused":
        break;
    }
  }
  return { calls, shown, reasoning };
}
