import { basename } from "node:path";
import { agentLine, agentMessages } from "../../../protocol/agent-text.ts";
import type { FileChange, PlanStep } from "../../../protocol/details.ts";
import type { ItemStatus, ThreadItem, TurnEvent } from "../../../protocol/events.ts";
import { withoutPlanMarks } from "../../../protocol/proposed-plan.ts";
import { shownCommand } from "../../../util/shown-command.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import { countText, durationText } from "../view/duration.ts";
import { failureNotice, type Notice } from "../view/notices.ts";

/** Output longer than this loses its middle. */
const MOST_LINES = 40;
const STATES = { in_progress: "running", completed: "done", failed: "failed", declined: "declined" } as const;
const PLAN = { completed: "done", in_progress: "running", pending: "open" } as const;

/** What of an event is said to a person who reads lines, in words. Each thing once, when it is finished. */
export function linesOf(event: TurnEvent): string[] {
  switch (event.type) {
    case "item.started":
      return event.item.type === "command_execution" ? [`running: ${command(event.item.command)}`] : [];
    case "item.completed":
      return itemLines(event.item);
    case "warning":
      return labelled("warning", event.message);
    case "budget.reached":
      return labelled("failed", event.message);
    case "retrying":
      return labelled(
        "retrying",
        `${event.error.message}; try ${event.attempt} of ${event.of} in ${durationText(event.delayMs)}`,
      );
    case "model.loading":
      return [`loading ${terminalSafe(event.model)}; a large model takes a minute or more`];
    case "compacted":
      return [
        `done: the conversation was replaced by a summary, ${countText(event.before)} to ${countText(event.after)} tokens`,
      ];
    case "turn.completed":
      return [`done in ${durationText(event.durationMs)}, ${countText(event.usage.output)} tokens`];
    case "turn.failed": {
      if (event.error.code === "approval.denied") return ["stopped"];
      const { text: message, hint } = failureNotice(event.error);
      return [...labelled("failed", message), ...(hint === undefined ? [] : textLines(hint, "  "))];
    }
    case "turn.aborted":
      return ["stopped"];
    case "session.started":
    case "turn.started":
    case "item.delta":
    case "item.updated":
    case "history.appended":
    case "approval.requested":
    case "approval.resolved":
    case "usage":
      return [];
  }
}

/** A sentence with what it is in a word, and what to do below it. */
export function noticeText({ level, text, hint }: Notice): string {
  const label = { info: "", warning: "warning: ", error: "failed: " }[level];
  return `${label}${text}${hint === undefined ? "" : `\n  ${hint}`}`;
}

function itemLines(item: ThreadItem): string[] {
  const lines = ownLines(item);
  if (item.agent === undefined) return lines;
  const by = `agent ${terminalSafe(item.agent)}: `;
  return lines.map((line, at) => (at === 0 ? `${by}${line}` : line));
}

function ownLines(item: ThreadItem): string[] {
  switch (item.type) {
    case "agent_message":
      return item.text.trim() === "" ? [] : textLines(withoutPlanMarks(item.text.trim()), "");
    case "reasoning": {
      const title = /\*\*([^*\n]+)\*\*/.exec(item.text)?.[1] ?? item.text.trim().split("\n")[0] ?? "";
      return title === "" ? [] : labelled("thought", title);
    }
    case "command_execution":
      return commandLines(item);
    case "file_change":
      return item.changes.flatMap((change) => changeLines(change, item.status));
    case "mcp_tool_call": {
      const error = item.error === undefined ? [] : textLines(item.error, "  ");
      return [...labelled(STATES[item.status], `${item.server}.${item.tool}`), ...error];
    }
    case "web_search":
      return labelled("done", `search for ${item.query}`);
    case "agent_call":
      return [
        ...labelled(STATES[item.status], agentLine(item)),
        ...agentMessages(item).flatMap((message) => textLines(message, "  ")),
      ];
    case "todo_list":
      return planLines(item.steps);
    case "error":
      return labelled("failed", item.message);
  }
}

function commandLines(item: Extract<ThreadItem, { type: "command_execution" }>): string[] {
  const hasFailed = item.exitCode !== undefined && item.exitCode !== 0;
  const state = hasFailed && item.status === "completed" ? "failed" : STATES[item.status];
  const facts = [
    command(item.command),
    ...(hasFailed ? [`exit ${item.exitCode}`] : []),
    ...(item.durationMs >= 1000 ? [durationText(item.durationMs)] : []),
  ];
  return [`${state}: ${facts.join(", ")}`, ...outputLines(item.output)];
}

function outputLines(output: string): string[] {
  // Of a progress bar, its last state.
  const lines = output
    .split(/\r?\n/)
    .map((line) => terminalSafe(line.slice(line.lastIndexOf("\r") + 1)).trimEnd());
  while (lines.at(-1) === "") lines.pop();
  const hidden = lines.length - MOST_LINES;
  const half = MOST_LINES / 2;
  const shown =
    hidden <= 0 ? lines : [...lines.slice(0, half), `(${hidden} lines left out)`, ...lines.slice(-half)];
  return shown.map((line) => `  ${line}`.trimEnd());
}

const VERBS = { add: "add", update: "edit", delete: "delete" } as const;

function changeLines({ path, kind, movedTo, diff }: FileChange, status: ItemStatus): string[] {
  const lines = diff.split("\n").filter((line) => !/^(?:\+\+\+|---) /.test(line));
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const name = movedTo === undefined ? basename(path) : `${basename(path)}, now ${basename(movedTo)}`;
  const counts = `${count("+")} lines added, ${count("-")} removed`;
  return [...labelled(STATES[status], `${VERBS[kind]} ${name}, ${counts}`), ...outputLines(lines.join("\n"))];
}

function planLines(steps: readonly PlanStep[]): string[] {
  const done = steps.filter(({ status }) => status === "completed").length;
  return [
    `plan: ${done} of ${steps.length} done`,
    ...steps.flatMap(({ text, status }) => labelled(`  ${PLAN[status]}`, text)),
  ];
}

function command(text: string): string {
  return terminalSafe(shownCommand(text))
    .trim()
    .replace(/\s*\n\s*/g, "; ");
}

function labelled(label: string, text: string): string[] {
  const [first = "", ...rest] = textLines(text.trim(), "");
  return [`${label}: ${first}`, ...rest.map((line) => `  ${line}`)];
}

function textLines(text: string, lead: string): string[] {
  return terminalSafe(text)
    .split("\n")
    .map((line) => `${lead}${line}`.trimEnd());
}
