import { ProtocolError } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Asker } from "../../protocol/questions.ts";
import { elicit } from "./elicit.ts";
import { unlessAborted } from "./settle.ts";

/** A call that is refused until the person has done something in their browser. */
const VISIT_FIRST = -32042;
const Refusal = z.looseObject({
  elicitations: z
    .array(
      z.looseObject({ url: z.url(), message: z.string().default(""), elicitationId: z.string().default("") }),
    )
    .min(1),
});

/** What the person is to do at addresses of one server, and what of it is done. */
export class Visits {
  readonly #server: string;
  readonly #asker: Asker | undefined;
  readonly #done = new Set<string>();
  readonly #waiting = new Map<string, () => void>();

  constructor(server: string, asker: Asker | undefined) {
    this.#server = server;
    this.#asker = asker;
  }

  /** The server says that what had to be done is done. */
  done(id: string): void {
    this.#done.add(id);
    this.#waiting.get(id)?.();
    this.#asker?.visited?.(id);
  }

  /**
   * True when a refusal asked for visits and all of them are made, so that the call can be made again; false for every
   * other failure. Rejects when the person does not want to, and when nobody can be asked.
   */
  async makeFor(cause: unknown, signal: AbortSignal): Promise<boolean> {
    const { data } = Refusal.safeParse(
      cause instanceof ProtocolError && cause.code === VISIT_FIRST && cause.data,
    );
    if (data === undefined) return false;
    const places = data.elicitations;
    const what = places.map(({ message, url }) => `${message} ${url}`.trim()).join("; ");
    if (this.#asker === undefined)
      throw new Error(`the user has to do something in a browser first: ${what}`);
    for (const place of places) {
      const { action } = await elicit(this.#server, { ...place, mode: "url" }, this.#asker, signal);
      if (action !== "accept") throw new Error(`the user did not want to open an address first: ${what}`);
    }
    await unlessAborted(Promise.all(places.map((place) => this.#isDone(place.elicitationId))), signal);
    return true;
  }

  async #isDone(id: string): Promise<void> {
    if (this.#done.has(id)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(id, resolve);
    await promise;
    this.#waiting.delete(id);
  }
}
