import type { ModelEvent, ModelRequest } from "../../model/types.ts";
import type { Emit, ItemId } from "../../protocol/events.ts";
import type { Part, ToolCall, ToolResultItem } from "../../protocol/items.ts";
import type { Speed, Usage } from "../../protocol/usage.ts";
import { sleep } from "../../util/async.ts";
import { AppError, toAppError, toErrorInfo } from "../../util/errors.ts";
import { failedResult, type History } from "./history.ts";
import { Reply } from "./reply.ts";

/** Everything a turn needs from the world, so that a test fakes it in a dozen lines. */
export interface TurnDeps {
  request(): Promise<ModelRequest>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Starts one call; resolves with its result. Never rejects for a failure of the tool. */
  execute(call: ToolCall): Promise<ToolResultItem>;
  /** What the user said meanwhile; taken once. */
  steer(): readonly Part[][];
  /** The results of its calls are the end of the turn. */
  isOver?(): boolean;
  /** The model has nothing left to do: what it must still hear, if anything, before the turn ends. */
  beforeStop(lastMessage: string | undefined): Promise<Part[] | undefined>;
  /** The request did not fit into the context window: make history smaller. False when that can't help. */
  shrink(): Promise<boolean>;
  /** The request was refused: true when the next one will leave out what the server did not take. */
  amend(error: AppError): boolean;
  account(usage: Usage | undefined, speed?: Speed): void;
  newId(): ItemId;
  /** In which order the results of one answer enter history. */
  resultOrder?: "call" | "completion";
  retries: RetryPlan;
  hideReasoning: boolean;
}

/** How often a broken answer is asked for again. Delays in ms. */
export type RetryPlan = { stream: number; empty: number; baseMs: number; maxMs: number };

/** Asks the model, runs its calls, asks again, until it has nothing more to do. Throws AppError; history stays valid. */
export async function runTurn(
  history: History,
  deps: TurnDeps,
  emit: Emit,
  signal: AbortSignal,
): Promise<string | undefined> {
  let lastMessage: string | undefined;
  try {
    for (;;) {
      takeSteering(history, deps);
      const answer = await sample(history, deps, emit, signal);
      lastMessage = answer.lastMessage ?? lastMessage;
      if (answer.callCount > 0 && !deps.isOver?.()) continue;
      if (takeSteering(history, deps)) continue;
      const more = await deps.beforeStop(lastMessage);
      if (!more) return lastMessage;
      history.append({ type: "message", role: "user", content: more });
    }
  } finally {
    history.answerOpenCalls("aborted");
  }
}

function takeSteering(history: History, deps: TurnDeps): boolean {
  const inputs = deps.steer();
  for (const content of inputs) history.append({ type: "message", role: "user", content });
  return inputs.length > 0;
}

type Answer = { lastMessage: string | undefined; callCount: number };

/** One answer of the model, with its calls run, asked for again while it breaks in a way that may pass. */
async function sample(history: History, deps: TurnDeps, emit: Emit, signal: AbortSignal): Promise<Answer> {
  const reply = new Reply(emit, deps.newId, deps.hideReasoning);
  let attempt = 0;
  let hasShrunk = false;
  for (;;) {
    const calls = new CallRunner(history, deps);
    try {
      return await ask(history, deps, reply, calls, signal);
    } catch (cause) {
      await calls.finish(true);
      if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
      reply.tear();
      const error = toAppError(cause);
      if (error.code === "model.context_window" && !hasShrunk && (await deps.shrink())) {
        hasShrunk = true;
        continue;
      }
      if (deps.amend(error)) continue;
      attempt += 1;
      await waitToRetry(error, attempt, deps.retries, emit, signal);
    }
  }
}

