import { once } from "../../util/once.ts";
import type { Cursor, Parse, Source } from "./cursor.ts";
import { isBar, matchMark } from "./marks.ts";
import { FIRST_CHARACTERS, type Opener, openers } from "./opener-table.ts";

/** Where in an answer the cursor is. */
export type Place = "start" | "line" | "text" | "thought";
export type FoundOpener = { opener: Opener; end: number };

const BAR = 124;
const SMALL_LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** The marks that count at each place, found by their first letters. */
export class Openers {
  readonly #byPlace = new Map<Place, ReadonlyMap<number, readonly Opener[]>>();
  readonly #withCalls: boolean;

  constructor(withCalls: boolean) {
    this.#withCalls = withCalls;
  }

  /** The mark at the cursor, which does not move. Waits while the text could still become one. */
  *find(c: Cursor, place: Place): Parse<FoundOpener | undefined> {
    for (;;) {
      const found = this.at(c.source, c.pos, place);
      if (found !== "open") return found;
      yield;
    }
  }

  /** "open": the text so far could become a mark. */
  at(source: Source, at: number, place: Place): FoundOpener | "open" | undefined {
    const candidates = this.#candidates(source, at, place);
    if (candidates === "open") return source.hasEnded ? undefined : "open";
    for (const opener of candidates) {
      const end = matchMark(source, at, opener.mark);
      // A mark that stands earlier in the table is longer, and gets its time.
      if (end === "open") return "open";
      if (end !== undefined) return { opener, end };
    }
    return undefined;
  }

  #candidates(source: Source, at: number, place: Place): readonly Opener[] | "open" {
    if (at >= source.length) return "open";
    const first = source.code(at);
    if (!FIRSTS.has(first)) return [];
    if (at + 1 >= source.length) return "open";
    const second = source.code(at + 1);
    const groups = this.#groupsAt(place);
    if (!isBar(second)) return groups.get(pairKey(first, second)) ?? [];
    const letterAt = isBar(source.code(at + 2)) ? at + 3 : at + 2;
    if (letterAt >= source.length) return "open";
    return groups.get(pairKey(BAR, source.code(letterAt))) ?? [];
  }

  /** Grouped when first asked for: most answers never hold a mark. */
  #groupsAt(place: Place): ReadonlyMap<number, readonly Opener[]> {
    const kept = this.#byPlace.get(place);
    if (kept) return kept;
    const groups = grouped(openers().filter((opener) => belongs(opener, place, this.#withCalls)));
    this.#byPlace.set(place, groups);
    return groups;
  }
}

/** Cheap first look: whether any mark begins with these two code units. True while the second is not there. */
export function mayBeginMark(first: number, second: number): boolean {
  if (Number.isNaN(second)) return true;
  return FIRSTS.has(first) && ((first === 60 && isBar(second)) || pairs().has(pairKey(first, second)));
}

function grouped(openers: readonly Opener[]): Map<number, Opener[]> {
  const groups = new Map<number, Opener[]>();
  for (const opener of openers) {
    for (const key of keysOf(opener)) {
      const group = groups.get(key);
      if (group) group.push(opener);
      else groups.set(key, [opener]);
    }
  }
  return groups;
}

/** By the letter after the bar, or by the first two characters; a namespace may begin with any letter. */
function keysOf({ mark }: Opener): number[] {
  const second = mark[1] === "@" ? SMALL_LETTERS + mark[2] : (mark[1] ?? "");
  if (second === "|") return [pairKey(BAR, mark.charCodeAt(2))];
  return [...new Set(second)].map((char) => pairKey(mark.charCodeAt(0), char.charCodeAt(0)));
}

function pairKey(first: number, second: number): number {
  return first * 0x10000 + second;
}

function belongs(opener: Opener, place: Place, withCalls: boolean): boolean {
  switch (opener.kind) {
    case "think":
    case "wrapper":
      return place === "start";
    case "closer":
    case "end":
    case "frame":
    case "harmony":
    case "k3":
      return place !== "thought";
    case "call":
      return withCalls && (opener.strength !== "line" || place === "line" || place === "start");
  }
}

const FIRSTS = new Set(Array.from(FIRST_CHARACTERS, (character) => character.charCodeAt(0)));
const pairs = once(() => new Set(openers().flatMap(keysOf)));
export const WITH_CALLS = new Openers(true);
export const WITHOUT_CALLS = new Openers(false);
