import type { StatusFacts } from "./status.ts";

/** What the status line can show, by the names of the settings, and which facts each one is. */
export const STATUS_ITEMS = [
  { name: "model", about: "the model", facts: ["model"] },
  { name: "harness", about: "how the model is spoken to", facts: ["harness"] },
  { name: "permissions", about: "what commands may touch; full access is always shown", facts: ["sandbox"] },
  { name: "approval-mode", about: "when you are asked", facts: ["approvals"] },
  { name: "current-dir", about: "the folder", facts: ["folder"] },
  { name: "git-branch", about: "the branch", facts: ["branch"] },
  { name: "context-remaining", about: "how much of the context is left", facts: ["contextLeft"] },
  { name: "used-tokens", about: "tokens that were used", facts: ["tokens"] },
  { name: "estimated-thread-cost", about: "what it cost, where the price is known", facts: ["cost"] },
] as const satisfies readonly { name: string; about: string; facts: readonly (keyof StatusFacts)[] }[];

/** The facts that are to be shown; without a list, all of them. What takes the sandbox away is never left out. */
export function chosenFacts(facts: StatusFacts, names: readonly string[] | undefined): StatusFacts {
  if (!names) return facts;
  const hidden = new Set<string>(
    STATUS_ITEMS.filter(({ name }) => !names.includes(name)).flatMap((item) => item.facts),
  );
  const isKept = ([key, value]: [string, unknown]) => !hidden.has(key) || value === "danger-full-access";
  return Object.fromEntries(Object.entries(facts).filter(isKept));
}
