import type { OpenedSession, OpenOptions } from "../../core/runtime.ts";
import type { TurnOutcome } from "../../core/session/session.ts";
import type { Emit } from "../../protocol/events.ts";
import type { Part } from "../../protocol/items.ts";
import { AppError } from "../../util/errors.ts";
import type { Message } from "./input/composer.ts";

/** The session that is talked to; another one takes its place with `open`. */
export class Conversation implements AsyncDisposable {
  #opened: OpenedSession | undefined;

  get opened(): OpenedSession | undefined {
    return this.#opened;
  }

  /** Closes what is open and opens another one. Throws AppError; nothing is open then. */
  async open(options: OpenOptions, listener: Emit): Promise<OpenedSession> {
    const before = this.#opened;
    const isPlanning = before?.user.isPlanning ?? false;
    const running = before?.user.background() ?? [];
    await this.close();
    // Building a session loads most of the program: not before the first paint.
    const { openSession } = await import("../../core/runtime.ts");
    const opened = await openSession(options);
    this.#opened = opened;
    const isSame = opened.session.id === before?.session.id;
    // Under other settings, the same conversation goes on planning.
    if (isPlanning && isSame) opened.user.setPlanning(true);
    if (running.length > 0) {
      const { noteEnded } = await import("../../core/session/ended-commands.ts");
      noteEnded(running, opened, isSame);
    }
    opened.session.subscribe(listener);
    return opened;
  }

  /** Starts a turn, or steers the one that runs. Problems with its images are said to the listener as warnings. Throws AppError. */
  async say({ text, images }: Message, cwd: string): Promise<TurnOutcome> {
    const session = this.#opened?.session;
    if (!session)
      throw new AppError("config", "no conversation is open, so nothing was sent", {
        hint: "choose another model with /model, or start again with /new",
      });
    const part: Part = { type: "input_text", text };
    if (images.length === 0) return await session.submit([part]);
    const { imageInput } = await import("../../core/prompt-context/image-input.ts");
    const { parts, problems } = await imageInput(images, cwd);
    for (const problem of problems) session.warn(problem);
    return await session.submit([...parts, part]);
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
