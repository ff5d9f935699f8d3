import type { SessionFacts } from "../protocol/events.ts";
import { type Item, textOf, userText } from "../protocol/items.ts";
import { NO_USAGE, type Usage } from "../protocol/usage.ts";
import { isRecord, type Json } from "../util/json.ts";
import { readJsonl } from "../util/jsonl.ts";
import { EndedCalls } from "./ended-calls.ts";
import { decodeContext, decodeFacts } from "./facts-lines.ts";
import { decodeItem } from "./item-lines.ts";
import { listAt, numberAt, objectAt, textAt } from "./json.ts";
import { RECORD_START, type RolloutRecord, readRecord } from "./record.ts";
import { repairHistory } from "./repair.ts";
import type { Damage, LastContext, OpenedSession, SessionWriter } from "./types.ts";

export type Replayed = {
  facts: SessionFacts;
  /** False when the line that holds the facts was lost, and they were put together from the others. */
  factsFound: boolean;
  history: Item[];
  /** What the user began each turn with, the oldest first. */
  turns: string[];
  usage: Usage;
  answers: number;
  damage: Damage;
  lastContext?: LastContext;
  nextOrdinal: number;
  /** Lines that could be used; 0 means that this is not a session file, or that nothing is left of it. */
  records: number;
};

/** What is known of a session before its lines are read. */
export type Known = { id: string; createdAt: string };

export type ReplayOptions = {
  /** Sees each line that can be used, and the one for turns that are left out. */
  onRecord?(record: RolloutRecord): void;
  /** How many of the last turns are left out, by a line that says so. */
  dropTurns?: number | undefined;
};

/** Reads a session file without touching it. `known` is what its name tells. */
export async function replayFile(path: string, known: Known, options: ReplayOptions = {}): Promise<Replayed> {
  const replay = new Replay(options.onRecord);
  const sink = { value: (value: unknown) => replay.add(value), damage: () => replay.addDamage() };
  await readJsonl(path, sink, { lineStart: RECORD_START });
  if (options.dropTurns) replay.dropTurns(options.dropTurns);
  return replay.finish(known);
}

/** What `SessionStore.open` and `fork` hand out. */
export function openedSession(replayed: Replayed, facts: SessionFacts, writer: SessionWriter): OpenedSession {
  const { history, usage, answers, damage, lastContext } = replayed;
  return {
    facts,
    history,
    usage,
    answers,
    damage,
    writer,
    ...(lastContext === undefined ? {} : { lastContext }),
  };
}

/** Rebuilds a session from its lines, in order. */
export class Replay {
  #items: Item[] = [];
  readonly #ended = new EndedCalls();
  /** Where each turn began. A compaction starts a new list and leaves the old one to the turns before it. */
  #turns: BegunTurn[] = [];
  #meta: { payload: Json; metadata: Json } | undefined;
  #lastContext: LastContext | undefined;
  #usage: Usage = NO_USAGE;
  #answers = 0;
  #records = 0;
  #brokenLines = 0;
  #lastOrdinal = -1;
  #firstTimestamp = "";
  #lastTimestamp = "";
  readonly #onRecord: ((record: RolloutRecord) => void) | undefined;

  constructor(onRecord?: (record: RolloutRecord) => void) {
    this.#onRecord = onRecord;
  }

  /** `value` is the JSON of one line. */
  add(value: unknown): void {
    const record = readRecord(value);
    if (record === undefined) {
      this.addDamage();
      return;
    }
    this.#records++;
    this.#lastOrdinal = Math.max(this.#lastOrdinal + 1, record.ordinal ?? 0);
    if (this.#firstTimestamp === "") this.#firstTimestamp = record.timestamp;
    this.#lastTimestamp = record.timestamp;
    this.#use(record);
    this.#onRecord?.(record);
  }

  #use({ type, payload, metadata = {} }: RolloutRecord): void {
    if (type === "response_item") this.#append(payload, metadata);
    else if (type === "turn_context")
      this.#lastContext = decodeContext(payload, metadata) ?? this.#lastContext;
    else if (!isRecord(payload)) return;
    else if (type === "session_meta") this.#meta ??= { payload, metadata };
    else if (type === "compacted") this.#compact(payload, metadata);
    else if (type === "event_msg") this.#addEvent(payload, metadata);
  }