async function ask(
  history: History,
  deps: TurnDeps,
  reply: Reply,
  calls: CallRunner,
  signal: AbortSignal,
): Promise<Answer> {
  const request = await deps.request();
  for await (const event of deps.stream(request, signal)) {
    if (event.type !== "item") {
      reply.take(event);
      continue;
    }
    history.append(event.item); // what a person sees as done must already be recorded
    reply.show(event.item);
    if (event.item.type === "tool_call") calls.add(event.item);
  }
  signal.throwIfAborted();
  const { ending } = reply;
  deps.account(ending?.usage, ending?.speed);
  const callCount = await calls.finish(ending?.stop === "length");
  if (ending?.stop === "length" && callCount === 0) throw incomplete(ending.detail);
  return { lastMessage: reply.lastMessage, callCount };
}

/** Rethrows the error when it is final or the attempts are used up. */
async function waitToRetry(
  error: AppError,
  attempt: number,
  plan: RetryPlan,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const most = error.code === "model.empty" ? Math.min(plan.empty, plan.stream) : plan.stream;
  if (!error.retryable || attempt > most) throw error;
  const delayMs = error.retryAfterMs ?? backoffMs(plan, attempt);
  emit({ type: "retrying", attempt, of: most, delayMs, error: toErrorInfo(error) });
  await sleep(delayMs, signal);
}

export function backoffMs(plan: { baseMs: number; maxMs: number }, attempt: number): number {
  return Math.min(plan.maxMs, plan.baseMs * 2 ** (attempt - 1)) * (0.9 + Math.random() * 0.2);
}

function incomplete(detail: string | undefined): AppError {
  return new AppError(
    "model.incomplete",
    `Incomplete response returned, reason: ${detail ?? "max_output_tokens"}`,
    {
      hint: "raise the output token limit of the model, or ask for a shorter answer",
    },
  );
}

const CUT_CALL =
  "the call was not run: the answer was cut off by the output token limit (length) in the middle of the arguments. " +
  "Make the call again with shorter arguments, or split the work into several calls.";

/**
 * Runs the calls of one answer. A call starts as soon as it is whole; results enter history in the model's order, or as
 * they came where the harness has it so.
 */
class CallRunner {
  readonly #history: History;
  readonly #deps: TurnDeps;
  readonly #calls: { call: ToolCall; result: Promise<ToolResultItem> | undefined }[] = [];

  constructor(history: History, deps: TurnDeps) {
    this.#history = history;
    this.#deps = deps;
  }

  add(call: ToolCall): void {
    // Arguments that don't parse may be cut: what ended the answer decides, so they wait for its end, and so do those
    // after them: a test must not run before the change that it tests.
    const mayStart = isWhole(call) && this.#calls.every(({ result }) => result !== undefined);
    this.#calls.push({ call, result: mayStart ? this.#deps.execute(call) : undefined });
  }

  /** Waits for every result. `isCut`: the answer ended early, so calls that are not whole are answered, not run. */
  async finish(isCut: boolean): Promise<number> {
    const calls = this.#calls.splice(0);
    for (const entry of calls) {
      if (!entry.result) {
        entry.result =
          isCut && !isWhole(entry.call)
            ? Promise.resolve(failedResult(entry.call.callId, CUT_CALL))
            : this.#deps.execute(entry.call);
      }
    }
    const results = calls.flatMap(({ result }) => result ?? []);
    const isAsTheyCame = this.#deps.resultOrder === "completion";
    for (const result of isAsTheyCame ? await inOrderOfEnd(results) : results)
      this.#history.append(await result);
    return calls.length;
  }
}

/** Results that are there already keep the order of their calls. */
async function inOrderOfEnd(results: readonly Promise<ToolResultItem>[]): Promise<ToolResultItem[]> {
  const ended: ToolResultItem[] = [];
  await Promise.all(results.map(async (result) => ended.push(await result)));
  return ended;
}

function isWhole(call: ToolCall): boolean {
  if (call.input.kind === "text") return true;
  try {
    JSON.parse(call.input.raw);
    return true;
  } catch {
    return false;
  }
}
