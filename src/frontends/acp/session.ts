import type {
  ContentBlock,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
} from "@agentclientprotocol/sdk/unstable";
import type { LoadedConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import type { OpenedSession } from "../../core/runtime.ts";
import { noteEnded } from "../../core/session/ended-commands.ts";
import { postureOf } from "../../core/session/posture.ts";
import type { ThreadChoice } from "../../core/session/thread.ts";
import type { Item, Part } from "../../protocol/items.ts";
import { type Choices, choicesOf, PATIENCE_MS } from "./choices.ts";
import type { Client } from "./client.ts";
import { availableCommands, runCommand } from "./commands.ts";
import { configOptions, isOffered, isOptionId, type OptionId, optionOverrides } from "./config-options.ts";
import { invalidParams } from "./errors.ts";
import { modeOverrides, modeState, PLAN_MODE } from "./modes.ts";
import type { OpenFiles } from "./open-files.ts";
import { inputOf, wordsOf } from "./prompt-input.ts";
import { replayOf } from "./replay.ts";
import { titleText } from "./texts.ts";
import { answerOf } from "./turn-answer.ts";
import { untilAborted } from "./until-aborted.ts";
import { Updates } from "./updates.ts";

export type SessionHost = {
  client: Client;
  files: Pick<OpenFiles, "interrupt">;
  env: Readonly<Record<string, string | undefined>>;
  /** The settings for this session's folder, with what its client has changed. */
  settings(changes: readonly Override[]): Promise<LoadedConfig>;
  /** Opens the conversation with questions that go to the client. */
  open(config: LoadedConfig, thread: ThreadChoice, parts: OpenParts): Promise<OpenedSession>;
};
export type OpenParts = { updates: Updates; sessionId: string };

type SessionStart = { id: string; cwd: string; thread: ThreadChoice };

/** One session of a client: a conversation that is opened anew when a setting asks for it, under the same id. */
export class AcpSession implements AsyncDisposable {
  readonly id: string;
  readonly #cwd: string;
  readonly #host: SessionHost;
  readonly #updates: Updates;
  readonly #changes = new Map<OptionId, Override[]>();
  readonly #prompts = new Set<AbortController>();
  #choices: Choices = { models: [], cloudModels: [], harnesses: [] };
  #config: LoadedConfig;
  #baseConfig: LoadedConfig;
  #opened: OpenedSession;
  #turns = 0;
  #hasBegun: boolean;
  /** A setting was changed that only another opening can bring in. */
  #isStale = false;
  #isPlanning = false;
  #opening: Promise<void> = Promise.resolve();
  /** Prompts are taken in one after the other: a command is carried out, or a turn begun, before the next is looked at. */
  #admitted: Promise<unknown> = Promise.resolve();
  readonly #ended = new AbortController();

  static async start(host: SessionHost, start: SessionStart): Promise<AcpSession> {
    const updates = new Updates(host.client, start.id, start.cwd);
    const config = await host.settings([]);
    const opened = await host.open(config, start.thread, { updates, sessionId: start.id });
    const session = new AcpSession(host, start, { updates, config, opened });
    await session.#loadChoices();
    return session;
  }

  private constructor(
    host: SessionHost,
    { id, cwd, thread }: SessionStart,
    parts: { updates: Updates; config: LoadedConfig; opened: OpenedSession },
  ) {
    this.#host = host;
    this.id = id;
    this.#cwd = cwd;
    this.#updates = parts.updates;
    this.#config = parts.config;
    this.#baseConfig = parts.config;
    this.#opened = parts.opened;
    this.#hasBegun = thread.kind !== "new";
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get isBusy(): boolean {
    return this.#prompts.size > 0;
  }

  /** What the answers to new, load, resume and fork tell. */
  facts(): { modes: SessionModeState; configOptions: SessionConfigOption[] } {
    const modes = this.#modes();
    const { model, names } = this.#opened;
    const stale = this.#isStale ? this.#config.values : undefined;
    const { models, cloudModels, harnesses } = this.#choices;
    const options = configOptions({
      modes,
      model: stale?.model ?? names.model,
      models,
      cloudModels,
      harness: stale?.harness ?? names.harness,
      harnesses: this.#hasBegun ? [] : harnesses,
      effort: this.#config.values.model_reasoning_effort,
      efforts: model.efforts.length > 0 || model.known ? model.efforts : ["low", "medium", "high"],
    });
    return { modes, configOptions: options };
  }

  /** What can only be told once the client knows the session. */
  announce(): void {
    if (this.#ended.signal.aborted) return;
    this.#tellWarnings();
    this.#tellCommands();
  }

  replay(): void {
    const history: readonly Item[] = this.#opened.history;
    for (const update of replayOf(history, this.#cwd)) this.#host.client.update(this.id, update);
  }

  /** Runs a turn, or steers the one that runs. Throws RequestError or AppError. */
  async prompt(prompt: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const control = new AbortController();
    const cancel = () => control.abort("interrupted");
    signal.addEventListener("abort", cancel, { once: true });
    this.#prompts.add(control);
    try {
      if (signal.aborted) cancel();
      const answer = await this.#answer(prompt, control.signal);
      // A client that takes its request back is answered with the protocol's own error for that.
      signal.throwIfAborted();
      return answer;
    } catch (cause) {
      if (control.signal.aborted && !signal.aborted) return { stopReason: "cancelled" };
      throw signal.aborted ? signal.reason : cause;
    } finally {
      this.#prompts.delete(control);
      signal.removeEventListener("abort", cancel);
    }
  }

  cancel(): void {
    for (const control of this.#prompts) control.abort("interrupted");
    this.#host.files.interrupt();
  }

  async setMode(id: string): Promise<void> {
    if (id !== PLAN_MODE) await this.#setPosture(id);
    this.#opened.user.setPlanning(id === PLAN_MODE);
    this.#tellPlanning();
    this.#host.client.update(this.id, { sessionUpdate: "current_mode_update", currentModeId: id });
  }

  async #setPosture(id: string): Promise<void> {
    const overrides = modeOverrides(id, this.#posture(this.#baseConfig));
    if (!overrides) {
      const known = this.#modes().availableModes.map((mode) => mode.id);
      throw invalidParams(`unknown mode ${id}; there are ${known.join(", ")}`);
    }
    await this.#change("mode", overrides, (config) => {
      // Before the first turn the model is told how it stands, not how it changed.
      if (this.#hasBegun && !this.#isStale) this.#opened.user.setPermissions(config);
      else this.#isStale = true;
    });
  }

  /** The model ends its planning by itself, when the person agrees to its plan. */
  notePlanning(): void {
    if (this.#opened.user.isPlanning === this.#isPlanning) return;
    this.#tellPlanning();
    const { currentModeId } = this.#modes();
    this.#host.client.update(this.id, { sessionUpdate: "current_mode_update", currentModeId });
  }

  #tellPlanning(): void {
    this.#isPlanning = this.#opened.user.isPlanning;
    this.#sendOptions();
  }

  async setOption(id: string, value: unknown): Promise<SessionConfigOption[]> {
    const { configOptions: offered } = this.facts();
    if (!isOptionId(id))
      throw invalidParams(`unknown option ${id}; there are ${offered.map((one) => one.id).join(", ")}`);
    if (typeof value !== "string" || !isOffered(offered, id, value))
      throw invalidParams(`${String(value)} is not a value of the option ${id}`);
    if (id === "mode") await this.setMode(value);
    else if (id === "reasoning_effort")
      await this.#change(id, optionOverrides(id, value), (config) =>
        this.#opened.user.setEffort(config.values.model_reasoning_effort),
      );
    else await this.setModel(id, value);
    return this.facts().configOptions;
  }

  /** Another model or harness; a turn that runs goes on as it began. */
  async setModel(id: "model" | "harness", value: string): Promise<void> {
    const before = new Map(this.#changes);
    await this.#change(id, optionOverrides(id, value), () => {
      this.#isStale = true;
    });
    if (this.isBusy) return;
    try {
      await this.#refresh();
    } catch (cause) {
      this.#changes.clear();
      for (const [key, overrides] of before) this.#changes.set(key, overrides);
      this.#config = await this.#host.settings([...before.values()].flat());
      this.#isStale = true;
      await this.#refresh();
      throw cause;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    this.cancel();
    await this.#opening.catch(() => {});
    await this.#opened[Symbol.asyncDispose]();
    this.#updates.calls.dispose();
  }

  async #answer(prompt: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const input = inputOf(prompt);
    const words = wordsOf(prompt);
    const before = this.#admitted;
    const own = Promise.withResolvers<void>();
    this.#admitted = Promise.all([before, own.promise]);
    try {
      await untilAborted(before, signal);
      if (this.#turns === 0) await untilAborted(this.#refresh(), signal);
      const context = { opened: this.#opened, cwd: this.#cwd, isBusy: this.#turns > 0, signal };
      const result = await runCommand(words, context);
      signal.throwIfAborted();
      if (result && "say" in result) return this.#say(result.say);
      const asked = result ? partsOf(result.ask) : input;
      const outcome = this.#turn(asked, words, signal);
      own.resolve();
      return await outcome;
    } finally {
      own.resolve();
    }
  }

  async #turn(input: Part[], words: string, signal: AbortSignal): Promise<PromptResponse> {
    const { session } = this.#opened;
    if (!this.#hasBegun) this.#begin(words);
    const interrupt = () => void session.interrupt("interrupted");
    signal.addEventListener("abort", interrupt, { once: true });
    this.#turns += 1;
    try {
      await session.submit(input);
    } finally {
      this.#turns -= 1;
      signal.removeEventListener("abort", interrupt);
    }
    const { end } = this.#updates;
    if (!end || signal.aborted) return { stopReason: "cancelled" };
    return answerOf(end);
  }

  #begin(words: string): void {
    this.#hasBegun = true;
    const { client } = this.#host;
    const title = titleText(words);
    if (title !== "") client.update(this.id, { sessionUpdate: "session_info_update", title });
    // From now on there is one harness.
    this.#sendOptions();
  }

  #say(text: string): PromptResponse {
    const content = { type: "text", text } as const;
    this.#host.client.update(this.id, { sessionUpdate: "agent_message_chunk", content });
    return { stopReason: "end_turn" };
  }

  async #change(id: OptionId, overrides: Override[], apply: (config: LoadedConfig) => void): Promise<void> {
    const changes = new Map(this.#changes).set(id, overrides);
    const config = await this.#host.settings([...changes.values()].flat());
    this.#changes.set(id, overrides);
    this.#config = config;
    apply(config);
  }

  /** Opens the conversation anew if a setting asks for it. One opening at a time. */
  #refresh(): Promise<void> {
    const next = this.#opening.catch(() => {}).then(() => this.#reopen());
    this.#opening = next;
    return next;
  }

  async #reopen(): Promise<void> {
    if (!this.#isStale || this.#ended.signal.aborted) return;
    const { names } = this.#opened;
    const running = this.#opened.user.background();
    await this.#opened[Symbol.asyncDispose]();
    const thread: ThreadChoice = this.#hasBegun
      ? { kind: "resume", id: this.id }
      : { kind: "new", id: this.id };
    const changes = [...this.#changes.values()].flat();
    // A conversation keeps its harness, whatever another model would be given by itself.
    const kept = this.#hasBegun ? optionOverrides("harness", names.harness) : [];
    this.#config = await this.#host.settings([...changes, ...kept]);
    this.#opened = await this.#host.open(this.#config, thread, {
      updates: this.#updates,
      sessionId: this.id,
    });
    this.#opened.user.setPlanning(this.#isPlanning);
    noteEnded(running, this.#opened, this.#hasBegun);
    this.#isStale = false;
    this.#tellWarnings();
    this.#tellCommands();
    if (!this.#hasBegun) await this.#loadChoices();
    this.#sendOptions();
  }

  async #loadChoices(): Promise<void> {
    const { names } = this.#opened;
    const question = {
      config: this.#config,
      env: this.#host.env,
      provider: names.provider,
      model: names.model,
    };
    const loading = choicesOf(question, this.#ended.signal).then((choices) => {
      this.#choices = choices;
    });
    const { promise: isLate, resolve } = Promise.withResolvers<"late">();
    const timer = setTimeout(() => resolve("late"), PATIENCE_MS);
    const winner = await Promise.race([loading, isLate]);
    clearTimeout(timer);
    if (winner === "late") void loading.then(() => this.#sendOptions());
  }

  #tellWarnings(): void {
    const { client } = this.#host;
    for (const text of this.#opened.notices) client.notice(this.id, "info", text);
    for (const text of this.#opened.warnings) client.notice(this.id, "warning", text);
  }

  #tellCommands(): void {
    const opened = this.#opened;
    const tell = () => {
      if (!this.#ended.signal.aborted) this.#updates.showCommands(availableCommands(opened));
    };
    tell();
    // Servers may come late, and may change what they offer.
    opened.inside.prompts.onChange(tell);
  }

  #sendOptions(): void {
    if (this.#ended.signal.aborted) return;
    const { configOptions: options } = this.facts();
    this.#host.client.update(this.id, { sessionUpdate: "config_option_update", configOptions: options });
  }

  #modes(): SessionModeState {
    const { isPlanning } = this.#opened.user;
    return modeState(this.#posture(this.#config), this.#posture(this.#baseConfig), isPlanning);
  }

  #posture(config: LoadedConfig) {
    return postureOf(config, { cwd: this.#cwd, isUnattended: false });
  }
}

function partsOf(asked: string | Part[]): Part[] {
  return typeof asked === "string" ? [{ type: "input_text", text: asked }] : asked;
}
