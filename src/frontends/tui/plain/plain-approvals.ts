import type { ApprovalDecision, ApprovalRequest } from "../../../protocol/approvals.ts";
import { scriptOf } from "../../../util/shown-command.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import { choicesOf, ruleFrom } from "../approval/choices.ts";
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
  if (does.stage === "rule") return await askRule(asker, request);
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

async function askRule(asker: Asker, request: ApprovalRequest): Promise<ApprovalDecision> {
  const offered = request.kind === "command" ? (request.proposedRule ?? []).join(" ") : "";
  const text = await asker.text({
    message: "Commands here that begin with this run without a question in this session",
    initial: offered,
    check: (value) =>
      ruleFrom(request, value) ? undefined : `it has to be how this command begins, and at least ${offered}`,
  });
  const rule = text === undefined ? undefined : ruleFrom(request, text);
  return rule ? { decision: "approved_with_rule", rule } : { decision: "denied" };
}

const OUTCOMES: Readonly<Record<ApprovalDecision["decision"], string>> = {
  approved: "allowed once",
  approved_for_session: "allowed for this session",
  approved_always: "always allowed, as config.toml says now",
  approved_with_rule: "allowed for this session, with all that begin so",
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
