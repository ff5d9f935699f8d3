/** By how much a text is known again whose beginning was dropped. */
const TAIL = 4096;

/** A text that is only ever given as a whole: what is new in it. */
export class GrowingText {
  #seen = "";
  #length = 0;

  /** Of all that was new so far. */
  get length(): number {
    return this.#length;
  }

  /** `isCut`: the beginning of the text was dropped. */
  next(text: string, isCut: boolean): string {
    const fresh = this.#fresh(text, isCut);
    this.#seen = text;
    this.#length += fresh.length;
    return fresh;
  }

  #fresh(text: string, isCut: boolean): string {
    const seen = this.#seen;
    if (text.startsWith(seen)) return isCut && seen === "" ? DROPPED + text : text.slice(seen.length);
    if (!isCut) return text.slice(lineOfDifference(seen, text));
    const tail = seen.slice(-TAIL);
    const at = text.lastIndexOf(tail);
    return at < 0 ? DROPPED + text : text.slice(at + tail.length);
  }
}

const DROPPED = "\n[the editor's terminal has dropped what came before]\n";

/** Where the first line begins that is not as it was: a terminal may draw a line anew. */
function lineOfDifference(before: string, now: string): number {
  let at = 0;
  while (at < before.length && before[at] === now[at]) at++;
  return at === 0 ? 0 : now.lastIndexOf("\n", at - 1) + 1;
}
