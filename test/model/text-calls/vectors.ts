import { join } from "node:path";
import { z } from "zod";
import {
  createReplyReader,
  type ReplyPiece,
  type ReplyReader,
} from "../../../src/model/text-calls/reply-reader.ts";

const file = join(import.meta.dir, "..", "..", "fixtures", "tool-call-text", "vectors.json");
const Vectors = z.array(
  z.strictObject({
    id: z.string(),
    family: z.string(),
    tools: z.array(z.strictObject({ name: z.string(), parameters: z.record(z.string(), z.string()) })),
    text: z.string(),
    field: z.literal("reasoning").optional(),
    chunks: z.array(z.number()).optional(),
    expect: z.strictObject({
      calls: z.array(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
      shown: z.string(),
      reasoning: z.string().optional(),
    }),
  }),
);
export type Vector = z.infer<typeof Vectors>[number];
export type Outcome = { calls: { name: string; arguments: unknown }[]; shown: string; reasoning: string };

export const VECTORS: readonly Vector[] = Vectors.parse(await Bun.file(file).json());

export function readerFor({ tools }: Pick<Vector, "tools">): ReplyReader {
  return createReplyReader({
    tools: tools.map(({ name, parameters }) => {
      const properties = Object.fromEntries(Object.entries(parameters).map(([key, type]) => [key, { type }]));
      return { name, parameters: { type: "object", properties } };
    }),
  });
}

/** Reads the text cut at the given places. `letThrough` hears what is visible before the end. */
export function readCut(
  vector: Vector,
  cuts: readonly number[],
  letThrough: (shown: string, wasThinking: boolean) => void = () => {},
): Outcome {
  const reader = readerFor(vector);
  const pieces: ReplyPiece[] = [];
  const places = [0, ...cuts, vector.text.length];
  for (let i = 1; i < places.length; i++) {
    const delta = vector.text.slice(places[i - 1], places[i]);
    pieces.push(...(vector.field ? reader.pushReasoning(delta) : reader.push(delta)));
  }
  letThrough(
    outcomeOf(pieces).shown,
    pieces.some(({ kind }) => kind === "was_thinking"),
  );
  pieces.push(...reader.end());
  return outcomeOf(pieces);
}

export function outcomeOf(pieces: readonly ReplyPiece[]): Outcome {
  const outcome: Outcome = { calls: [], shown: "", reasoning: "" };
  for (const piece of pieces) {
    if (piece.kind === "text") outcome.shown += piece.text;
    else if (piece.kind === "thinking") outcome.reasoning += piece.text;
    else if (piece.kind === "call") outcome.calls.push({ name: piece.name, arguments: piece.arguments });
    else if (piece.kind === "was_thinking") {
      outcome.reasoning += piece.text;
      outcome.shown = "";
    }
  }
  return outcome;
}

/** As the vectors compare: byte for byte where all is text, else without regard to white space. */
export function comparable(outcome: Outcome, { expect }: Vector): Outcome {
  const isExact = expect.calls.length === 0 && expect.reasoning === undefined;
  const { calls, shown, reasoning } = outcome;
  return { calls, shown: isExact ? shown : collapsed(shown), reasoning: collapsed(reasoning) };
}

export function expected(vector: Vector): Outcome {
  const { calls, shown, reasoning = "" } = vector.expect;
  return comparable({ calls, shown, reasoning }, vector);
}

export function collapsed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
