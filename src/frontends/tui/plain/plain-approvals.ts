import type { ApprovalDecision, ApprovalRequest } from "../../../protocol/approvals.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import { choicesOf, scriptOf } from "../approval/choices.ts";
import { titleOf } from "../approval/rows.ts";
import type { Asker } from "../prompts/asker.ts";

/** Asks for one consent, in numbered lines. Enter alone answers nothing; Ctrl+C refuses and stops the turn. */
export async function askApproval(asker: Asker, request: ApprovalRequest): Promise<ApprovalDecision> {
  if (request.reason !== undefined) asker.say(`reason: ${request.reason}`);
  asker.say(subjectOf(request));
  const choices = choicesOf(request)
    .filter(({ key }) => key !== "v")
    .map((choice) => ({ value: choice.does, label: choice.text, key: choice.key, hint: choice.key }));
  const does = await asker.choose({ message: titleOf(request), choices });
  if (!does || "shows" in does) return { decision: "abort" };
  if ("answer" in does) return does.answer;
  const isEdit = does.stage === "edit";
  const text = await asker.text({
    message: isEdit ? "Another command" : "What to do instead (Enter for no reason)",
  });
  if (text === undefined || text === "") return { decision: "denied" };
  const message = isEdit
    ? `the user wants another command in its place; run this one: ${text}`
    : `the user denied this call and says: ${text}`;
  return { decision: "denied", message };
}

const OUTCOMES: Readonly<Record<ApprovalDecision["decision"], string>> = {
  approved: "allowed once",
  approved_for_session: "allowed for this session",
  approved_with_rule: "allowed by a rule",
  denied: "refused",
  abort: "refused, the turn is stopped",
};

export function outcomeText(decision: ApprovalDecision): string {
  return OUTCOMES[decision.decision];
}

function subjectOf(request: ApprovalRequest): string {
  switch (request.kind) {
    case "command":
      return indented(scriptOf(request.argv), "  $ ");
    case "patch":
      return request.changes.map(({ path, diff }) => `  ${path}\n${indented(diff, "    ")}`).join("\n");
    case "permissions":
      return Object.entries(request.access)
        .map(([what, value]) => `  ${what}: ${Array.isArray(value) ? value.join(", ") : value}`)
        .join("\n");
    case "mcp":
      return indented(JSON.stringify(request.input, undefined, 2) ?? "", "  ");
  }
}

function indented(text: string, lead: string): string {
  const rest = " ".repeat(lead.length);
  return terminalSafe(text)
    .split("\n")
    .map((line, i) => (i === 0 ? lead : rest) + line)
    .join("\n");
}
