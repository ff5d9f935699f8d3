import { isRecord } from "../../../util/json.ts";
import { nearest } from "../../../util/nearest.ts";
import { plainKeyName } from "./key-names.ts";
import { type Bindings, keymapWith } from "./keymap.ts";

/** What is wrong with the user's own keys (`tui.keymap`), a sentence each: unknown names, and keys that mean two things. */
export function keymapProblems(own: unknown): string[] {
  if (own === undefined) return [];
  if (!isRecord(own)) return ["tui.keymap must be a table of contexts"];
  const keymap = keymapWith(own);
  const known: Readonly<Record<string, Bindings<string>>> = keymap;
  return Object.entries(own).flatMap(([context, actions]) => {
    const bindings = Object.hasOwn(known, context) ? known[context] : undefined;
    if (!bindings) return [`tui.keymap has no context "${context}"${tip(context, Object.keys(known))}`];
    if (!isRecord(actions)) return [`tui.keymap.${context} must be a table of actions`];
    return [...problemsIn(context, actions, bindings), ...conflictsIn(context, bindings)];
  });
}

function problemsIn(
  context: string,
  actions: Readonly<Record<string, unknown>>,
  bindings: Bindings<string>,
): string[] {
  const names = bindings.map(([action]) => action);
  return Object.entries(actions).flatMap(([action, keys]) => {
    const place = `tui.keymap.${context}`;
    if (!names.includes(action)) return [`${place} has no action "${action}"${tip(action, names)}`];
    const list = Array.isArray(keys) ? keys : [keys];
    return list.flatMap((key) => {
      if (typeof key !== "string") return [`${place}.${action} must be a key, a list of keys, or []`];
      if (plainKeyName(key) !== undefined) return [];
      const what = /\S\s+\S/.test(key) ? "is several keys; one is needed" : "is not a known key";
      return [`${place}.${action}: "${key}" ${what}`];
    });
  });
}

function conflictsIn(context: string, bindings: Bindings<string>): string[] {
  const users = new Map<string, string[]>();
  for (const [action, keys] of bindings)
    for (const key of new Set(keys)) users.set(key, [...(users.get(key) ?? []), action]);
  return [...users].flatMap(([key, actions]) =>
    actions.length < 2 ? [] : [`tui.keymap.${context}: "${key}" is both ${actions.join(" and ")}`],
  );
}

function tip(name: string, names: readonly string[]): string {
  const near = nearest(name, names, 3);
  return near === undefined ? "" : `, did you mean "${near}"?`;
}
