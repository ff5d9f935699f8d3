import type { Quirks } from "../model/types.ts";

/**
 * Habits of the catalog's providers that their address does not tell; the catalog names them. Hosts that are known by
 * address wherever they are configured have theirs in model/quirks.ts.
 */
const SETS = {
  /** Ollama, on whatever port: reads thoughts back from this field only, and drops max_completion_tokens silently. */
  ollama: { reasoningField: "reasoning", reasoningParam: "reasoning_effort", maxTokensField: "max_tokens" },
  /** Thinking is switched by `enable_thinking`. */
  "enable-thinking": { reasoningParam: "enable_thinking" },
  /** Thinking is switched by `thinking: { type }`. */
  "thinking-type": { reasoningParam: "thinking" },
} as const satisfies Readonly<Record<string, Quirks>>;

export type QuirksId = keyof typeof SETS;

export function quirksNamed(id: QuirksId | undefined): Quirks {
  return id === undefined ? {} : SETS[id];
}

export function quirkIds(): string[] {
  return Object.keys(SETS);
}
