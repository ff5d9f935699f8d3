import type { ApprovalSubject, Approver } from "../../protocol/approvals.ts";
import type { CommandHost } from "../../protocol/command-host.ts";
import type { Emit, ItemId } from "../../protocol/events.ts";
import type { Part, ToolCall, ToolResultItem } from "../../protocol/items.ts";
import type { Sandbox, SandboxPolicy } from "../../protocol/policy.ts";
import type { ApprovalPolicy } from "../../protocol/settings.ts";
import type { ApprovalMemory } from "../../safety/approvals.ts";
import { decide } from "../../safety/decide.ts";
import { offeredRule } from "../../safety/prefix-rules.ts";
import type { Prepared, PreparedCall, RunContext, ToolContext, ToolResult } from "../../tools/types.ts";
import { SharedLock, settleAfterAbort } from "../../util/async.ts";
import { AppError, toAppError } from "../../util/errors.ts";
import { LoopGuard } from "./loop-guard.ts";
import type { PlanTracker } from "./plan-tracker.ts";
import { ShownItem } from "./shown-item.ts";
import { truncateContent } from "./truncate.ts";

/** A call that was understood: its tool, ready to be prepared. */
export type BoundCall = {
  /** May run beside other parallel calls. */
  parallel: boolean;
  isTrustedMcpTool?: boolean;
  isReadingMcpTool?: boolean;
  /** How much of the output is kept, in place of the usual budget. */
  outputLimit?: ToolContext["outputLimit"];
  /** The tools that are kept back from the model that makes this call. */
  catalog?: ToolContext["catalog"];
  prepare(ctx: ToolContext): Promise<Prepared>;
  /** What the model reads, from the tool's result. */
  render(result: ToolResult): Part[];
};

export type CallDeps = {
  /** The model's tool name and arguments to one of our tools, or a text that tells the model what is wrong. */
  bind(call: ToolCall): Promise<BoundCall | { problem: string }>;
  context(call: ToolCall): ToolContext;
  approvals(): ApprovalPolicy;
  policy(): SandboxPolicy;
  isPlanning(): boolean;
  sandbox: Sandbox;
  /** Runs commands in our place, in a session without a sandbox. */
  host?: CommandHost | undefined;
  approver: Approver;
  memory: ApprovalMemory;
  plan: PlanTracker;
  newId(): ItemId;
  onBug(cause: unknown): void;
};

/** Runs the calls of one turn: understand, prepare, decide, ask, run, shape the result. */
export class CallExecutor {
  readonly #deps: CallDeps;
  readonly #emit: Emit;
  readonly #signal: AbortSignal;
  readonly #lock = new SharedLock(MOST_AT_ONCE);
  readonly #guard = new LoopGuard();
  #abort: AppError | undefined;
  #lastBound: Promise<unknown> = Promise.resolve();

  constructor(deps: CallDeps, emit: Emit, signal: AbortSignal) {
    this.#deps = deps;
    this.#emit = emit;
    this.#signal = signal;
  }

  /** Set when the turn must end: the user answered an approval with "abort", or the model goes in circles. */
  get stop(): AppError | undefined {
    return this.#abort ?? this.#guard.stop;
  }

