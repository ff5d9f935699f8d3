import type { ApprovalDecision, ApprovalRequest } from "../../../protocol/approvals.ts";
import type { ErrorInfo } from "../../../util/errors.ts";
import { cut, hang, safe, safeLine } from "./text.ts";
import type { Theme } from "./theme.ts";

export type Notice = { level: "info" | "warning" | "error"; text: string; hint?: string };

/** The user stopped the turn. */
export const INTERRUPTED: Notice = { level: "info", text: "Interrupted." };

/** A failure as a sentence. */
export function errorNotice({ message, hint }: { message: string; hint?: string | undefined }): Notice {
  return { level: "error", text: message, ...(hint === undefined ? {} : { hint }) };
}

/** The same of a turn: where no server answers, another model may. */
export function failureNotice({ code, message, hint }: ErrorInfo): Notice {
  const more = code === "model.unreachable" ? "/model for another" : undefined;
  const shown = [hint, more].filter((part) => part !== undefined).join(", or ");
  return errorNotice({ message, hint: shown === "" ? undefined : shown });
}

/** A sentence about what happened, and a row that says what to do. */
export function noticeRows({ level, text, hint }: Notice, width: number, theme: Theme): string[] {
  const mark = { info: theme.marks.bullet, warning: theme.marks.warning, error: theme.marks.failed }[level];
  const paint = { info: theme.dim, warning: theme.warning, error: theme.error }[level];
  return [
    ...hang(safe(text), width, `${mark} `).map((row) => paint(row)),
    ...(hint ? hang(safe(hint), width, "  ").map((row) => theme.dim(row)) : []),
  ];
}

const DECISIONS: Readonly<Record<ApprovalDecision["decision"], string>> = {
  approved: "allowed once",
  approved_for_session: "allowed for this session",
  approved_always: "always allowed",
  approved_with_rule: "allowed for this session, with all that begin so",
  denied: "refused",
  abort: "refused and stopped",
};

/** What was decided about a question, in one row. */
export function approvalAfterRows(
  request: ApprovalRequest,
  decision: ApprovalDecision["decision"],
  subject: string,
  { width, theme }: { width: number; theme: Theme },
): string[] {
  const isYes = decision !== "denied" && decision !== "abort";
  const mark = isYes ? theme.ok(theme.marks.ok) : theme.error(theme.marks.failed);
  const what = subject === "" ? request.kind : safeLine(subject);
  return [cut(`${mark} ${DECISIONS[decision]}: ${what}`, width)];
}
