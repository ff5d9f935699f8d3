import type { ApprovalRequest } from "../../../protocol/approvals.ts";
import { beginsWith, plainWords, wordsOf } from "../../../util/plain-command.ts";
import type { ApprovalAnswer } from "../state.ts";

export type Choice = {
  key: string;
  /** What it means, its reach in words. */
  text: string;
  does: { answer: ApprovalAnswer } | { stage: "reason" | "edit" | "rule" } | { shows: "full" };
};

/** What the user can answer, in the order of the list. None of them is a default. */
export function choicesOf(request: ApprovalRequest): Choice[] {
  return [
    { key: "y", text: "once", does: { answer: { decision: "approved" } } },
    { key: "a", text: sessionReach(request), does: { answer: { decision: "approved_for_session" } } },
    ...ruleChoice(request),
    ...keepChoice(request),
    { key: "n", text: "no, and say what to do instead", does: { stage: "reason" } },
    ...(request.kind === "command"
      ? [{ key: "e", text: "edit the command first", does: { stage: "edit" } } satisfies Choice]
      : []),
    { key: "v", text: "full text", does: { shows: "full" } },
  ];
}

function ruleChoice(request: ApprovalRequest): Choice[] {
  if (request.kind !== "command" || !request.proposedRule) return [];
  const text = `this session, commands that begin with  ${request.proposedRule.join(" ")}`;
  return [{ key: "p", text, does: { stage: "rule" } }];
}

function keepChoice(request: ApprovalRequest): Choice[] {
  if (request.kind !== "mcp" || !request.mayKeep) return [];
  const text = `always, every call of ${request.tool}; config.toml will say so`;
  return [{ key: "w", text, does: { answer: { decision: "approved_always" } } }];
}

/** These words as a rule: how the command begins, and no shorter than what was offered. Else undefined. */
export function ruleFrom(request: ApprovalRequest, text: string): string[] | undefined {
  const rule = wordsOf(text);
  const words = request.kind === "command" ? plainWords(request.argv) : undefined;
  const offered = request.kind === "command" ? request.proposedRule : undefined;
  const isFit = rule && words && offered && beginsWith(words, rule) && beginsWith(rule, offered);
  return isFit ? rule : undefined;
}

function sessionReach(request: ApprovalRequest): string {
  switch (request.kind) {
    case "command":
      return "this session, this exact command";
    case "patch":
      return request.changes.length === 1 ? "this session, this file" : "this session, these files";
    case "permissions":
      return "this session, this access";
    case "mcp":
      return `this session, every call of ${request.tool}`;
  }
}
