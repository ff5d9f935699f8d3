import type { LoadedConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import type { ThreadChoice } from "../../core/thread.ts";
import type { ApprovalRequest } from "../../protocol/approvals.ts";
import type { TurnEvent } from "../../protocol/events.ts";
import type { Io } from "../../protocol/program.ts";
import { toAppError } from "../../util/errors.ts";
import { GUARD_MS } from "./approval/keys.ts";
import { Approvals } from "./approvals.ts";
import { cellsOfEvent } from "./cells-of-events.ts";
import { COMMANDS } from "./commands/table.ts";
import { Conversation } from "./conversation.ts";
import { perform } from "./effects.ts";
import { Facts } from "./facts.ts";
import type { FileIndex } from "./file-index.ts";
import { frameOf } from "./frame.ts";
import { FrameClock } from "./frame-clock.ts";
import { keymapWith } from "./input/keymap.ts";
import type { InputEvent } from "./input/keys.ts";
import { InputHistory } from "./input-history.ts";
import { liveSettings } from "./live-settings.ts";
import type { TuiRequest } from "./options.ts";
import { Pager } from "./pager/pager.ts";
import type { PickItem } from "./popup/picker.ts";
import type { PagerContent, Port } from "./port.ts";
import { noProgress, Progress } from "./progress.ts";
import { directoryOf, settingsOf } from "./setup.ts";
import { type AppState, INITIAL_STATE, type Step, type Surroundings } from "./state.ts";
import { Terminal } from "./terminal.ts";
import { themeOptions } from "./theme-options.ts";
import { Ticker } from "./ticker.ts";
import { Transcript } from "./transcript.ts";
import { Turns } from "./turns.ts";
import { update } from "./update.ts";
import type { Notice } from "./view/notices.ts";
import { Screen } from "./view/screen.ts";
import { summaryRows } from "./view/summary.ts";
import { makeTheme, type Theme } from "./view/theme.ts";

/** The conversation in the terminal, from the first paint to the summary at the end. */
export class App implements Port {
  readonly io: Io;
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly transcript = new Transcript();
  readonly conversation = new Conversation();
  readonly inputHistory = new InputHistory();
  readonly approvals: Approvals;
  readonly turns: Turns;
  state: AppState = INITIAL_STATE;
  config: LoadedConfig | undefined;
  theme: Theme;
  progress: Progress = noProgress();
  readonly #request: TuiRequest;
  readonly #screen: Screen;
  readonly #clock: FrameClock;
  readonly #ticker: Ticker;
  readonly #facts: Facts;
  readonly #ended = Promise.withResolvers<void>();
  readonly #startedAt = Date.now();
  /** What the user has changed since the start, for this run. */
  #changes: readonly Override[] = [];
  #keymap = keymapWith(undefined);
  #files: FileIndex | undefined;
  #pager: Pager | undefined;
  /** Keys for a question that is still being prepared. */
  #held: InputEvent[] | undefined;
  #question: { resolve(value: string | undefined): void; isLast: boolean } | undefined;
  #isPaintDue = false;
  #isAnimated = true;

  constructor(request: TuiRequest, io: Io) {
    this.io = io;
    this.#request = request;
    this.cwd = directoryOf(request, io);
    this.theme = makeTheme(themeOptions(io.env));
    this.#facts = new Facts(this.cwd, io.env);
    this.terminal = new Terminal({
      input: (event) => this.#input(event),
      resized: () => this.#resized(),
      resumed: () => this.redraw(true),
      leaving: () => this.#screen.clear(),
      lost: () => this.quit(),
    });
    this.#screen = new Screen(this.terminal);
    this.#clock = new FrameClock(
      () => this.#draw(),
      () => this.terminal.isBehind,
    );
    this.#ticker = new Ticker(() => this.#clock.request());
    this.approvals = new Approvals((requests) => this.#asked(requests));
    this.turns = new Turns(this);
  }

  get surroundings(): Surroundings {
    return { keymap: this.#keymap, commands: COMMANDS, now: Date.now() };
  }

  /** Resolves with the exit code when the user has left. Throws AppError when the conversation can't begin. */
  async run(): Promise<number> {
    const { io } = this;
    if (io.signal.aborted) return 0;
    io.signal.addEventListener("abort", () => this.quit(), { once: true });
    this.terminal.open();
    this.#clock.now();
    try {
      await Promise.race([this.#begin(), this.#ended.promise]);
      await this.#ended.promise;
    } finally {
      await this.#close();
    }
    await this.#farewell();
    return 0;
  }

  change(change: Partial<AppState>): void {
    const wasWorking = this.state.turn !== undefined;
    this.state = { ...this.state, ...change };
    if (wasWorking !== (this.state.turn !== undefined)) this.#workChanged();
    this.#clock.request();
  }

  apply({ state, effects }: Step): void {
    this.state = state;
    for (const effect of effects) perform(effect, this);
    this.#paintSoon();
  }

  notice(notice: Notice): void {
    this.transcript.add({ kind: "notice", notice });
    this.#clock.request();
  }

  redraw(isWhole = false): void {
    if (isWhole && !this.#pager) this.#screen.clear();
    this.#clock.now();
  }

  clearScreen(): void {
    this.transcript.clear();
    this.#screen.clear();
    this.terminal.write("\u001b[H\u001b[2J\u001b[3J");
    this.#screen.invalidate();
  }

  async reopen(thread: ThreadChoice, overrides: readonly Override[] = []): Promise<void> {
    this.change({ phase: "opening" });
    try {
      await this.reconfigure(overrides);
      await this.#open(thread);
    } finally {
      this.change({ phase: "ready" });
    }
    this.turns.drain();
  }

  async reconfigure(overrides: readonly Override[]): Promise<LoadedConfig> {
    const changes = [...this.#changes, ...overrides];
    this.config = await settingsOf(this.#request, this.io, this.cwd, changes);
    this.#changes = changes;
    return this.config;
  }

  async files(): Promise<FileIndex> {
    const { FileIndex } = await import("./file-index.ts");
    this.#files ??= new FileIndex(this.cwd, this.io.signal);
    return this.#files;
  }

  async page(content: PagerContent): Promise<void> {
    const { terminal, theme } = this;
    const { copyText } = await import("./commands/copy.ts");
    const pager = new Pager({
      surface: terminal,
      theme,
      keys: this.#keymap.pager,
      content,
      copy: (text) => copyText(this, text),
    });
    const size = terminal.columns;
    terminal.setAlternate(true);
    this.#pager = pager;
    pager.draw();
    await pager.closed;
    this.#pager = undefined;
    terminal.setAlternate(false);
    if (terminal.columns !== size) this.#screen.resized();
    this.#clock.now();
  }

  async pick(question: { title: string; items: readonly PickItem[]; isLast: boolean }) {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#question = { resolve, isLast: question.isLast };
    this.change({ picker: { title: question.title, items: question.items, query: "", selected: 0 } });
    this.release();
    this.#paintSoon();
    return await promise;
  }

  picked(value: string | undefined): void {
    const question = this.#question;
    this.#question = undefined;
    if (question && !question.isLast && value !== undefined) this.hold();
    question?.resolve(value);
  }

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.#input(event);
  }

  quit(): void {
    this.#ended.resolve();
  }

  async #begin(): Promise<void> {
    this.config = await settingsOf(this.#request, this.io, this.cwd, this.#changes);
    const { values, home } = this.config;
    const { keymap, isAnimated } = liveSettings(values.tui, this.io.env);
    this.#keymap = keymapWith(keymap);
    this.#isAnimated = isAnimated;
    this.#facts.configured(this.config);
    this.change({ phase: "opening" });
    this.#clock.now();
    const settings = {
      home,
      isOn: values.history.persistence !== "none",
      maxBytes: values.history.max_bytes,
    };
    const entries = await this.inputHistory.open(settings, this.cwd);
    this.change({ history: [...this.state.history, ...entries] });
    const { thread } = this.#request;
    await this.#open(thread.kind === "pick" ? { kind: "last", all: thread.all } : thread);
    this.#sayFirst();
  }

  #sayFirst(): void {
    const { options, prompt } = this.#request;
    const images = options.values("image").flatMap((list) => list.split(",").filter((file) => file !== ""));
    if (prompt !== undefined || images.length > 0) this.turns.start({ text: prompt ?? "", images });
    else this.turns.drain();
  }

  /** Opens a session; what goes wrong is said, and the user can choose another model or leave. */
  async #open(thread: ThreadChoice): Promise<void> {
    const { config, io, cwd } = this;
    if (!config) return;
    try {
      const opened = await this.conversation.open(
        {
          config,
          env: io.env,
          cwd,
          source: "tui",
          thread,
          isEphemeral: false,
          approver: this.approvals,
          extras: {},
          signal: io.signal,
        },
        (event) => this.#take(event),
      );
      this.progress = new Progress(opened.usageBefore, Date.now);
      this.#facts.opened(opened);
      this.#screen.commit(this.#facts.header(this.terminal.columns, this.theme));
      for (const text of opened.notices) this.notice({ level: "info", text });
      opened.session.start(opened.warnings);
      this.change({ phase: "ready" });
    } catch (cause) {
      const { message, hint } = toAppError(cause);
      this.notice({ level: "error", text: message, ...(hint === undefined ? {} : { hint }) });
      this.change({ phase: "ready" });
    }
  }

  #take(event: TurnEvent): void {
    this.transcript.take(event);
    this.progress.take(event);
    this.turns.take(event);
    for (const cell of cellsOfEvent(event)) this.transcript.add(cell);
    this.#clock.request();
  }

  #asked(requests: readonly ApprovalRequest[]): void {
    const known = this.state.approvals;
    const approvals = requests.map(
      (request) =>
        known.find((one) => one.request.id === request.id) ?? {
          request,
          stage: "choose" as const,
          isFull: false,
        },
    );
    this.change({ approvals });
  }

  #input(event: InputEvent): void {
    if (this.#pager) this.#pager.take(event);
    else if (this.#held) this.#held.push(event);
    else this.apply(update(this.state, event, this.surroundings));
  }

  /** Several keys may come with one read: they are drawn together, at once. */
  #paintSoon(): void {
    if (this.#isPaintDue) return;
    this.#isPaintDue = true;
    queueMicrotask(() => {
      this.#isPaintDue = false;
      this.#clock.now();
    });
  }

  #workChanged(): void {
    if (!this.state.turn) this.#ticker.stop();
    else if (this.#isAnimated) this.#ticker.start(SPINNER_MS);
  }

  #resized(): void {
    if (this.#pager) {
      this.#pager.draw();
      return;
    }
    this.#screen.resized();
    this.#clock.now();
  }

  #draw(): void {
    if (this.#pager || this.state.phase === "ending") return;
    this.#openQuestion();
    const { state, theme, terminal, progress } = this;
    const width = terminal.columns;
    this.#screen.commit(this.transcript.commit(width, theme));
    const start = state.phase === "ready" ? [] : this.#facts.header(width, theme);
    const { rows, cursor } = frameOf({
      state,
      width,
      height: terminal.rows,
      theme,
      keymap: this.#keymap,
      live: [...start, ...this.transcript.live(width, theme)],
      working: this.#working(),
      status: this.#facts.status(state, progress),
      background: [],
    });
    this.#screen.paint(rows, cursor);
  }

  #working() {
    const { turn } = this.state;
    if (!turn) return undefined;
    const { activity, outputTokens, tokensPerSecond } = this.progress;
    return {
      activity,
      elapsedMs: Date.now() - turn.startedAt,
      outputTokens,
      tokensPerSecond,
      frame: this.#ticker.count,
      isStopping: turn.isStopping,
    };
  }

  /** A question can be answered a moment after it was first drawn. */
  #openQuestion(): void {
    const [first, ...others] = this.state.approvals;
    if (!first || first.openAt !== undefined) return;
    this.state = { ...this.state, approvals: [{ ...first, openAt: Date.now() + GUARD_MS }, ...others] };
  }

  async #close(): Promise<void> {
    this.state = { ...this.state, phase: "ending" };
    this.#ticker.stop();
    this.#clock.stop();
    this.#screen.commit(this.transcript.commit(this.terminal.columns, this.theme));
    this.#screen.clear();
    this.terminal.close();
    await this.conversation.close();
  }

  async #farewell(): Promise<void> {
    const { progress } = this;
    const rows = summaryRows(
      {
        durationMs: Date.now() - this.#startedAt,
        turns: progress.turnCount,
        usage: progress.total,
        filesChanged: progress.changedFiles.size,
        ...this.#facts.farewell(),
      },
      this.theme,
    );
    if (rows.length > 0) await this.io.stdout.write(`${rows.join("\n")}\n`);
  }
}

const SPINNER_MS = 125;
