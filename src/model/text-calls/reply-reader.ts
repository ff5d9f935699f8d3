import { Answer, type Ending } from "./answer.ts";
import { type OfferedTool, OfferedTools } from "./offered-tools.ts";
import type { Stretch } from "./outlet.ts";
import type { WrittenCall } from "./written-calls.ts";

/** What became of a piece of the answer. Calls come at the end only: an answer may take back what it seemed to say. */
export type ReplyPiece =
  | Stretch
  | ({ kind: "call" } & WrittenCall)
  /** Stood beside calls that can run, but no such tool was offered. */
  | ({ kind: "refused" } & WrittenCall);

/** Reads one answer of a model, piece by piece. Never throws. */
export interface ReplyReader {
  push(delta: string): ReplyPiece[];
  /** Takes what the server sent as reasoning, in which some models leave their calls. */
  pushReasoning(delta: string): ReplyPiece[];
  /** Gives back what was held, and the calls. */
  end(ending?: Partial<Ending>): ReplyPiece[];
}

/** Tells text, thoughts and printed tool calls apart. Without tools no calls are looked for. */
export function createReplyReader(options: { tools: readonly OfferedTool[] }): ReplyReader {
  const tools = new OfferedTools(options.tools);
  const answer = new Answer(tools, "text");
  const reasoning = new Answer(tools, "reasoning");
  const settle = (): Stretch[] => {
    if (answer.outlet.hasVisible || answer.outlet.hasCalls) reasoning.outlet.dropRehearsal();
    return [...reasoning.outlet.take(), ...answer.outlet.take()];
  };
  return {
    push(delta) {
      answer.push(delta);
      return settle();
    },
    pushReasoning(delta) {
      reasoning.push(delta);
      return settle();
    },
    end({ isCut = false, hasNativeCalls = false } = {}) {
      const ending = { isCut, hasNativeCalls };
      reasoning.end(ending);
      answer.end(ending);
      const { hasVisible, hasCalls } = answer.outlet;
      const runsLast = !isCut && !hasNativeCalls;
      const first = reasoning.outlet.finish(
        runsLast && !hasVisible && !hasCalls && !answer.outlet.hasRehearsal,
      );
      const last = answer.outlet.finish(runsLast);
      const stretches = settle();
      if (hasNativeCalls) return stretches;
      const calls = [...first.calls, ...last.calls].map((call) => ({ kind: "call" as const, ...call }));
      const refused = [...first.refused, ...last.refused].map((call) => ({
        kind: "refused" as const,
        ...call,
      }));
      return calls.length === 0 ? stretches : [...stretches, ...calls, ...refused];
    },
  };
}
