import type { Part } from "../../protocol/items.ts";

/** What is said while a turn runs, until the turn takes it in. */
export class Steering {
  #waiting: { content: Part[]; isSpoken: boolean }[] = [];
  #taken: Part[][] = [];

  /** The user's own words (`spoken`), or something that they should hear of, such as what a command of theirs wrote. */
  add(content: Part[], how: "spoken" | "noted"): void {
    this.#waiting.push({ content, isSpoken: how === "spoken" });
  }

  take(): Part[][] {
    return this.#waiting.splice(0).map((one) => this.#take(one));
  }

  takeOne(): Part[] | undefined {
    const one = this.#waiting.shift();
    return one && this.#take(one);
  }

  /** The words that were taken in since the last call, in which the user may have named something. */
  words(): Part[] {
    return this.#taken.splice(0).flat();
  }

  #take({ content, isSpoken }: { content: Part[]; isSpoken: boolean }): Part[] {
    if (isSpoken) this.#taken.push(content);
    return content;
  }
}
