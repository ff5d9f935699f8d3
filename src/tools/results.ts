import type { ToolDetail } from "../protocol/details.ts";
import type { Access } from "../protocol/policy.ts";
import type { Prepared, ToolResult } from "./types.ts";

type Fields = ToolResult["fields"];

/** A result with one text; `detail` is what people see of it. */
export function textResult(
  ok: boolean,
  text: string,
  fields?: Fields,
  detail: ToolDetail = { kind: "none" },
): ToolResult {
  return { ok, content: [{ type: "input_text", text }], ...(fields === undefined ? {} : { fields }), detail };
}

/** A search that could not be made, for harnesses that tell of each search how long it took. */
export function failedSearch(text: string, begin: number): ToolResult {
  return textResult(false, text, { case: "failed", wallTime: secondsSince(begin) });
}

/** In seconds, `begin` by `performance.now()`. */
export function secondsSince(begin: number): string {
  return ((performance.now() - begin) / 1000).toFixed(3);
}

/** The answer to a call that can't work, known before anything is shown or asked. */
export function refused(text: string): Prepared {
  return { refused: textResult(false, text) };
}

/** A call that only reads, for policy: nobody is asked unless a path is off limits. */
export function readingCall(
  reads: string[],
  run: (ctx: Parameters<Extract<Prepared, { ready: unknown }>["ready"]["run"]>[0]) => Promise<ToolResult>,
): Prepared {
  const access: Access = { reads };
  return { ready: { access, subject: { kind: "permissions", access }, shown: { kind: "none" }, run } };
}
