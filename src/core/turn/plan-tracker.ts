import type { PlanStep } from "../../protocol/details.ts";
import type { Emit, ItemId } from "../../protocol/events.ts";

/** The to-do list of a turn: one item, started by the first plan, completed when the turn ends. */
export class PlanTracker {
  readonly #emit: Emit;
  readonly #newId: () => ItemId;
  #open: { id: ItemId; steps: PlanStep[] } | undefined;

  constructor(emit: Emit, newId: () => ItemId) {
    this.#emit = emit;
    this.#newId = newId;
  }

  show(steps: PlanStep[]): void {
    const type = this.#open ? "item.updated" : "item.started";
    this.#open = { id: this.#open?.id ?? this.#newId(), steps };
    this.#emit({ type, item: { ...this.#open, type: "todo_list" } });
  }

  close(): void {
    if (this.#open) this.#emit({ type: "item.completed", item: { ...this.#open, type: "todo_list" } });
    this.#open = undefined;
  }
}
