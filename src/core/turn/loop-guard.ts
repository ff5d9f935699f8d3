import type { ToolCall } from "../../protocol/items.ts";
import { textOf } from "../../protocol/items.ts";
import type { ToolResult } from "../../tools/types.ts";
import { AppError } from "../../util/errors.ts";

type Outcome = Pick<ToolResult, "ok" | "content" | "fields">;
/** After how many equal calls the model is told, and after how many the turn is stopped. */
type Patience = { hint: number; stop: number };

const FAILING: Patience = { hint: 3, stop: 6 };
/** Some repetition of what works is honest: a test after each change, a look at the same file. */
const SUCCEEDING: Patience = { hint: 12, stop: 30 };

/**
 * Notices a model that makes the same call again and again with the same result. Failures count until something works;
 * successes only in an unbroken row. Waiting for a command that still runs is never counted.
 */
export class LoopGuard {
  readonly #failures = new Map<string, number>();
  #row = { print: "", length: 0 };
  #stop: AppError | undefined;

  /** Set when the turn should end. */
  get stop(): AppError | undefined {
    return this.#stop;
  }

  /** Counts a call that has ended; returns what the model should hear beside the result. */
  watch(call: ToolCall, outcome: Outcome): string | undefined {
    if (outcome.fields?.["processId"] !== undefined) return undefined;
    const count = outcome.ok ? this.#succeeded(call, outcome) : this.#failed(call, outcome);
    const patience = outcome.ok ? SUCCEEDING : FAILING;
    if (count >= patience.stop) this.#stop ??= stuck(call, count, outcome.ok);
    return count < patience.hint ? undefined : hint(count, outcome.ok);
  }

  #succeeded(call: ToolCall, outcome: Outcome): number {
    this.#failures.clear();
    const print = printOf(call, outcome);
    this.#row = { print, length: print === this.#row.print ? this.#row.length + 1 : 1 };
    return this.#row.length;
  }

  #failed(call: ToolCall, outcome: Outcome): number {
    this.#row = { print: "", length: 0 };
    const print = printOf(call, outcome);
    const count = (this.#failures.get(print) ?? 0) + 1;
    this.#failures.set(print, count);
    return count;
  }
}

function hint(count: number, isSuccess: boolean): string {
  return isSuccess
    ? `(This same call has given the same result ${count} times in a row. Go on with what it says, or say what is missing.)`
    : `(This same call has already failed ${count} times with the same result. Making it again changes nothing: read the error, then change the arguments or try another way. To wait for something, wait inside one command.)`;
}

function stuck({ name }: ToolCall, count: number, isSuccess: boolean): AppError {
  const kind = isSuccess ? "same call" : "same failing call";
  return new AppError("model.loop", `stopped: the model made the ${kind} of ${name} ${count} times`, {
    hint: "say in the next prompt what it should do instead, or use another model",
  });
}

function printOf({ name, input }: ToolCall, { content, fields }: Outcome): string {
  return JSON.stringify([name, canonical(input.raw), fields ? lasting(fields) : textOf(content)]);
}

/** JSON without the blanks that differ from call to call. */
function canonical(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return raw.trim();
  }
}

/** How long it took, and which call it was, is not part of what came out. */
function lasting(fields: NonNullable<Outcome["fields"]>): unknown {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (PASSING.has(name)) return [];
    return [[name, typeof value === "string" ? value.replace(DURATION, "#") : value]];
  });
}

const PASSING: ReadonlySet<string> = new Set(["callId", "wallTime", "wallTimeSeconds"]);
const DURATION = /\b\d+(?:\.\d+)? ?(?:ms|s|sec|secs|seconds)\b/g;
