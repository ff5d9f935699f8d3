/** Writes in order without making the writer wait; `done` waits for all of them. */
export class Writes {
  readonly #write: (text: string) => Promise<void>;
  #pending: string[] = [];
  #running: Promise<void> | undefined;

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write;
  }

  add(text: string): void {
    this.#pending.push(text);
    this.#running ??= this.#drain();
  }

  async done(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #drain(): Promise<void> {
    await undefined; // what is added in the same tick goes out in one write
    while (this.#pending.length > 0) await this.#write(this.#pending.splice(0).join(""));
    this.#running = undefined;
  }
}
