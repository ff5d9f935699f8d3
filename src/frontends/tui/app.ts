import { imageFiles } from "../../config/flags.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import type { ThreadChoice } from "../../core/thread.ts";
import type { TurnEvent } from "../../protocol/events.ts";
import type { Io } from "../../protocol/program.ts";
import type { Asker as QuestionAsker } from "../../protocol/questions.ts";
import { AppError, toAppError } from "../../util/errors.ts";
import { Awaited } from "./awaited.ts";
import { cellsOfEvent } from "./cells-of-events.ts";
import { clipboardSequence, setClipboard } from "./clipboard.ts";
import { commandsIn } from "./commands/prompts.ts";
import { Conversation } from "./conversation.ts";
import { Dialogs } from "./dialogs.ts";
import { perform } from "./effects.ts";
import { Facts } from "./facts.ts";
import type { FileIndex } from "./file-index.ts";
import { askFirst } from "./first-questions.ts";
import { type Frame, frameOf } from "./frame.ts";
import { historyCells } from "./history-cells.ts";
import type { Message } from "./input/composer.ts";
import { keymapWith } from "./input/keymap.ts";
import type { InputEvent } from "./input/keys.ts";
import { InputHistory } from "./input-history.ts";
import { type LiveSettings, liveSettings } from "./live-settings.ts";
import { backgroundRows, farewellText, workingFacts } from "./live-view.ts";
import { Notifier } from "./notify.ts";
import type { TuiRequest } from "./options.ts";
import type { PagerContent, Port } from "./port.ts";
import { noProgress, Progress } from "./progress.ts";
import type { Asker } from "./prompts/asker.ts";
import { directoryOf, settingsOf } from "./setup.ts";
import { Stage } from "./stage.ts";
import { type AppState, INITIAL_STATE, type Step, type Surroundings } from "./state.ts";
import type { Terminal } from "./terminal.ts";
import { ASK_BACKGROUND, isLightBackground, themeOptions } from "./theme-options.ts";
import { Ticker } from "./ticker.ts";
import { Transcript } from "./transcript.ts";
import { Turns } from "./turns.ts";
import { update } from "./update.ts";
import type { Notice } from "./view/notices.ts";
import { makeTheme, type Theme, type ThemeOptions } from "./view/theme.ts";

