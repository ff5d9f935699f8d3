import { basename } from "node:path";
import type { ApprovalRequest } from "../../../protocol/approvals.ts";
import { scriptOf } from "../../../util/shown-command.ts";
import type { PagerContent } from "../port.ts";
import type { Approval } from "../state.ts";
import { cut, fit, safe, safeLine, wrap } from "../view/text.ts";
import type { Theme } from "../view/theme.ts";
import { choicesOf } from "./choices.ts";

type RowOptions = { width: number; theme: Theme; maxRows: number };

/**
 * The question in front: what would happen, why, and each answer with its reach. `waiting` counts it too. Where `maxRows`
 * (3 or more) are too few for all of it, what would happen stays in sight.
 */
export function approvalRows(approval: Approval, waiting: number, options: RowOptions): string[] {
  const { width, theme, maxRows } = options;
  const { request, stage, selected } = approval;
  const count = waiting > 1 ? ` (1 of ${waiting})` : "";
  const title = `${theme.warning(theme.marks.asks)} ${theme.bold(`${titleOf(request)}${count}`)}`;
  if (stage !== "choose") {
    const body = bodyRows(approval, options, maxRows - 2);
    return [cut(title, width - 1), ...body, theme.dim(cut(`  ${WRITING[stage]}`, width - 1))];
  }
  const choices = choicesOf(request).map(({ key, text }, i) => {
    const mark = i === selected ? theme.marks.prompt : " ";
    const row = cut(`${mark} ${theme.bold(key)}  ${safeLine(text)}`, width - 1);
    return i === selected ? theme.accent(row) : row;
  });
  const answers = choices.length + 2 > maxRows ? [shortAnswers(approval, choices, options)] : choices;
  const whole = reasonRows(title, request.reason, options);
  const isTight = whole.length > 1 && whole.length + answers.length + LEAST_BODY > maxRows;
  const head = isTight ? [cut(title, width - 1)] : whole;
  return [...head, ...bodyRows(approval, options, maxRows - head.length - answers.length), ...answers];
}

/** Rows of what would happen that are worth more than the reason. */
const LEAST_BODY = 3;

/** All keys in one row, or the answer that was moved to. */
function shortAnswers(
  { request, selected }: Approval,
  choices: readonly string[],
  options: RowOptions,
): string {
  const marked = selected === undefined ? undefined : choices[selected];
  const keys = choicesOf(request).map(({ key }) => key);
  return (
    marked ??
    cut(`  ${options.theme.bold(keys.join(" "))}  up and down show what they mean`, options.width - 1)
  );
}

const WRITING = {
  reason: "What to do instead? enter sends it, esc refuses without a word",
  edit: "Another command; enter hands it to the model, esc goes back",
  rule: "Commands here that begin with this run without a question in this session; esc goes back",
} as const;

/** The effect that needs consent. */
export function titleOf(request: ApprovalRequest): string {
  switch (request.kind) {
    case "command":
      return request.leavesSandbox ? "Run outside the sandbox?" : "Run this command?";
    case "patch":
      return patchTitle(
        request.changes.map(({ path }) => path),
        request.leavesSandbox ?? false,
      );
    case "permissions":
      return "Allow this access?";
    case "mcp":
      return `Let ${safe(request.server)} run ${safe(request.tool)}?`;
  }
}

function patchTitle(paths: readonly string[], isOutside: boolean): string {
  const what = paths.length === 1 ? safe(basename(paths[0] ?? "")) : `these ${paths.length} files`;
  return isOutside ? `Change ${what} outside the workspace?` : `Change ${what}?`;
}

function reasonRows(title: string, reason: string | undefined, { width, theme }: RowOptions): string[] {
  if (reason === undefined) return [cut(title, width - 1)];
  const text = `reason: ${safe(reason).replace(/\s*\n\s*/g, " ")}`;
  const isShort = Bun.stringWidth(title) + Bun.stringWidth(text) + 3 < width;
  if (isShort) return [fit(title, theme.dim(text), width - 1)];
  return [
    cut(title, width - 1),
    ...wrap(text, width - 3)
      .slice(0, 4)
      .map((row) => theme.dim(`  ${row}`)),
  ];
}

const MOST_BODY = 6;

function bodyRows({ request }: Approval, { width, theme }: RowOptions, room: number): string[] {
  const rows = contentRows(request, width);
  const hasAll = rows.length <= Math.min(MOST_BODY, room);
  const most = hasAll ? rows.length : Math.max(1, Math.min(MOST_BODY, room - 1));
  const shown = rows.slice(0, most);
  if (most === rows.length) return shown;
  const more = `${theme.marks.more} +${rows.length - most} lines`;
  if (room < 2) return [fit(shown[0] ?? "", theme.dim(more), width - 1)];
  return [...shown, theme.dim(`    ${more} · v shows all`)];
}

/** All that would happen, and all of the reason, for a pager. */
export function fullText(request: ApprovalRequest, theme: Theme): PagerContent {
  const reason = request.reason === undefined ? [] : safe(`reason: ${request.reason}`).split("\n");
  const rows = (width: number) => [
    theme.bold(titleOf(request)),
    ...reason.flatMap((line) => wrap(line, width - 3).map((row) => theme.dim(`  ${row}`))),
    ...contentRows(request, width),
  ];
  return { title: "full text", cells: [{ rows, text: textOf(request) }], startsAtEnd: false };
}

function contentRows(request: ApprovalRequest, width: number): string[] {
  const lead = (i: number) => (request.kind === "command" && i === 0 ? "  $ " : "    ");
  return textOf(request)
    .split("\n")
    .flatMap((line) => wrap(safe(line), Math.max(1, width - 5)))
    .map((row, i) => lead(i) + row);
}

function textOf(request: ApprovalRequest): string {
  switch (request.kind) {
    case "command":
      return scriptOf(request.argv);
    case "patch":
      return request.changes.map(({ path, diff }) => `${path}\n${diff}`).join("\n");
    case "permissions":
      return Object.entries(request.access)
        .map(([what, value]) => `${what}: ${Array.isArray(value) ? value.join(", ") : value}`)
        .join("\n");
    case "mcp":
      return JSON.stringify(request.input, undefined, 2) ?? "";
  }
}
