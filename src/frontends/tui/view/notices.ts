import type { ApprovalRequest } from "../../../protocol/approvals.ts";
import { fit, safe, wrap } from "./text.ts";
import type { Theme } from "./theme.ts";

export type Notice = { level: "info" | "warning" | "error"; text: string; hint?: string };

/** A sentence about what happened, and a row that says what to do. */
export function noticeRows({ level, text, hint }: Notice, width: number, theme: Theme): string[] {
  const mark = { info: theme.marks.bullet, warning: "!", error: theme.marks.failed }[level];
  const paint = { info: theme.dim, warning: theme.warning, error: theme.error }[level];
  const rows = safe(text)
    .split("\n")
    .flatMap((line) => wrap(line, Math.max(1, width - 2)));
  const advice =
    hint === undefined
      ? []
      : safe(hint)
          .split("\n")
          .flatMap((line) => wrap(line, Math.max(1, width - 2)));
  return [
    ...rows.map((row, i) => paint(`${i === 0 ? mark : " "} ${row}`)),
    ...advice.map((row) => theme.dim(`  ${row}`)),
  ];
}

/** What was decided about a question, in one row. */
export function approvalAfterRows(
  request: ApprovalRequest,
  decision: string,
  subject: string,
  { width, theme }: { width: number; theme: Theme },
): string[] {
  const words: Readonly<Record<string, string>> = {
    approved: "allowed once",
    approved_for_session: "allowed for this session",
    approved_with_rule: "allowed by rule",
    denied: "refused",
    abort: "refused and stopped",
  };
  const isYes = decision.startsWith("approved");
  const mark = isYes ? theme.ok(theme.marks.ok) : theme.error(theme.marks.failed);
  const what = subject === "" ? request.kind : subject;
  return [fit(`${mark} ${words[decision] ?? decision}: ${safe(what).replace(/\s*\n\s*/g, " ")}`, "", width)];
}
