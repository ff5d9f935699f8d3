import type { AnswerPart, ChatTurn } from "./types.ts";

type Answer = Extract<ChatTurn, { kind: "answer" }>;
type Facts = { model: string; promptTokens: number; loadNs: number; calls: "own" | "last"; hasIds: boolean };
type Line = Record<string, unknown>;

/** The lines of an answer (api/types.go): every one has `message.content`, and the last one the counts. */
export function answerLines(answer: Answer, facts: Facts): Line[] {
  const { end = "done" } = answer;
  const calls = callEntries(answer.parts, facts);
  const lines = answer.parts.flatMap((part) => partLines(part, facts, calls));
  if (end === "done") lines.push(lastLine(answer, facts, facts.calls === "last" ? [...calls.values()] : []));
  if (typeof end === "object") lines.push({ error: end.error });
  return lines;
}

/** The same answer for `stream: false`: one object; a stream that misses its end is an object that is not done. */
export function answerObject(answer: Answer, facts: Facts): Line {
  const calls = [...callEntries(answer.parts, facts).values()];
  const text = (type: AnswerPart["type"]) =>
    answer.parts.map((part) => (part.type === type && "text" in part ? part.text : "")).join("");
  const thinking = text("thinking");
  const message = {
    role: "assistant",
    content: text("text"),
    ...(thinking === "" ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  if (answer.end === "eof") return { ...head(facts), message, done: false };
  return { ...lastLine(answer, facts, []), message };
}

/** Load and unload calls have no messages (server/routes.go). */
export function emptyAnswer(model: string, reason: "load" | "unload"): Line {
  return {
    model,
    created_at: CREATED_AT,
    message: { role: "assistant", content: "" },
    done_reason: reason,
    done: true,
  };
}

const CREATED_AT = "2026-08-21T10:00:00.123456789Z";

function head({ model }: Facts): Line {
  return { model, created_at: CREATED_AT };
}

function partLines(part: AnswerPart, facts: Facts, calls: ReadonlyMap<AnswerPart, Line>): Line[] {
  const line = (message: Line) => ({
    ...head(facts),
    message: { role: "assistant", ...message },
    done: false,
  });
  switch (part.type) {
    case "text":
      return halves(part.text).map((content) => line({ content }));
    case "thinking":
      return halves(part.text).map((thinking) => line({ content: "", thinking }));
    case "call":
      // A call is never cut into pieces: it stands whole in one line.
      return facts.calls === "last" ? [] : [line({ content: "", tool_calls: [calls.get(part)] })];
  }
}

function callEntries(parts: readonly AnswerPart[], { hasIds }: Facts): Map<AnswerPart, Line> {
  const entries = new Map<AnswerPart, Line>();
  for (const part of parts) {
    if (part.type !== "call") continue;
    const index = entries.size;
    const id = `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 8)}`;
    const fn = { index, name: part.name, arguments: part.input };
    entries.set(part, { ...(hasIds ? { id } : {}), function: fn });
  }
  return entries;
}

/** Calls end with "stop", too. Counts of zero are left out. */
function lastLine(answer: Answer, facts: Facts, calls: readonly Line[]): Line {
  const counts = {
    total_duration: facts.loadNs + 2_000_000_000,
    ...(facts.loadNs > 0 ? { load_duration: facts.loadNs } : {}),
    prompt_eval_count: facts.promptTokens,
    prompt_eval_duration: 1_000_000_000,
    eval_count: 20,
    eval_duration: 500_000_000,
  };
  return {
    ...head(facts),
    message: { role: "assistant", content: "", ...(calls.length > 0 ? { tool_calls: calls } : {}) },
    done: true,
    done_reason: answer.reason ?? "stop",
    ...(answer.counts === false ? {} : counts),
  };
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
}
