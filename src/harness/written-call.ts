import type { Item } from "../protocol/items.ts";

/** A call as it was found in an answer: the name of a tool of the harness file, and its parameters. */
export type WrittenCall = { name: string; parameters: Readonly<Record<string, unknown>> };

/** How a model without tool calls acts: it writes what to do as text. */
export interface TextProtocol {
  /** The calls in an answer. `before` is the conversation that it answers. */
  callsIn(answer: string, before: readonly Item[]): WrittenCall[];
  /** What to say to the answer at the end of `items`, which makes no call; undefined when it ends the turn. */
  reply(items: readonly Item[]): string | undefined;
}
