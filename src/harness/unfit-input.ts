import { isRecord } from "../util/json.ts";
import { type Misfit, misfit, shown } from "./misfit.ts";
import type { HarnessTool } from "./schema.ts";

/** What a native tool's own check has found: where, and what is wrong there. */
export type InputIssue = { path: readonly PropertyKey[]; message: string };

/**
 * The same in the names that the model knows. The schema of a harness is that of another program, or a user's, and may
 * allow what the native tool does not take.
 */
export function unfitInput({ args }: HarnessTool, input: unknown, { path, message }: InputIssue): Misfit {
  const [first = "", ...rest] = path.map(String);
  const field = [parameterOf(args, first), ...rest].join(".");
  const value = path.reduce<unknown>((at, key) => (isIndexable(at) ? at[String(key)] : undefined), input);
  const { problem, reason } = misfit(field, reasonOf(value, message));
  return value === undefined
    ? { problem: `missing field \`${field}\``, field, reason: "missing" }
    : { problem, field, reason };
}

/** Where an input comes from; the first of several parameters that mean the same. */
function parameterOf(args: HarnessTool["args"], input: string): string {
  const argument = args && Object.hasOwn(args, input) ? args[input] : undefined;
  if (typeof argument === "string") return argument;
  if (argument === undefined || !("from" in argument)) return input;
  return [argument.from].flat()[0] ?? input;
}

/** The check names values of the native tool, which are not always those of the harness. */
function reasonOf(value: unknown, message: string): string {
  const wanted = /^[^:]*: (expected (?!one of).*)$/.exec(message)?.[1];
  return `${wanted ?? "can't be used"}, found ${shown(value)}`;
}

function isIndexable(value: unknown): value is Record<string, unknown> {
  return isRecord(value) || Array.isArray(value);
}