  async execute(call: ToolCall): Promise<ToolResultItem> {
    const startedAt = performance.now();
    const work = this.#run(call).catch((cause: unknown) => this.#fromThrow(call, cause, startedAt));
    return settleAfterAbort(work, () => aborted(call, startedAt), ABORT_GRACE_MS, this.#signal);
  }

  async #run(call: ToolCall): Promise<ToolResultItem> {
    const bound = await this.#bind(call);
    if ("problem" in bound) return this.#answer(call, refusal(bound.problem));
    return this.#lock.run(!bound.parallel, async () => {
      this.#signal.throwIfAborted();
      const { outputLimit, catalog } = bound;
      const own = { ...(outputLimit ? { outputLimit } : {}), ...(catalog ? { catalog } : {}) };
      const ctx = { ...this.#deps.context(call), ...own };
      const prepared = await bound.prepare(ctx);
      const result =
        "refused" in prepared ? prepared.refused : await this.#perform(call, prepared.ready, bound, ctx);
      return this.#answer(call, result, capped(bound.render(result), ctx.outputLimit));
    });
  }

  /** One after the other: loading a tool takes its time, and calls must stand in line in the order of the model. */
  #bind(call: ToolCall): ReturnType<CallDeps["bind"]> {
    const bound = this.#lastBound.then(() => this.#deps.bind(call));
    this.#lastBound = bound.catch(() => {});
    return bound;
  }

  #answer(call: ToolCall, result: ToolResult, content = result.content): ToolResultItem {
    const hint = this.#guard.watch(call, result);
    const { ok } = result;
    return {
      type: "tool_result",
      callId: call.callId,
      ok,
      content: hint ? [...content, note(hint)] : content,
    };
  }

  async #perform(
    call: ToolCall,
    ready: PreparedCall,
    bound: BoundCall,
    ctx: ToolContext,
  ): Promise<ToolResult> {
    const allowed = await this.#allow(call, ready, bound);
    if ("refusal" in allowed) return refusal(allowed.refusal);
    const { sandbox, host } = this.#deps;
    const item = new ShownItem(this.#deps.newId(), call.callId, this.#emit);
    // One command that may leave the sandbox does not make it a session without: it stays with us.
    const isHosted = host !== undefined && this.#deps.policy().mode === "off";
    const run: RunContext = {
      ...ctx,
      signal: this.#signal,
      policy: allowed.policy,
      sandbox,
      ...(isHosted ? { host } : {}),
      item,
    };
    item.open(ready.shown);
    try {
      const result = await ready.run(run);
      if (result.detail.kind === "plan") this.#deps.plan.show(result.detail.steps);
      else if (!result.open) item.close(result.detail, result.status ?? (result.ok ? "completed" : "failed"));
      return result;
    } catch (cause) {
      item.close(ready.shown, "failed");
      throw cause;
    }
  }

  async #allow(
    call: ToolCall,
    ready: PreparedCall,
    bound: BoundCall,
  ): Promise<{ policy: SandboxPolicy } | { refusal: string }> {
    const { approver, memory } = this.#deps;
    const { subject } = ready;
    const verdict = decide({
      access: ready.access,
      subject,
      escalate: ready.escalate,
      approvals: this.#deps.approvals(),
      policy: this.#deps.policy(),
      isTrustedMcpTool: bound.isTrustedMcpTool,
      isReadingMcpTool: bound.isReadingMcpTool,
      isPlanning: this.#deps.isPlanning(),
    });
    if (verdict.verdict === "run") return { policy: verdict.policy };
    if (verdict.verdict === "refuse") return { refusal: verdict.text };
    if (memory.covers(subject)) return { policy: verdict.policy };
    const leavesSandbox = verdict.policy.mode === "off" && this.#deps.policy().mode !== "off";
    const request = {
      id: this.#deps.newId(),
      callId: call.callId,
      reason: verdict.reason,
      ...(leavesSandbox ? { leavesSandbox } : {}),
      ...offered(subject),
    };
    this.#emit({ type: "approval.requested", request });
    const decision = await approver.ask(request, this.#signal);
    this.#emit({ type: "approval.resolved", id: request.id, decision });
    memory.note(subject, decision);
    switch (decision.decision) {
      case "approved":
      case "approved_for_session":
      case "approved_always":
      case "approved_with_rule":
        return { policy: verdict.policy };
      case "denied":
        return { refusal: decision.message ?? "the user denied this call" };
      case "abort":
        this.#abort = new AppError("approval.denied", "the user denied a call and stopped the turn");
        return { refusal: "the user denied this call and stopped the turn" };
    }
  }

  #fromThrow(call: ToolCall, cause: unknown, startedAt: number): ToolResultItem {
    if (this.#signal.aborted) return aborted(call, startedAt);
    const error = toAppError(cause);
    if (error.code === "bug") this.#deps.onBug(cause);
    const hint = error.hint ? ` (${error.hint})` : "";
    return this.#answer(call, refusal(`${call.name} failed: ${error.message}${hint}`));
  }
}

/** What is asked about: a rule only when it is one that may be offered. */
function offered(subject: ApprovalSubject): ApprovalSubject {
  if (subject.kind !== "command") return subject;
  const { proposedRule, ...rest } = subject;
  const rule = offeredRule(subject.argv, proposedRule);
  return rule === undefined ? rest : { ...rest, proposedRule: rule };
}

const ABORT_GRACE_MS = 2000;
/** A model may make hundreds of calls in one answer, and each command takes processes and open files. */
const MOST_AT_ONCE = 16;

function aborted(call: ToolCall, startedAt: number): ToolResultItem {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const content = [note(`aborted by user after ${seconds}s`)];
  return { type: "tool_result", callId: call.callId, ok: false, content };
}

function refusal(text: string): ToolResult {
  return { ok: false, content: [note(text)], detail: { kind: "none" } };
}

function note(text: string): Part {
  return { type: "input_text", text };
}

/** A last bound on what one call adds to history; a tool that cuts its own output stays well below. */
function capped(content: readonly Part[], { unit, limit }: ToolContext["outputLimit"]): Part[] {
  return truncateContent(content, { unit, limit: Math.ceil(limit * 1.2) + 500 });
}