  /** Leaves out the last turns, as if a line at the end said so. */
  dropTurns(count: number): void {
    const payload = { type: "thread_rolled_back", num_turns: count };
    this.add({ timestamp: this.#lastTimestamp, type: "event_msg", payload });
  }

  addDamage(): void {
    this.#brokenLines++;
  }

  finish(known: Known): Replayed {
    const context = this.#lastContext;
    const fallback = {
      id: known.id,
      createdAt: known.createdAt || this.#firstTimestamp,
      cwd: context?.cwd ?? "",
      provider: context?.provider ?? "unknown",
      model: context?.model ?? "unknown",
      harness: context?.harness ?? "native",
    };
    const meta = this.#meta;
    const { history, repairedCalls } = repairHistory(this.#items, this.#ended.results);
    return {
      facts: decodeFacts(meta?.payload ?? {}, meta?.metadata ?? {}, fallback),
      factsFound: meta !== undefined,
      history,
      turns: this.#turns.map(beginningOf),
      usage: this.#usage,
      answers: this.#answers,
      damage: { lines: this.#brokenLines, repairedCalls },
      ...(context === undefined ? {} : { lastContext: context }),
      nextOrdinal: this.#lastOrdinal + 1,
      records: this.#records,
    };
  }

  #append(payload: unknown, metadata: Json): void {
    const item = decodeItem(payload, metadata);
    if (item === "broken") this.addDamage();
    else if (item !== "unknown") {
      this.#items.push(item);
      this.#ended.see(item);
    }
  }

  #compact(payload: Json, metadata: Json): void {
    const before = this.#items;
    this.#items = [];
    const kept = listAt(payload, "replacement_history");
    if (kept !== undefined) {
      const beside = listAt(metadata, "items") ?? [];
      for (const [index, item] of kept.entries()) {
        const facts = beside[index];
        this.#append(item, isRecord(facts) ? facts : {});
      }
      return;
    }
    // Older files give only the summary: it stood for all but the user's own words.
    const words = before.filter((item) => item.type === "message" && item.role === "user");
    this.#items.push(...words, userText(textAt(payload, "message") ?? ""));
  }

  #addEvent(payload: Json, metadata: Json): void {
    switch (textAt(payload, "type")) {
      case "item_completed": {
        const callId = textAt(metadata, "call_id");
        if (callId !== undefined) this.#ended.note(callId, objectAt(payload, "item") ?? {});
        return;
      }
      case "task_started":
      case "turn_started":
        this.#turns.push({ items: this.#items, length: this.#items.length, announced: true, text: "" });
        return;
      case "user_message":
        this.#addUserMessage(textAt(payload, "message") ?? "");
        return;
      case "thread_rolled_back":
        this.#rollBack(numberAt(payload, "num_turns") ?? 0);
        return;
      case "token_count": {
        const total = objectAt(objectAt(payload, "info") ?? {}, "total_token_usage");
        if (total === undefined) return;
        this.#usage = decodeUsage(total);
        this.#answers++;
        return;
      }
      case undefined:
        this.addDamage();
    }
  }

  /** The first message of a turn follows its start. In files without starts, each message begins a turn. */
  #addUserMessage(text: string): void {
    const turn = this.#turns.at(-1);
    if (turn?.announced) {
      turn.announced = false;
      turn.text = text;
      return;
    }
    const last = this.#items.at(-1);
    const isRecorded = last?.type === "message" && last.role === "user";
    const length = this.#items.length - (isRecorded ? 1 : 0);
    this.#turns.push({ items: this.#items, length, announced: false, text });
  }

  #rollBack(count: number): void {
    const turn = count > 0 ? this.#turns[Math.max(0, this.#turns.length - count)] : undefined;
    if (turn === undefined) return;
    this.#items = turn.items.slice(0, turn.length);
    this.#turns = this.#turns.slice(0, -count);
  }
}

type BegunTurn = { items: Item[]; length: number; announced: boolean; text: string };

/** Files without lines for what the user said have it among their items, after notes about the surroundings. */
function beginningOf({ text, items, length }: BegunTurn): string {
  if (text !== "") return text;
  const first = items
    .slice(length)
    .find((item) => item.type === "message" && item.role === "user" && !textOf(item.content).startsWith("<"));
  return first?.type === "message" ? textOf(first.content) : "";
}

function decodeUsage(total: Json): Usage {
  return {
    input: numberAt(total, "input_tokens") ?? 0,
    cachedInput: numberAt(total, "cached_input_tokens") ?? 0,
    cacheWrite: numberAt(total, "cache_write_input_tokens") ?? 0,
    output: numberAt(total, "output_tokens") ?? 0,
    reasoning: numberAt(total, "reasoning_output_tokens") ?? 0,
  };
}
