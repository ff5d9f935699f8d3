import { imageFiles } from "../../config/flags.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import type { ThreadChoice } from "../../core/session/thread.ts";
import type { TurnEvent } from "../../protocol/events.ts";
import type { Io } from "../../protocol/program.ts";
import type { Asker as QuestionAsker } from "../../protocol/questions.ts";
import { toAppError } from "../../util/errors.ts";
import { Awaited } from "./awaited.ts";
import { cellsOfEvent } from "./cells-of-events.ts";
import { clipboardSequence, setClipboard } from "./clipboard.ts";
import { firstThread } from "./commands/choose-thread.ts";
import { commandsIn } from "./commands/prompts.ts";
import type { Conversation } from "./conversation.ts";
import { Dialogs } from "./dialogs.ts";
import { perform } from "./effects.ts";
import { Facts } from "./facts.ts";
import type { FileIndex } from "./file-index.ts";
import { askFirst } from "./first-questions.ts";
import { type Frame, frameOf } from "./frame.ts";
import { historyCells } from "./history-cells.ts";
import type { Message } from "./input/composer.ts";
import { actionOf, keymapWith } from "./input/keymap.ts";
import type { InputEvent } from "./input/keys.ts";
import { ownKeymap } from "./input/own-keymap.ts";
import { historySettings, InputHistory } from "./input-history.ts";
import { type LiveSettings, liveSettings } from "./live-settings.ts";
import { backgroundRows, farewellText, Working } from "./live-view.ts";
import { Look } from "./look.ts";
import { Notifier } from "./notify.ts";
import type { TuiRequest } from "./options.ts";
import type { PagerContent, Port } from "./port.ts";
import { Progress } from "./progress.ts";
import type { Asker } from "./prompts/asker.ts";
import { directoryOf, settingsOf, withEnv } from "./setup.ts";
import { turnAside } from "./side.ts";
import { Stage } from "./stage.ts";
import type { AppState, Step, Surroundings } from "./state.ts";
import type { Terminal } from "./terminal.ts";
import { themeOptions } from "./theme-options.ts";
import { Threads } from "./threads.ts";
import { Ticker } from "./ticker.ts";
import type { Transcript } from "./transcript.ts";
import { Turns } from "./turns.ts";
import { update } from "./update.ts";
import { errorNotice, type Notice } from "./view/notices.ts";
import { chosenFacts } from "./view/status-items.ts";
import type { Theme } from "./view/theme.ts";

/** The conversation in the terminal, from the first paint to the summary at the end. */
export class App implements Port {
  io: Io;
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly threads: Threads<Turns>;
  readonly inputHistory = new InputHistory();
  readonly awaited: Awaited;
  readonly dialogs: Dialogs;
  config: LoadedConfig | undefined;
  readonly #request: TuiRequest;
  readonly #look: Look;
  readonly #stage: Stage;
  readonly #ticker: Ticker;
  readonly #working = new Working();
  readonly #notifier: Notifier;
  readonly #ended = Promise.withResolvers<void>();
  readonly #startedAt = Date.now();
  /** What the user has changed since the start, for this run. */
  #changes: readonly Override[] = [];
  #keymap = keymapWith(undefined);
  #files: FileIndex | undefined;
  #live: LiveSettings;