/** The conversation in the terminal, from the first paint to the summary at the end. */
export class App implements Port {
  io: Io;
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly transcript = new Transcript();
  readonly conversation = new Conversation();
  readonly inputHistory = new InputHistory();
  readonly awaited: Awaited;
  readonly turns: Turns;
  readonly dialogs: Dialogs;
  state: AppState = INITIAL_STATE;
  config: LoadedConfig | undefined;
  theme: Theme;
  progress: Progress = noProgress();
  readonly #request: TuiRequest;
  readonly #look: ThemeOptions;
  readonly #stage: Stage;
  readonly #ticker: Ticker;
  readonly #facts: Facts;
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
    const look = themeOptions(io.env);
    this.#look = request.options.has("no-color") ? { ...look, level: 0 } : look;
    this.theme = makeTheme(this.#look);
    this.#live = liveSettings(undefined, io.env);
    this.#facts = new Facts(this.cwd, io.env);
    this.#stage = new Stage({
      input: (event) => this.#input(event),
      lost: () => this.quit(),
      finished: (width) => this.transcript.commit(width, this.theme),
      frame: (width, height) => this.#frame(width, height),
    });
    this.terminal = this.#stage.terminal;
    this.#notifier = new Notifier(
      (text) => this.terminal.write(text),
      () => this.#live,
    );
    this.#ticker = new Ticker(() => this.#stage.request());
    this.turns = new Turns(this);
    this.dialogs = new Dialogs({
      surface: this.#stage.promptSurface(this.#look),
      give: (event) => this.#input(event),
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

  get surroundings(): Surroundings {
    return { keymap: this.#keymap, commands: commandsIn(this.conversation), now: Date.now() };
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
    const facts = { durationMs: Date.now() - this.#startedAt, ...this.#facts.farewell() };
    await io.stdout.write(farewellText(this.progress, facts, this.theme));
    return 0;
  }

  change(change: Partial<AppState>): void {
    const wasWorking = this.state.turn !== undefined;
    this.state = { ...this.state, ...change };
    if (wasWorking !== (this.state.turn !== undefined)) this.#workChanged();
    this.#stage.request();
  }

  apply({ state, effects }: Step): void {
    this.state = state;
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
    this.theme = makeTheme({ ...this.#look, isLight });
    this.#stage.request();
  }

  clearScreen(): void {
    this.transcript.clear();
    this.#stage.clearAll();
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
    const io = { ...this.io, env: { ...this.io.env, ...env } };
    this.config = await settingsOf(this.#request, io, this.cwd, changes);
    this.io = io;
    this.#changes = changes;
    return this.config;
  }

  async files(): Promise<FileIndex> {
    const { FileIndex } = await import("./file-index.ts");
    this.#files ??= new FileIndex(this.cwd, this.io.signal);
    return this.#files;
  }

  async page(content: PagerContent): Promise<void> {
    if (this.#request.options.has("no-alt-screen") || !this.#live.hasAlternate) {
      this.#stage.commit(content.cells.flatMap(({ rows }) => rows(this.terminal.columns)));
      this.#stage.request();
      return;
    }
    const copy = (text: string) => void this.copy(text);
    await this.#stage.page(content, { theme: this.theme, keys: this.#keymap.pager, copy });
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
    const { values, home } = this.config;
    this.#live = liveSettings(values.tui, this.io.env);
    if (values.disable_paste_burst) this.terminal.ignoreBursts();
    if (this.#live.keymap !== undefined) await requireKeymap(this.#live.keymap);
    this.#keymap = keymapWith(this.#live.keymap);
    this.#chooseTheme();
    this.#facts.configured(this.config);
    this.change({ phase: "opening", ...(this.#live.hasVim ? { vim: { mode: "insert" } } : {}) });
    this.#stage.redraw();
    const settings = {
      home,
      isOn: values.history.persistence !== "none",
      maxBytes: values.history.max_bytes,
    };
    const entries = await this.inputHistory.open(settings, this.cwd);
    this.change({ history: [...this.state.history, ...entries] });
    const { thread } = this.#request;
    await this.#openFirst(thread);
    this.#sayFirst();
  }

  #chooseTheme(): void {
    const { theme } = this.#live;
    if (theme === "light" || theme === "dark") this.setLight(theme === "light");
    else if (this.#look.level > 0) this.terminal.write(ASK_BACKGROUND);
  }

  async #openFirst(thread: TuiRequest["thread"]): Promise<void> {
    if (thread.kind !== "pick") {
      await this.#open(thread);
      return;
    }
    const { chooseThread } = await import("./commands/choose-thread.ts");
    const id = await chooseThread(this, thread.all);
    await this.#open(id === undefined ? { kind: "new" } : { kind: thread.purpose, id });
  }

  #sayFirst(): void {
    const { options, prompt } = this.#request;
    const images = imageFiles(options);
    if (prompt !== undefined || images.length > 0) this.turns.start({ text: prompt ?? "", images });
    else this.turns.drain();
  }

  /** Opens a session; what goes wrong is said, and the user can choose another model or leave. */
  async #open(thread: ThreadChoice): Promise<void> {
    const { config, io, cwd } = this;
    if (!config) return;
    const before = this.conversation.opened?.session.id;
    // Under other settings, or as a copy: what is on the screen is still what was said.
    const goesOn = "id" in thread && thread.id === before;
    try {
      const opened = await this.conversation.open(
        {
          config,
          env: io.env,
          cwd,
          source: "tui",
          thread,
          isEphemeral: false,
          approver: this.awaited.approvals,
          asker: this.awaited.asker,
          extras: {},
          signal: io.signal,
        },
        (event) => this.#take(event),
      );
      const progress = new Progress(opened.usageBefore, Date.now, opened.inside.price);
      if (goesOn) progress.goOnFrom(this.progress);
      else this.transcript.begin();
      this.progress = progress;
      this.#facts.opened(opened);
      this.#stage.commit(this.#facts.header(this.terminal.columns, this.theme));
      if (!goesOn) for (const cell of historyCells(opened.history)) this.transcript.add(cell);
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
    if (event.type === "turn.completed") this.#notifier.ended("The turn is done", event.durationMs);
    for (const cell of cellsOfEvent(event)) this.transcript.add(cell);
    this.#stage.request();
  }

  #input(event: InputEvent): void {
    if (event.type === "focus") this.#notifier.focus(event.isFocused);
    else if (event.type === "reply") this.#answered(event.sequence);
    else if (!this.dialogs.take(event)) this.apply(update(this.state, event, this.surroundings));
  }

  /** The terminal told something about itself. */
  #answered(reply: string): void {
    const isLight = isLightBackground(reply);
    if (isLight !== undefined && this.#live.theme !== "light" && this.#live.theme !== "dark")
      this.setLight(isLight);
  }

  #workChanged(): void {
    if (!this.state.turn) this.#ticker.stop();
    else if (this.#live.isAnimated) this.#ticker.start(SPINNER_MS);
  }

  #frame(width: number, height: number): Frame {
    this.awaited.drawn();
    const { state, theme, progress } = this;
    const start = state.phase === "ready" ? [] : this.#facts.header(width, theme);
    return frameOf({
      state,
      width,
      height,
      theme,
      keymap: this.#keymap,
      live: [...start, ...this.transcript.live(width, theme)],
      working: workingFacts(state.turn, progress, this.#ticker.count),
      status: this.#facts.status(state, progress),
      background: backgroundRows(this.conversation),
    });
  }

  async #close(): Promise<void> {
    this.state = { ...this.state, phase: "ending" };
    this.#ticker.stop();
    this.#notifier.calm();
    this.#stage.close();
    await this.conversation.close();
  }
}

/** Throws AppError "config" when the user's own keys can't be meant. */
async function requireKeymap(own: unknown): Promise<void> {
  const { keymapProblems } = await import("./input/keymap-problems.ts");
  const problems = keymapProblems(own);
  if (problems.length > 0)
    throw new AppError("config", problems.join("; "), {
      hint: "a key has one meaning in a context: give the other action another key, or [] for none",
    });
}

const SPINNER_MS = 125;
