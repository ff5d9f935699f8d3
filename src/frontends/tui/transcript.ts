import type { ApprovalDecision, ApprovalRequest } from "../../protocol/approvals.ts";
import type { ItemId, ThreadItem, TurnEvent } from "../../protocol/events.ts";
import { isOwnCommand } from "../../protocol/own-command.ts";
import type { Cell, Entry } from "./transcript-entry.ts";
import { entryRows, gapBetween } from "./transcript-rows.ts";
import { explorationRows, isExploring } from "./view/exploration.ts";
import { MarkdownStream } from "./view/markdown.ts";
import { indent } from "./view/text.ts";
import type { Theme } from "./view/theme.ts";

/** How much of a running command's output is kept for its cell; its end brings the whole. */
const LIVE_OUTPUT = 16 * 1024;
/** An answer is set in by this much. */
const MARGIN = "  ";

/**
 * The conversation as cells. What is finished is given out once, as rows for the scrollback; the rest is live. All of it
 * stays known, for the pager.
 */
export class Transcript {
  readonly #entries: Entry[] = [];
  readonly #running = new Map<ItemId, Entry>();
  /** How many entries are in the scrollback as a whole. */
  #committed = 0;
  /** Where the conversation that is open begins. */
  #first = 0;
  #isInTurn = false;
  #plan: Entry | undefined;
  readonly #asked = new Map<string, ApprovalRequest>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Of the conversation that is open. */
  get cells(): readonly Cell[] {
    return this.#entries.slice(this.#first).map(({ cell }) => cell);
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** The last thing that the model said. */
  get lastAnswer(): string | undefined {
    const last = this.#entries
      .slice(this.#first)
      .findLast(
        ({ cell }) => cell.kind === "item" && cell.item.type === "agent_message" && cell.item.text !== "",
      );
    return last?.cell.kind === "item" && last.cell.item.type === "agent_message"
      ? last.cell.item.text
      : undefined;
  }

  /** Another conversation follows; the one before stays in the scrollback. */
  begin(): void {
    this.endTurn();
    this.#first = this.#entries.length;
  }

  add(cell: Cell): void {
    this.#entries.push({ cell, isRunning: false });
  }

  take(event: TurnEvent): void {
    switch (event.type) {
      case "turn.started":
        this.#isInTurn = true;
        return;
      case "turn.completed":
      case "turn.failed":
      case "turn.aborted":
        this.#keepPlan();
        return;
      case "item.started":
        this.#start(event.item);
        return;
      case "item.updated":
        this.#update(event.item);
        return;
      case "item.delta":
        this.#delta(event.id, event.field, event.delta);
        return;
      case "item.completed":
        this.#complete(event.item);
        return;
      case "approval.requested":
        this.#asked.set(event.request.id, event.request);
        return;
      case "approval.resolved":
        this.#answered(event.id, event.decision.decision);
        return;
      default: // the other events are not cells
    }
  }

  /** The turn is over: nothing of it runs any more. */
  endTurn(): void {
    this.#isInTurn = false;
    for (const entry of this.#running.values()) entry.isRunning = false;
    this.#running.clear();
    this.#keepPlan();
  }

  /** Before what is said about the end of the turn. */
  #keepPlan(): void {
    if (this.#plan) this.#entries.push({ ...this.#plan, isRunning: false });
    this.#plan = undefined;
  }

  /** Leaves out what the user said last in these words, and everything after it. What is in the scrollback stays there. */
  dropFrom(text: string): void {
    const at = this.#entries.findLastIndex(
      ({ cell }) => cell.kind === "user" && cell.text.trim() === text.trim(),
    );
    if (at < this.#first) return;
    this.endTurn();
    this.#entries.length = at;
    this.#committed = Math.min(this.#committed, at);
  }

  /** Nothing of what was said so far is shown again; the pager starts anew. */
  clear(): void {
    this.#entries.length = 0;
    this.#running.clear();
    this.#plan = undefined;
    this.#committed = 0;
    this.#first = 0;
  }

  /** Rows that are finished and were not given out yet. */
  commit(width: number, theme: Theme): string[] {
    const rows: string[] = [];
    for (let entry = this.#entries[this.#committed]; entry; entry = this.#entries[this.#committed]) {
      const looks = this.#looksFrom(this.#committed);
      if (looks.length > 0) {
        if (!this.#areOver(looks)) break;
        rows.push(...this.#looksRows(looks, width, theme));
        this.#committed += looks.length;
        continue;
      }
      rows.push(...this.#finished(entry, width, theme));
      if (entry.isRunning) break;
      this.#committed += 1;
    }
    return rows;
  }

  /** Rows of what is not finished. */
  live(width: number, theme: Theme): string[] {
    const rows: string[] = [];
    for (let i = this.#committed; i < this.#entries.length; i++) {
      const entry = this.#entries[i];
      if (!entry) continue;
      const looks = this.#looksFrom(i);
      if (looks.length > 0) {
        rows.push(...this.#looksRows(looks, width, theme));
        i += looks.length - 1;
        continue;
      }
      const own = entry.stream
        ? indent(entry.stream.open(width - MARGIN.length, theme), MARGIN)
        : entryRows(entry, { width, theme, isExpanded: false });
      const isFirst = !entry.hasBegun && own.length > 0;
      rows.push(...(isFirst ? gapBetween(this.#entries[i - 1]?.cell, entry.cell) : []), ...own);
    }
    if (this.#plan) rows.push("", ...entryRows(this.#plan, { width, theme, isExpanded: false }));
    return rows;
  }

  /** Commands that only read and search, one after the other: they are one cell. */
  #looksFrom(start: number): Entry[] {
    const end = this.#entries.findIndex((entry, i) => i >= start && !isLook(entry));
    return this.#entries.slice(start, end < 0 ? undefined : end);
  }

  /** Nothing can come to them any more. */
  #areOver(looks: readonly Entry[]): boolean {
    const isLast = this.#entries.at(-1) === looks.at(-1);
    return looks.every(({ isRunning }) => !isRunning) && !(isLast && this.#isInTurn);
  }

  #looksRows(looks: readonly Entry[], width: number, theme: Theme): string[] {
    const [first] = looks;
    if (!first) return [];
    const items = looks.flatMap(({ cell }) =>
      cell.kind === "item" && cell.item.type === "command_execution" ? [cell.item] : [],
    );
    const isRunning = looks.some((entry) => entry.isRunning);
    const before = this.#entries[this.#entries.indexOf(first) - 1]?.cell;
    return [
      ...gapBetween(before, first.cell),
      ...explorationRows(items, { width, theme, isRunning, isExpanded: false }),
    ];
  }

  #finished(entry: Entry, width: number, theme: Theme): string[] {
    const inner = Math.max(1, width - MARGIN.length);
    const own = entry.stream
      ? indent(entry.isRunning ? entry.stream.commit(inner, theme) : entry.stream.end(inner, theme), MARGIN)
      : entry.isRunning
        ? []
        : entryRows(entry, { width, theme, isExpanded: false });
    if (own.length === 0 || entry.hasBegun) return own;
    entry.hasBegun = true;
    return [...gapBetween(this.#entries[this.#committed - 1]?.cell, entry.cell), ...own];
  }

  #start(item: ThreadItem): void {
    const entry: Entry = { cell: { kind: "item", item }, isRunning: true, startedAt: this.#now() };
    if (item.type === "todo_list") {
      this.#plan = entry;
      return;
    }
    if (item.type === "agent_message") entry.stream = new MarkdownStream();
    this.#running.set(item.id, entry);
    this.#entries.push(entry);
  }

  #update(item: ThreadItem): void {
    if (item.type === "todo_list") {
      this.#plan = { cell: { kind: "item", item }, isRunning: true };
      return;
    }
    const entry = this.#running.get(item.id);
    if (!entry) return;
    if (!entry.stream) {
      entry.cell = { kind: "item", item };
      return;
    }
    // A torn answer comes again from its beginning. What is in the scrollback can't be taken back.
    this.#settle(item.id, entry);
    this.add({
      kind: "notice",
      notice: { level: "info", text: "The answer broke off and is asked for again." },
    });
    this.#start(item);
  }

  #delta(id: ItemId, field: "text" | "reasoning" | "output", delta: string): void {
    const entry = this.#running.get(id);
    if (entry?.cell.kind !== "item") return;
    const { item } = entry.cell;
    entry.stream?.push(delta);
    if (field === "output" && item.type === "command_execution") {
      const output = (item.output + delta).slice(-LIVE_OUTPUT);
      entry.cell = { kind: "item", item: { ...item, output } };
    } else if (field === "output" && item.type === "mcp_tool_call") {
      // How far the server is, until there is a result.
      const result = { content: [{ type: "text", text: delta.trimEnd() }] };
      entry.cell = { kind: "item", item: { ...item, result } };
    } else if (item.type === "agent_message" || item.type === "reasoning") {
      entry.cell = { kind: "item", item: { ...item, text: item.text + delta } };
    }
  }

  #complete(item: ThreadItem): void {
    if (item.type === "todo_list") {
      this.#plan = { cell: { kind: "item", item }, isRunning: true };
      return;
    }
    const known = this.#running.get(item.id);
    const entry = known ?? { cell: { kind: "item", item }, isRunning: true };
    if (!known) this.#entries.push(entry);
    if (
      entry.stream &&
      entry.cell.kind === "item" &&
      "text" in entry.cell.item &&
      entry.cell.item.text === ""
    )
      entry.stream.push(item.type === "agent_message" ? item.text : "");
    entry.cell = { kind: "item", item };
    this.#settle(item.id, entry);
  }

  #answered(id: string, decision: ApprovalDecision["decision"]): void {
    const request = this.#asked.get(id);
    this.#asked.delete(id);
    if (request) this.add({ kind: "approval", request, decision });
  }

  #settle(id: ItemId, entry: Entry): void {
    entry.isRunning = false;
    if (entry.startedAt !== undefined) entry.tookMs = this.#now() - entry.startedAt;
    this.#running.delete(id);
  }
}

/** Whoever runs a command themselves wants to see what it says. */
function isLook({ cell }: Entry): boolean {
  if (cell.kind !== "item" || cell.item.type !== "command_execution") return false;
  return isExploring(cell.item) && !isOwnCommand(cell.item.id);
}