  constructor(request: TuiRequest, io: Io) {
    this.io = io;
    this.#request = request;
    this.cwd = directoryOf(request, io);
    this.#look = new Look(themeOptions(io.env, request.options.has("no-color")), {
      changed: () => this.#stage.request(),
      ask: (sequence) => this.terminal.write(sequence),
    });
    this.#live = liveSettings(undefined, io.env);
    this.threads = new Threads((whenShown) => ({
      turns: new Turns(this, whenShown),
      facts: new Facts(this.cwd, io.env),
    }));
    this.#stage = new Stage({
      isUnicode: this.#look.options.isUnicode ?? true,
      input: (event) => this.#input(event),
      isSuspension: (event) => event.type === "key" && actionOf(this.#keymap.global, event) === "suspend",
      lost: () => this.quit(),
      finished: (width) => this.transcript.commit(width, this.theme),
      frame: (width, height) => this.#frame(width, height),
    });
    this.terminal = this.#stage.terminal;
    this.#notifier = new Notifier(
      (text) => this.terminal.write(text),
      () => this.#live,
      io.env,
    );
    this.#ticker = new Ticker(() => this.#stage.request());
    this.dialogs = new Dialogs({
      surface: this.#stage.promptSurface(this.#look.options),
      give: (event) => this.#input(event),
      released: () => this.#stage.request(),
      signal: io.signal,
    });
    this.awaited = new Awaited(this, this.dialogs, this.#notifier);
  }

  get env(): Io["env"] {
    return this.io.env;
  }

  get signal(): AbortSignal {
    return this.io.signal;
  }

  get theme(): Theme {
    return this.#look.theme;
  }

  get transcript(): Transcript {
    return this.threads.shown.transcript;
  }

  get conversation(): Conversation {
    return this.threads.shown.conversation;
  }

  get turns(): Turns {
    return this.threads.shown.turns;
  }

  get progress(): Progress {
    return this.threads.shown.progress;
  }

  get state(): AppState {
    return this.threads.shown.state;
  }

  get surroundings(): Surroundings {
    const skills = this.conversation.opened?.skills ?? [];
    return { keymap: this.#keymap, commands: commandsIn(this.conversation), skills, now: Date.now() };
  }

  /** Resolves with the exit code when the user has left. Throws AppError when the conversation can't begin. */
  async run(): Promise<number> {
    const { io } = this;
    if (io.signal.aborted) return 0;
    io.signal.addEventListener("abort", () => this.quit(), { once: true });
    this.#stage.open();
    try {
      await Promise.race([this.#begin(), this.#ended.promise]);
      await this.#ended.promise;
    } finally {
      await this.#close();
    }
    const { facts, progress } = this.threads.main;
    const known = { durationMs: Date.now() - this.#startedAt, ...facts.farewell() };
    await io.stdout.write(farewellText(progress, known, this.theme));
    return 0;
  }

  change(change: Partial<AppState>): void {
    const wasWorking = this.state.turn !== undefined;
    this.threads.shown.state = { ...this.state, ...change };
    if (wasWorking !== (this.state.turn !== undefined)) this.#workChanged();
    this.#stage.request();
  }

  apply({ state, effects }: Step): void {
    this.threads.shown.state = state;
    for (const effect of effects) perform(effect, this);
    this.#stage.soon();
  }

  notice(notice: Notice): void {
    this.transcript.add({ kind: "notice", notice });
    this.#stage.request();
  }

  hint(text: string): void {
    this.change({ hint: text });
  }

  ask<T>(work: (asker: Asker) => Promise<T>): Promise<T> {
    return this.dialogs.ask(work);
  }

  get questions(): QuestionAsker {
    return this.awaited.asker;
  }

  send(message: Message): void {
    this.turns.start(message);
  }

  hold(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    return this.turns.hold(work);
  }

  copy(text: string): boolean {
    this.terminal.write(clipboardSequence(text));
    setClipboard(text, this.env);
    return true;
  }

  redraw(isWhole = false): void {
    this.#stage.redraw(isWhole);
  }

  setLight(isLight: boolean): void {
    this.#look.setLight(isLight);
  }

  clearScreen(): void {
    this.transcript.clear();
    this.#stage.clearAll();
  }

  get isAside(): boolean {
    return this.threads.isAside;
  }

  async aside(prompt: string): Promise<void> {
    await turnAside(this, prompt, (choice) => this.#open(choice, true));
    this.turns.drain();
    this.#workChanged();
    this.#stage.request();
  }

  async reopen(
    thread: ThreadChoice,
    overrides: readonly Override[] = [],
    env: Io["env"] = {},
  ): Promise<void> {
    this.change({ phase: "opening" });
    try {
      await this.reconfigure(overrides, env);
      await this.#open(thread);
    } finally {
      this.change({ phase: "ready" });
    }
    this.turns.drain();
  }

  async reconfigure(overrides: readonly Override[], env: Io["env"] = {}): Promise<LoadedConfig> {
    const changes = [...this.#changes, ...overrides];
    const io = withEnv(this.io, env);
    this.config = await settingsOf(this.#request, io, this.cwd, changes);
    this.io = io;
    this.#changes = changes;
    this.#live = liveSettings(this.config.values.tui, io.env);
    return this.config;
  }

  async files(): Promise<FileIndex> {
    const { FileIndex } = await import("./file-index.ts");
    this.#files ??= new FileIndex(this.cwd, this.io.signal);
    return this.#files;
  }

  async page(content: PagerContent): Promise<void> {
    const hasAlternate = this.#live.hasAlternate && !this.#request.options.has("no-alt-screen");
    const copy = (text: string) => void this.copy(text);
    await this.#stage.page(content, { theme: this.theme, keys: this.#keymap.pager, copy, hasAlternate });
  }

  quit(): void {
    this.#ended.resolve();
  }

  async #begin(): Promise<void> {
    const { io, cwd } = this;
    const read = (env: Io["env"]) => settingsOf(this.#request, { ...io, env }, cwd, this.#changes);
    const settled = await askFirst(
      { config: await read(io.env), env: io.env, cwd, signal: io.signal, reload: read },
      this.dialogs,
    );
    if (!settled) {
      this.quit();
      return;
    }
    this.config = settled.config;
    this.io = { ...io, env: settled.env };
    const { values } = this.config;
    this.#live = liveSettings(values.tui, this.io.env);
    if (values.disable_paste_burst) this.terminal.ignoreBursts();
    this.#keymap = await ownKeymap(this.#live.keymap);
    this.#look.choose(this.#live.theme);
    this.threads.shown.facts.configured(this.config);
    this.change({ phase: "opening", ...(this.#live.hasVim ? { vim: { mode: "insert" } } : {}) });
    this.#stage.redraw();
    const entries = await this.inputHistory.open(historySettings(this.config), this.cwd);
    this.change({ history: [...this.state.history, ...entries] });
    await this.#open(await firstThread(this, this.#request.thread));
    this.#sayFirst();
  }

  #sayFirst(): void {
    const { options, prompt } = this.#request;
    const images = imageFiles(options);
    if (prompt !== undefined || images.length > 0) this.turns.start({ text: prompt ?? "", images });
    else this.turns.drain();
  }

  /** Opens a session; what goes wrong is said, and the user can choose another model or leave. */
  async #open(choice: ThreadChoice, isAside = false): Promise<void> {
    const { config, env, cwd, signal } = this;
    const { approvals: approver, asker } = this.awaited;
    const thread = this.threads.shown;
    if (!config) return;
    const before = this.conversation.opened?.session.id;
    // Under other settings, or as a copy: what is on the screen is still what was said.
    const goesOn = "id" in choice && choice.id === before;
    try {
      const own = {
        config,
        env,
        cwd,
        source: "tui",
        thread: choice,
        approver,
        asker,
        extras: {},
        signal,
      } as const;
      const opened = await this.conversation.open({ ...own, isEphemeral: isAside }, (event) =>
        this.threads.whenShown(thread, () => this.#take(event)),
      );
      const progress = new Progress(opened.usageBefore, Date.now, opened.inside.price);
      if (goesOn) progress.goOnFrom(thread.progress);
      else thread.transcript.begin();
      thread.progress = progress;
      thread.facts.opened(opened);
      const gap = thread.transcript.isEmpty ? [] : [""];
      if (!isAside) this.#stage.commit([...gap, ...thread.facts.header(this.terminal.columns, this.theme)]);
      if (!goesOn && !isAside) for (const cell of historyCells(opened.history)) this.transcript.add(cell);
      for (const text of opened.notices) this.notice({ level: "info", text });
      opened.session.start(opened.warnings);
    } catch (cause) {
      this.notice(errorNotice(toAppError(cause)));
    }
    this.change({ phase: "ready" });
  }

  #take(event: TurnEvent): void {
    this.transcript.take(event);
    this.progress.take(event);
    this.turns.take(event);
    if (event.type === "turn.completed") this.#notifier.ended("The turn is done", event.durationMs);
    for (const cell of cellsOfEvent(event)) this.transcript.add(cell);
    this.#stage.request();
  }

  #input(event: InputEvent): void {
    if (event.type === "focus") this.#notifier.focus(event.isFocused);
    else if (event.type === "reply") this.#look.hear(event.sequence);
    else if (!this.dialogs.take(event)) this.apply(update(this.state, event, this.surroundings));
  }

  #workChanged(): void {
    if (!this.state.turn) this.#ticker.stop();
    else if (this.#live.isAnimated) this.#ticker.start();
  }

  #frame(width: number, height: number): Frame {
    this.awaited.drawn();
    const { state, theme, progress } = this;
    const { facts } = this.threads.shown;
    const start = state.phase === "ready" || this.isAside ? [] : facts.header(width, theme);
    return frameOf({
      state,
      width,
      height,
      theme,
      keymap: this.#keymap,
      live: [...start, ...this.transcript.live(width, theme)],
      working: this.#working.facts(state.turn, progress, this.#ticker.count),
      status: chosenFacts(
        { ...facts.status(state, progress), isAside: this.isAside },
        this.#live.statusItems,
      ),
      background: backgroundRows(this.conversation),
    });
  }

  async #close(): Promise<void> {
    this.threads.shown.state = { ...this.state, phase: "ending" };
    this.#ticker.stop();
    this.#notifier.calm();
    this.#stage.close();
    await this.threads.close();
  }
}
