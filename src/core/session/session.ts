import type { ModelRequest } from "../../model/types.ts";
import type { Emit, TurnContext, TurnEvent } from "../../protocol/events.ts";
import { type Item, type MessageItem, type Part, textOf, userText } from "../../protocol/items.ts";
import { type Speed, subtractUsage, type Usage } from "../../protocol/usage.ts";
import { AppError, toAppError, toErrorInfo } from "../../util/errors.ts";
import { ChildAgents } from "../agents/engine.ts";
import type { AgentPlan } from "../agents/types.ts";
import { budgetReminder } from "../turn/budget.ts";
import { type CallDeps, CallExecutor } from "../turn/calls.ts";
import { compact } from "../turn/compact.ts";
import { History } from "../turn/history.ts";
import { dueItems, lastWords } from "../turn/last-words.ts";
import { Ledger } from "../turn/ledger.ts";
import { Outgoing } from "../turn/outgoing.ts";
import { PlanTracker } from "../turn/plan-tracker.ts";
import { buildRequest, fixedTokens } from "../turn/request.ts";
import { Steering } from "../turn/steering.ts";
import { TimeLeft } from "../turn/time-left.ts";
import { runTurn, type TurnDeps } from "../turn/turn.ts";
import { ABORTED, abortReason } from "../turn/turn-abort.ts";
import { awaitWakeup } from "../turn/wakeup-wait.ts";
import { withWrittenCalls } from "../turn/written-calls.ts";
import { EventBus } from "./bus.ts";
import type { SessionParts } from "./session-parts.ts";

export type TurnOutcome = {
  status: "completed" | "failed" | "aborted" | "over_budget";
  lastMessage?: string;
};

