import { type ToolCall, textOf } from "../../protocol/items.ts";
import type { Answer, Entry, Outcome, Piece } from "../dialogue.ts";
import type { ModelRequest } from "../types.ts";

/**
 * Failed calls of tools that are not offered, sent as calls of the tool that `layout.unknownCall` names, so that the model
 * sees its mistake and not a tool that might exist. Calls whose name was only spelled differently have run and stay.
 */
export function renamedUnknown(entries: readonly Entry[], { tools, layout }: ModelRequest): Entry[] {
  const { unknownCall } = layout;
  const offered = new Set(tools.map(({ name }) => name.toLowerCase()));
  return entries.map((entry) =>
    entry.kind === "answer" && unknownCall !== undefined ? renamedIn(entry, offered, unknownCall) : entry,
  );
}

function renamedIn(answer: Answer, offered: ReadonlySet<string>, name: string): Answer {
  const renamed = new Map<Piece, ToolCall>();
  for (const { call, result } of answer.results) {
    if (offered.has(call.name.toLowerCase()) || result === undefined || result.ok) continue;
    const raw = JSON.stringify({ tool: call.name, error: textOf(result.content) });
    renamed.set(call, { ...call, name, input: { kind: "json", raw } });
  }
  if (renamed.size === 0) return answer;
  return {
    ...answer,
    pieces: answer.pieces.map((piece) => renamed.get(piece) ?? piece),
    results: answer.results.map(({ call, result }): Outcome => ({ call: renamed.get(call) ?? call, result })),
  };
}
