/** `abandon`: nothing is waited for that was not handed over by then. */
type Sink = { write(text: string): Promise<void>; abandon?(): void };

/** Milliseconds without a single message being taken. */
const PATIENCE_MS = 1000;

/** Where the messages of a protocol go, whole ones in order. */
export class LineOutput {
  readonly stream: WritableStream<Uint8Array>;
  readonly #sink: Sink;
  readonly #patienceMs: number;
  #last: Promise<void> = Promise.resolve();
  #asked = 0;
  #taken = 0;

  constructor(sink: Sink, patienceMs = PATIENCE_MS) {
    this.#sink = sink;
    this.#patienceMs = patienceMs;
    const decoder = new TextDecoder();
    this.stream = new WritableStream({ write: (bytes) => this.write(decoder.decode(bytes)) });
  }

  write(text: string): Promise<void> {
    this.#asked += 1;
    this.#last = this.#sink.write(text).then(() => {
      this.#taken += 1;
    });
    return this.#last;
  }

  /** Waits for a client that reads what it is told, and not for one that has stopped reading. */
  async end(): Promise<void> {
    while (this.#taken < this.#asked) {
      const before = this.#taken;
      const stop = Promise.withResolvers<void>();
      const timer = setTimeout(stop.resolve, this.#patienceMs);
      await Promise.race([this.#last, stop.promise]);
      clearTimeout(timer);
      if (this.#taken === before) return this.#sink.abandon?.();
      // What waited for this one is written next.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
