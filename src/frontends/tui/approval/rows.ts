import { basename } from "node:path";
import type { ApprovalRequest } from "../../../protocol/approvals.ts";
import type { Approval } from "../state.ts";
import { cut, fit, safe, wrap } from "../view/text.ts";
import type { Theme } from "../view/theme.ts";
import { choicesOf, scriptOf } from "./choices.ts";

type RowOptions = { width: number; theme: Theme; maxRows: number };

/** The question in front: what would happen, why, and each answer with its reach. `waiting` counts it too. */
export function approvalRows(approval: Approval, waiting: number, options: RowOptions): string[] {
  const { width, theme } = options;
  const { request, stage, selected } = approval;
  const count = waiting > 1 ? ` (1 of ${waiting})` : "";
  const title = `${theme.warning(theme.marks.asks)} ${theme.bold(`${titleOf(request)}${count}`)}`;
  const body = bodyRows(approval, options);
  if (stage !== "choose") {
    return [cut(title, width - 1), ...body, theme.dim(cut(`  ${WRITING[stage]}`, width - 1))];
  }
  const choices = choicesOf(request).map(({ key, text }, i) => {
    const mark = i === selected ? theme.marks.prompt : " ";
    const row = cut(`${mark} ${theme.bold(key)}  ${text}`, width - 1);
    return i === selected ? theme.accent(row) : row;
  });
  return [...reasonRows(title, request.reason, options), ...body, ...choices];
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

function bodyRows({ request, isFull }: Approval, { width, theme, maxRows }: RowOptions): string[] {
  const most = isFull ? Math.max(4, maxRows - 10) : 6;
  const rows = textOf(request)
    .split("\n")
    .flatMap((line) => wrap(safe(line), Math.max(1, width - 5)));
  const lead = (i: number) => (request.kind === "command" ? (i === 0 ? "  $ " : "    ") : "    ");
  const shown = rows.slice(0, most).map((row, i) => lead(i) + row);
  if (rows.length <= most) return shown;
  return [
    ...shown,
    theme.dim(`    ${theme.marks.more} +${rows.length - most} lines${isFull ? "" : " · v shows all"}`),
  ];
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
