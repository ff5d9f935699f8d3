import type { LoadedConfig } from "../../../config/load.ts";
import type { Override } from "../../../config/overrides.ts";
import type { TurnOutcome } from "../../../core/session/session.ts";
import type { ThreadChoice } from "../../../core/session/thread.ts";
import type { TurnEvent } from "../../../protocol/events.ts";
import type { Io } from "../../../protocol/program.ts";
import type { Asker as QuestionAsker } from "../../../protocol/questions.ts";
import { toAppError } from "../../../util/errors.ts";
import { setClipboard } from "../clipboard.ts";
import { firstThread } from "../commands/choose-thread.ts";
import type { Conversation } from "../conversation.ts";
import { Facts } from "../facts.ts";
import { historyCells } from "../history-cells.ts";
import type { Message } from "../input/composer.ts";
import type { TuiRequest } from "../options.ts";
import { Progress } from "../progress.ts";
import { directoryOf, settingsOf, withEnv } from "../setup.ts";
import { turnAside } from "../side.ts";
import { Threads } from "../threads.ts";
import type { Transcript } from "../transcript.ts";
import { errorNotice, type Notice } from "../view/notices.ts";
import { Consents } from "./consents.ts";
import { setEcho } from "./echo.ts";
import { firstWords, lastWords } from "./first-and-last-words.ts";
import { takeInterrupts } from "./interrupts.ts";
import { linesOf, noticeText } from "./lines.ts";
import { PlainAsker } from "./plain-asker.ts";
import type { PlainPort } from "./plain-port.ts";
import { PlainQuestions } from "./plain-questions.ts";
import { readLines } from "./read-lines.ts";
import { runLine } from "./run-line.ts";

/** How long Ctrl+C counts as the first of two. */
const QUIT_MS = 2_000;

/**
 * The conversation in lines: nothing is drawn over, no colour is used, and states are words. For screen readers, and for
 * terminals that can do no more.
 */
export class PlainApp implements PlainPort {
  readonly threads: Threads<undefined>;
  readonly asker: PlainAsker;
  readonly cwd: string;
  config: LoadedConfig | undefined;
  #io: Io;
  readonly #request: TuiRequest;
  readonly #consents: Consents;
  readonly #questions: PlainQuestions;
  readonly #ended = Promise.withResolvers<void>();
  readonly #startedAt = Date.now();
  readonly #changes: Override[] = [];
  /** Lines that nobody could take yet. */
  readonly #lines: string[] = [];
  #written: Promise<void> = Promise.resolve();
  /** Something of ours runs that lines have to wait for. */
  #isBusy = true;
  #isOpening = false;
  #turn: Promise<TurnOutcome> | undefined;
  #stopHeld: (() => void) | undefined;
  #continued = "";
  #quitArmedAt = 0;
  #isInputOver = false;