/** One conversation: its history, its settings and at most one running turn. */
export class Session implements AsyncDisposable {
  readonly #parts: SessionParts;
  readonly #bus: EventBus;
  readonly #history: History;
  readonly #ledger: Ledger;
  readonly #outgoing: Outgoing;
  readonly #emit: Emit;
  readonly #calls: Omit<CallDeps, "bind" | "plan">;
  /** Absent where there are none. */
  readonly agents: ChildAgents | undefined;
  #running: Running | undefined;
  #itemCount = 0;
  #isClosed = false;
  /** What must wait for the end of the turn: it would come between a call and its result. */
  readonly #untold: { role: MessageItem["role"]; text: string }[] = [];

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#bus = new EventBus(parts.onBug);
    this.#emit = (event) => {
      if (!this.#isClosed) this.#bus.emit(event);
    };
    this.#history = new History(parts.history, this.#emit);
    this.#outgoing = new Outgoing(parts.log);
    this.#ledger = new Ledger({
      usage: parts.usage,
      budget: parts.budget,
      fixedTokens: () => fixedTokens(parts.harness),
    });
    const { settings } = parts;
    const approvals = () => settings.approvals;
    const { policy, isPlanning } = parts;
    this.#calls = { ...parts.calls, approvals, policy, isPlanning, newId: this.#newId };
    this.agents = parts.agents && this.#childAgents(parts.agents);
  }

  get id(): string {
    return this.#parts.facts.id;
  }

  subscribe(listener: Emit): Disposable {
    return this.#bus.subscribe(listener);
  }

  /** Announces the session to its listeners; call it once they are subscribed. */
  start(warnings: readonly string[]): void {
    this.#emit({ type: "session.started", session: this.#parts.facts });
    for (const message of warnings) this.#emit({ type: "warning", message });
  }

  get items(): readonly Item[] {
    return this.#history.items;
  }

  /** Takes over what was said elsewhere, before the first turn. */
  recall(items: readonly Item[]): void {
    for (const item of items) this.#history.append(item);
  }

  warn(message: string): void {
    this.#emit({ type: "warning", message });
  }

  /** Lets the model know something with its next request. Starts no turn and is shown to nobody. */
  tell(role: MessageItem["role"], text: string): void {
    if (this.#running && role === "user") this.#running.steered.add([{ type: "input_text", text }], "noted");
    else if (this.#running) this.#untold.push({ role, text });
    else this.#append(role, text);
  }

  /** Counts an answer that is not part of the conversation. */
  countAside(usage: Usage): void {
    this.#ledger.accountChild(usage);
  }

  /** Shows an item that no turn made, such as a command of the user's own. */
  show(event: TurnEvent): void {
    this.#emit(event);
  }

  /** Starts a turn, or steers the one that runs; resolves when that turn has ended. */
  submit(input: Part[]): Promise<TurnOutcome> {
    if (this.#running) {
      this.#running.steered.add(input, "spoken");
      this.#running.spoken?.resolve();
      return this.#running.outcome;
    }
    const running: Running = {
      control: new AbortController(),
      steered: new Steering(),
      outcome: Promise.resolve({ status: "completed" }),
    };
    this.#running = running;
    running.outcome = this.#turn(input, running).finally(() => {
      this.#running = undefined;
      for (const { role, text } of this.#untold.splice(0)) this.#append(role, text);
    });
    return running.outcome;
  }

  #append(role: MessageItem["role"], text: string): void {
    this.#history.append({ type: "message", role, content: [{ type: "input_text", text }] });
  }

  async interrupt(reason: "interrupted" | "shutdown" | "deadline" = "interrupted"): Promise<void> {
    this.#running?.control.abort(reason);
    await Promise.all([this.#running?.outcome, this.agents?.interruptAll()]);
  }

  /** Replaces history by a summary. Throws AppError. */
  async compact(signal: AbortSignal): Promise<void> {
    await this.#compact(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt("shutdown");
    await this.agents?.[Symbol.asyncDispose]();
    this.#isClosed = true;
  }

  async #turn(input: Part[], running: Running): Promise<TurnOutcome> {
    const { signal } = running.control;
    const turnId = this.#parts.newTurnId();
    const startedAt = this.#parts.now();
    const before = this.#ledger.total;
    const plan = new PlanTracker(this.#emit, this.#newId);
    this.#emit({ type: "turn.started", context: this.#context(turnId), input });
    try {
      if (this.#isNearLimit() && !this.#ledger.budget.reached) await this.#compact(signal);
      this.#addContext(this.#parts.freshContext());
      this.#history.append({ type: "message", role: "user", content: input });
      this.#addContext(this.#parts.harness.afterFirst ?? []);
      this.#addContext((await this.#parts.mentioned?.(input)) ?? []);
      const lastMessage = await runTurn(this.#history, this.#turnDeps(running, plan), this.#emit, signal);
      plan.close();
      const usage = subtractUsage(this.#ledger.total, before);
      const durationMs = this.#parts.now() - startedAt;
      this.#emit({
        type: "turn.completed",
        turnId,
        usage,
        durationMs,
        ...(lastMessage ? { lastMessage } : {}),
      });
      return { status: "completed", ...(lastMessage ? { lastMessage } : {}) };
    } catch (cause) {
      plan.close();
      // Who hears that the turn was stopped takes it that nothing of it runs on.
      if (signal.aborted) await this.agents?.interruptAll();
      return this.#ended(turnId, cause, signal);
    }
  }

  #ended(turnId: string, cause: unknown, signal: AbortSignal): TurnOutcome {
    if (signal.aborted) {
      const reason = abortReason(signal.reason);
      this.#history.append(userText(ABORTED));
      this.#emit({ type: "turn.aborted", turnId, reason });
      return { status: "aborted" };
    }
    const error = toAppError(cause);
    const { reached } = this.#ledger.budget;
    if (error.code === "budget" && reached) {
      this.#emit({ type: "budget.reached", turnId, ...reached });
      return { status: "over_budget" };
    }
    if (error.code === "bug") this.#parts.onBug(cause);
    this.#emit({ type: "turn.failed", turnId, error: toErrorInfo(error) });
    return { status: "failed" };
  }

  #turnDeps(running: Running, plan: PlanTracker): TurnDeps {
    const { signal } = running.control;
    const { model, harness, settings, extras } = this.#parts;
    const own = {
      ...(this.agents ? { agents: this.agents } : {}),
      sessions: { read: (id: string) => this.#readSession(id) },
      usedTokens: () => this.#ledger.usedTokens,
    };
    const context: CallDeps["context"] = (call) => ({ ...this.#calls.context(call), ...own });
    const deps = { ...this.#calls, bind: harness.bind, context, plan };
    const executor = new CallExecutor(deps, this.#emit, signal);
    const words = lastWords(
      { ...this.#parts, verifyPrompt: extras.verifyPrompt, ledger: this.#ledger },
      signal,
    );
    const timeLeft = extras.deadline ? new TimeLeft(extras.deadline) : undefined;
    return {
      request: async () => {
        if (executor.stop) throw executor.stop;
        this.#addContext((await this.#parts.mentioned?.(running.steered.words())) ?? []);
        this.#heedBudget();
        if (this.#isNearLimit()) {
          await this.#compact(signal);
          this.#heedBudget();
        }
        for (const item of dueItems(this.#parts, this.#history.items, timeLeft)) this.#history.append(item);
        return this.#request(this.#history.items, "turn");
      },
      stream: withWrittenCalls(model.stream, harness.textProtocol),
      isOver: () => harness.isOver?.(this.#history.items) === true,
      execute: (call) => executor.execute(call),
      resultOrder: harness.layout.resultOrder ?? "call",
      steer: () => running.steered.take(),
      beforeStop: async () => {
        const reply = harness.reply?.(this.#history.items);
        if (reply !== undefined) return [{ type: "input_text", text: reply }];
        const woken = await this.#awaitWakeup(running);
        if (woken) return woken;
        const spoken = new AbortController();
        running.spoken = { resolve: () => spoken.abort() };
        return (await words(spoken.signal)) ?? running.steered.takeOne();
      },
      shrink: () => this.#shrink(signal),
      amend: (error) => this.#amend(error),
      account: (usage, speed) => this.#account(usage, speed),
      newId: this.#newId,
      retries: { stream: model.streamRetries, empty: 2, baseMs: 200, maxMs: 30_000 },
      hideReasoning: settings.hideReasoning,
    };
  }

  /** The prompt of a wake-up that was due, or what the user said before it was. */
  async #awaitWakeup(running: Running): Promise<Part[] | undefined> {
    const { wakeup, now, extras } = this.#parts;
    if (!wakeup?.next || this.#ledger.budget.reached) return undefined;
    const { control, steered } = running;
    const spoken = Promise.withResolvers<void>();
    running.spoken = { resolve: () => spoken.resolve() };
    const endsAt = extras.deadline?.endsAt;
    const say = (message: string) => this.warn(message);
    const options = { now, endsAt, say, spoken: spoken.promise };
    return (await awaitWakeup(wakeup, options, control.signal)) ?? steered.takeOne();
  }

  async #readSession(id: string): Promise<readonly Item[] | undefined> {
    if (id === this.id) return this.#history.items;
    return this.agents?.historyOf(id) ?? (await this.#parts.sessions?.read(id));
  }

  #childAgents(plan: AgentPlan): ChildAgents {
    return new ChildAgents(plan, {
      sessionId: this.id,
      settings: this.#parts.settings,
      context: this.#parts.freshContext,
      budget: this.#ledger.budget,
      newItemId: this.#newId,
      emit: this.#emit,
      items: () => this.#history.items,
      spend: (usage) => this.#ledger.accountChild(usage),
    });
  }

  #request(items: readonly Item[], purpose: "turn" | "summary"): ModelRequest {
    const { model, harness, settings } = this.#parts;
    this.#ledger.send(this.#history.items.length);
    const room = model.info.contextWindow - this.#ledger.windowTokens(this.#history.items);
    const source = { sessionId: this.id, model, harness, settings, room };
    return buildRequest(source, this.#outgoing.prepare(items), purpose);
  }

  #amend(error: AppError): boolean {
    if (!this.#outgoing.learn(error, this.#history.items)) return false;
    this.#emit({
      type: "warning",
      message: `the model server refused the images sent so far, so they are left out: ${error.message.slice(0, 200)}`,
    });
    return true;
  }

  /** Throws when the budget is used up; what is nearly used up is said once, to the user and to the model. */
  #heedBudget(): void {
    this.#refuseOverBudget();
    const { budget } = this.#ledger;
    const warnings = budget.takeWarnings();
    for (const message of warnings) this.#emit({ type: "warning", message });
    if (warnings.length > 0) this.#history.append(budgetReminder(warnings));
  }

  #refuseOverBudget(): void {
    const { reached } = this.#ledger.budget;
    if (reached) throw new AppError("budget", reached.message);
  }

  #context(turnId: string): TurnContext {
    const { model, harness, settings } = this.#parts;
    const { cwd, approvals, sandboxMode, sandbox, effort } = settings;
    return {
      turnId,
      cwd,
      provider: model.provider,
      model: model.info.id,
      harness: harness.id,
      approvals,
      sandboxMode,
      sandbox,
      ...(effort ? { effort } : {}),
    };
  }

  /** Adds the fragments that history does not hold yet in just this form. */
  #addContext(items: readonly Item[]): void {
    const known = new Set(this.#history.items.map(fragmentText));
    for (const item of items) if (!known.has(fragmentText(item))) this.#history.append(item);
  }

  #account(usage: Usage | undefined, speed?: Speed): void {
    const last = this.#ledger.account(usage, this.#history.items);
    const { contextWindow } = this.#parts.model.info;
    const { total } = this.#ledger;
    this.#emit({ type: "usage", turn: last, total, last, contextWindow, ...(speed ? { speed } : {}) });
  }

  #isNearLimit(): boolean {
    const hasMoreThanContext = this.#history.items.some(
      (item) => item.type !== "message" || item.role === "assistant",
    );
    if (!hasMoreThanContext) return false;
    return this.#ledger.windowTokens(this.#history.items) >= this.#parts.settings.compactAt;
  }

  async #shrink(signal: AbortSignal): Promise<boolean> {
    const hasPast = this.#history.items.some(
      (item) => item.type.startsWith("tool_") || (item.type === "message" && item.role === "assistant"),
    );
    if (!hasPast) return false;
    await this.#compact(signal);
    return true;
  }

  async #compact(signal: AbortSignal): Promise<void> {
    const { harness, model, settings, freshContext } = this.#parts;
    const before = this.#ledger.windowTokens(this.#history.items);
    const { history, summary } = await compact(
      this.#history.items,
      {
        request: async (items) => this.#request(items, "summary"),
        stream: model.stream,
        account: (usage) => this.#account(usage),
        freshContext,
        afterFirst: harness.afterFirst ?? [],
        prompt: settings.compactPrompt,
        tag: harness.compaction?.tag,
        keptUserTokens: settings.keptUserTokens,
      },
      signal,
    );
    this.#history.replace(history);
    this.#ledger.restart();
    const after = this.#ledger.windowTokens(history);
    this.#emit({ type: "compacted", before, after, summary, history });
  }

  readonly #newId = (): string => this.#parts.newItemId?.() ?? `item-${++this.#itemCount}`;
}

type Running = {
  control: AbortController;
  steered: Steering;
  /** To be resolved when the user says something while the turn waits. */
  spoken?: { resolve(): void };
  outcome: Promise<TurnOutcome>;
};

function fragmentText(item: Item): string {
  return item.type === "message" ? `${item.role}:${textOf(item.content)}` : "";
}
