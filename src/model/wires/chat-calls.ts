import type { ToolCall } from "../../protocol/items.ts";
import { isRecord, type Json, parseJson, recordOf, textIn } from "../../util/json.ts";
import { newCallId } from "../call-ids.ts";
import { toolInput } from "../tool-arguments.ts";
import type { ModelEvent } from "../types.ts";

type Slot = {
  id: string | undefined;
  name: string;
  indexes: Set<number>;
  /** All pieces of the arguments, joined. */
  joined: string;
  /** The newest piece, and whether each piece so far began with the one before. */
  last: string;
  isGrowing: boolean;
  pieces: number;
  /** What the provider wants back with the call: Gemini refuses a history without the signature in it. */
  extra: Json | undefined;
  /** For display, while the real id may still come. */
  shownId: string;
};
type Head = { index: number | undefined; id: string | undefined; name: string | undefined };

/** Puts the pieces of tool calls together, as servers send them and not only as documented. */
export class ChatCalls {
  readonly #slots: Slot[] = [];
  readonly #offered: ReadonlySet<string>;
  readonly #freeform: ReadonlySet<string>;

  constructor(offered: ReadonlySet<string>, freeform: ReadonlySet<string>) {
    this.#offered = offered;
    this.#freeform = freeform;
  }

  get count(): number {
    return this.#slots.length;
  }

  /** Takes one entry of `delta.tool_calls`. */
  take(entry: unknown): ModelEvent[] {
    const call = recordOf(entry);
    const fn = isRecord(call["function"]) ? call["function"] : call;
    const { index } = call;
    const head: Head = {
      index: typeof index === "number" ? index : undefined,
      id: textIn(call["id"]),
      name: textIn(fn["name"]),
    };
    const piece = pieceOf(fn["arguments"]);
    const slot = this.#find(head) ?? this.#open();
    if (slot.id === undefined && head.id !== undefined) slot.id = head.id;
    if (head.index !== undefined) slot.indexes.add(head.index);
    if (head.name !== undefined) slot.name = grownName(slot.name, head.name);
    if (isRecord(call["extra_content"])) slot.extra = { ...slot.extra, ...call["extra_content"] };
    append(slot, piece);
    return piece === "" ? [] : [{ type: "tool_input", callId: slot.shownId, name: slot.name, delta: piece }];
  }

  /** The calls in their order. `isCut`: the last one was cut off by the token limit, and stays as it is. */
  items(isCut: boolean): ToolCall[] {
    const taken = new Set<string>();
    return this.#slots.map((slot, index) => {
      const isFirstOfItsId = slot.id !== undefined && !taken.has(slot.id);
      const callId = isFirstOfItsId && slot.id !== undefined ? slot.id : slot.shownId;
      taken.add(callId);
      const name = cleanName(slot.name, this.#offered);
      const raw = argumentsOf(slot);
      const isHalf = isCut && index === this.#slots.length - 1 && parseJson(raw) === undefined;
      const input = isHalf ? { kind: "json" as const, raw } : toolInput(name, raw, this.#freeform);
      const sealed = slot.extra && { wire: "chat" as const, data: JSON.stringify(slot.extra) };
      return { type: "tool_call", callId, name, input, ...(sealed ? { sealed } : {}) };
    });
  }

  /** The open call that this piece belongs to; undefined when it begins a new one. */
  #find(head: Head): Slot | undefined {
    const { index } = head;
    const atIndex = index === undefined ? undefined : this.#slots.findLast((slot) => slot.indexes.has(index));
    return head.id === undefined ? this.#findUnnamed(head, atIndex) : this.#findById(head, atIndex);
  }

  #findById({ index, id, name }: Head, atIndex: Slot | undefined): Slot | undefined {
    const sameId = this.#slots.findLast((slot) => slot.id === id);
    if (sameId) {
      const isSame = index === undefined || name === undefined || sameId.indexes.has(index);
      return isSame ? sameId : atIndex;
    }
    const waiting = index === undefined ? this.#slots.at(-1) : atIndex;
    if (waiting?.id !== undefined) return undefined;
    // An id that comes late belongs to the call that still has none, unless that one is whole and this one has a name.
    return waiting && name !== undefined && isWhole(waiting) ? undefined : waiting;
  }

  #findUnnamed({ index, name }: Head, atIndex: Slot | undefined): Slot | undefined {
    const newest = this.#slots.at(-1);
    if (name === undefined) return atIndex ?? newest;
    if (index !== undefined) return atIndex && !isWhole(atIndex) ? atIndex : undefined;
    // A name without id and index: a new call, or a server that repeats the name with each piece.
    const isRepeat = newest?.name === name && newest.joined !== "" && !isWhole(newest);
    return isRepeat ? newest : undefined;
  }

  #open(): Slot {
    const slot: Slot = {
      id: undefined,
      name: "",
      indexes: new Set(),
      joined: "",
      last: "",
      isGrowing: true,
      pieces: 0,
      extra: undefined,
      shownId: newCallId(),
    };
    this.#slots.push(slot);
    return slot;
  }
}

function pieceOf(args: unknown): string {
  if (typeof args === "string") return args;
  return args === null || args === undefined ? "" : JSON.stringify(args);
}

function append(slot: Slot, piece: string): void {
  if (piece === "") return;
  slot.isGrowing &&= piece.startsWith(slot.last);
  slot.joined += piece;
  slot.last = piece;
  slot.pieces += 1;
}

/**
 * Pieces are to be joined. Some servers repeat the whole text so far in each piece, some send the pieces and then the
 * whole once more. JSON tells: of the possible readings, the one that parses is meant.
 */
function argumentsOf(slot: Slot): string {
  const { joined, last, isGrowing, pieces } = slot;
  if (parseJson(joined) !== undefined) return joined;
  const before = joined.slice(0, joined.length - last.length);
  // An end that happens to be JSON, such as the string in `{"a": ` and `"b"`, is not a repetition of what came before it.
  const isRepeated = parseJson(before) !== undefined;
  if ((isGrowing || isRepeated) && parseJson(last) !== undefined) return last;
  return isGrowing && pieces > 2 ? last : joined;
}

function isWhole(slot: Slot): boolean {
  return slot.joined !== "" && isRecord(parseJson(argumentsOf(slot)));
}

function grownName(name: string, piece: string): string {
  if (name === "" || piece.startsWith(name)) return piece;
  return name.endsWith(piece) ? name : name + piece;
}

/** Without what leaks in from the model's own markup: `exec<|channel|>commentary`, `functions.exec`. */
function cleanName(name: string, offered: ReadonlySet<string>): string {
  const bare = name.replace(/<\|.*$/s, "").trim();
  const short = bare.replace(/^functions?\./, "");
  return !offered.has(bare) && offered.has(short) ? short : bare;
}