  constructor(request: TuiRequest, io: Io) {
    this.#io = io;
    this.#request = request;
    this.cwd = directoryOf(request, io);
    this.threads = new Threads(() => ({ turns: undefined, facts: new Facts(this.cwd, io.env) }));
    this.asker = new PlainAsker({
      write: (text) => this.#write(text),
      setEcho,
      onOpen: () => queueMicrotask(() => this.#pump()),
    });
    const { asker } = this;
    const onAnswered = () => this.#answered();
    const isFree = () => !this.#isBusy && !this.#questions.isAsking;
    this.#consents = new Consents({ asker, isFree, onAnswered });
    this.#questions = new PlainQuestions({
      asker,
      // What a server asks while a session opens, or the model while nobody types: nothing else is open then.
      isFree: () => !this.#consents.isAsking && !asker.isBusy && (!this.#isBusy || this.#isOpening),
      onAnswered,
    });
  }

  get env(): Io["env"] {
    return this.#io.env;
  }

  get signal(): AbortSignal {
    return this.#io.signal;
  }

  get questions(): QuestionAsker {
    return this.#questions.asker;
  }

  get conversation(): Conversation {
    return this.threads.shown.conversation;
  }

  get transcript(): Transcript {
    return this.threads.shown.transcript;
  }

  get progress(): Progress {
    return this.threads.shown.progress;
  }

  get isAside(): boolean {
    return this.threads.isAside;
  }

  get isWorking(): boolean {
    return this.#turn !== undefined;
  }

  /** Resolves with the exit code when the user has left. Throws AppError when the conversation can't begin. */
  async run(): Promise<number> {
    const { signal } = this;
    if (signal.aborted) return 0;
    signal.addEventListener("abort", () => this.quit(), { once: true });
    using _ = takeInterrupts(() => this.#interrupted());
    void readLines(this.#io.stdin.stream(), (line) => this.#typed(line)).then(
      () => this.#inputOver(),
      () => this.quit(),
    );
    try {
      await Promise.race([this.#begin(), this.#ended.promise]);
      await this.#ended.promise;
    } finally {
      this.asker.cancel();
      await this.threads.close();
    }
    // The cursor may be after the prompt.
    this.#write(`\n${lastWords(this.threads.main, Date.now() - this.#startedAt)}`);
    await this.#written;
    return 0;
  }

  say(text: string): void {
    this.asker.say(text);
  }

  notice(notice: Notice): void {
    this.say(noticeText(notice));
  }

  hint(text: string): void {
    this.say(text);
  }

  ask<T>(work: (asker: PlainAsker) => Promise<T>): Promise<T> {
    return work(this.asker);
  }

  copy(text: string): boolean {
    return setClipboard(text, this.env);
  }

  send(message: Message): void {
    this.transcript.add({ kind: "user", text: message.text });
    void this.#runTurn(message);
  }

  steer(message: Message): void {
    this.say("will be read at the next step");
    // The turn's own promise reports how it ended.
    void this.conversation.say(message, this.cwd).catch(() => {});
  }

  async hold(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const control = new AbortController();
    this.#stopHeld = () => control.abort("interrupted");
    try {
      await work(control.signal);
    } finally {
      this.#stopHeld = undefined;
    }
  }

  async reconfigure(overrides: readonly Override[], env: Io["env"] = {}): Promise<LoadedConfig> {
    this.#changes.push(...overrides);
    this.#io = withEnv(this.#io, env);
    const config = await settingsOf(this.#request, this.#io, this.cwd, this.#changes);
    this.config = config;
    return config;
  }

  async reopen(
    thread: ThreadChoice,
    overrides: readonly Override[] = [],
    env: Io["env"] = {},
  ): Promise<void> {
    await this.reconfigure(overrides, env);
    await this.#open(thread);
  }

  async aside(prompt: string): Promise<void> {
    if (this.isWorking) this.say("/side can't be used while a turn runs; ctrl+c stops it.");
    else await turnAside(this, prompt, (choice) => this.#open(choice, true));
  }

  async #open(choice: ThreadChoice, isAside = false): Promise<void> {
    const { config, cwd, env, signal } = this;
    if (!config) return;
    const goesOn = "id" in choice && choice.id === this.conversation.opened?.session.id;
    const options = {
      config,
      env,
      cwd,
      source: "tui",
      thread: choice,
      isEphemeral: isAside,
      approver: this.#consents.approver,
      asker: this.#questions.asker,
      extras: {},
      signal,
    } as const;
    this.#isOpening = true;
    const opened = await this.conversation
      .open(options, (event) => this.#take(event))
      .finally(() => {
        this.#isOpening = false;
      });
    const progress = new Progress(opened.usageBefore, Date.now, opened.inside.price);
    if (goesOn) progress.goOnFrom(this.progress);
    this.threads.shown.progress = progress;
    this.threads.shown.facts.opened(opened);
    if (!goesOn) this.transcript.begin();
    if (!goesOn) for (const cell of historyCells(opened.history)) this.transcript.add(cell);
    if (!isAside) this.say(firstWords(this.threads.shown));
    for (const text of opened.notices) this.say(text);
    opened.session.start(opened.warnings);
  }

  quit(): void {
    this.#ended.resolve();
  }

  async #begin(): Promise<void> {
    const config = await this.reconfigure([]);
    const { askFirst } = await import("../first-questions.ts");
    const { cwd, env, signal } = this;
    const reload = (more: Io["env"]) => this.reconfigure([], more);
    const opener = {
      hold() {},
      release() {},
      open: <T>(work: (asker: PlainAsker) => Promise<T>) => this.ask(work),
    };
    if (!(await askFirst({ config, env, cwd, signal, reload }, opener))) {
      this.quit();
      return;
    }
    await this.#guarded(async () => this.#open(await firstThread(this, this.#request.thread)));
    this.#isBusy = false;
    const { prompt, options } = this.#request;
    const images = options.values("image").flatMap((list) => list.split(",").filter((file) => file !== ""));
    this.say("Type after > and press Enter. /help lists the commands, ctrl+d leaves.");
    if (prompt !== undefined || images.length > 0) this.send({ text: prompt ?? "", images });
    else this.#prompt();
    this.#pump();
  }

  #typed(line: string): void {
    this.#quitArmedAt = 0;
    this.#lines.push(line);
    this.#pump();
  }

  /** Hands on lines, as long as somebody can take them. */
  #pump(): void {
    while (this.#lines.length > 0) {
      if (this.asker.isWaiting) this.asker.take(this.#lines.shift() ?? "");
      else if (this.#isBusy || this.#isAsking) return;
      else this.#said(this.#lines.shift() ?? "");
    }
    if (this.#isInputOver && !this.#isBusy && !this.isWorking) this.quit();
  }

  get #isAsking(): boolean {
    return this.#consents.isAsking || this.#questions.isAsking;
  }

  #said(line: string): void {
    if (line.endsWith("\\")) {
      this.#continued += `${line.slice(0, -1)}\n`;
      return;
    }
    const text = (this.#continued + line).trim();
    this.#continued = "";
    if (text === "") {
      this.#prompt();
      return;
    }
    this.#isBusy = true;
    void this.#guarded(() => runLine(this, text)).then(() => {
      this.#isBusy = false;
      this.#prompt();
      this.#answered();
    });
  }

  /** Nothing is asked at the moment: what waits comes next. */
  #answered(): void {
    this.#consents.next();
    this.#questions.next();
    this.#pump();
  }

  async #runTurn(message: Message): Promise<void> {
    await this.#guarded(async () => {
      if (!this.conversation.opened)
        this.say("No session is open: /model chooses a model, /new tries again.");
      this.#turn = this.conversation.say(message, this.cwd);
      const outcome = await this.#turn.finally(() => {
        this.#turn = undefined;
      });
      if (this.conversation.opened?.user.isPlanning)
        await (await import("../commands/planning.ts")).settlePlan(this, outcome);
    });
    this.#prompt();
  }

  /** A failure is a sentence. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      const error = toAppError(cause);
      if (error.code === "aborted") this.say("stopped");
      else this.notice(errorNotice(error));
    }
  }

  #take(event: TurnEvent): void {
    this.progress.take(event);
    this.transcript.take(event);
    const lines = linesOf(event);
    if (lines.length > 0) this.#write(`${lines.join("\n")}\n`);
  }

  /** Ctrl+C: the question, then the turn, then the program. The terminal has dropped what was being typed. */
  #interrupted(): void {
    this.#write("\n");
    this.#continued = "";
    if (this.asker.isBusy) {
      this.asker.cancel();
      return;
    }
    if (this.#stopHeld) {
      this.#stopHeld();
      return;
    }
    if (this.isWorking) {
      void this.conversation.opened?.session.interrupt("interrupted");
      return;
    }
    if (Date.now() - this.#quitArmedAt < QUIT_MS) {
      this.quit();
      return;
    }
    this.#quitArmedAt = Date.now();
    this.say("ctrl+c again to quit");
    this.#prompt();
  }

  /** Ctrl+D, or the terminal went away: no question can be answered any more. What runs may end. */
  #inputOver(): void {
    this.#isInputOver = true;
    this.asker.close();
    this.#pump();
  }

  #prompt(): void {
    const isOver = this.#isInputOver && this.#lines.length === 0;
    if (isOver && !this.#isBusy && !this.isWorking) this.quit();
    else if (!this.#isBusy && !this.isWorking) this.#write("> ");
  }

  #write(text: string): void {
    this.#written = this.#io.stdout.write(text);
  }
}
