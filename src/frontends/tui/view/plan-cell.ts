import type { PlanStep } from "../../../protocol/details.ts";
import type { CellOptions } from "./cell-options.ts";
import { titleRow } from "./cell-title.ts";
import { foldText } from "./output.ts";
import { cut, hang, safeLine } from "./text.ts";
import type { Theme } from "./theme.ts";

const MOST_STEPS = 12;
const MARGIN = "    ";

/** A plan: how far it is, and its steps, in one row where they fit. */
export function planRows(steps: readonly PlanStep[], options: CellOptions): string[] {
  const { width, theme, isExpanded } = options;
  const done = steps.filter(({ status }) => status === "completed").length;
  const title = titleRow({ text: `Plan ${done}/${steps.length}` }, options);
  if (steps.length === 0) return [title];
  const joined = `${MARGIN}${steps.map((step) => `${signOf(step, theme)} ${textOf(step, theme)}`).join("   ")}`;
  if (Bun.stringWidth(joined) <= width) return [title, joined];
  const first = isExpanded ? 0 : firstShown(steps);
  const shown = isExpanded ? steps : steps.slice(first, first + MOST_STEPS);
  const rows = shown.flatMap((step) => hang(textOf(step, theme), width, `${MARGIN}${signOf(step, theme)} `));
  const hidden = steps.length - shown.length;
  if (hidden === 0) return [title, ...rows];
  return [title, ...rows, theme.dim(cut(`${MARGIN}${foldText(hidden, "steps", theme.marks)}`, width))];
}

/** So that the step that is worked on is among those shown, after two of the finished ones. */
function firstShown(steps: readonly PlanStep[]): number {
  const current = steps.findIndex(({ status }) => status !== "completed");
  return Math.max(0, Math.min(current < 0 ? steps.length : current - 2, steps.length - MOST_STEPS));
}

function signOf({ status }: PlanStep, { ok, accent, marks }: Theme): string {
  if (status === "completed") return ok(marks.ok);
  return status === "in_progress" ? accent(marks.current) : marks.dot;
}

function textOf({ status, text }: PlanStep, { dim, bold }: Theme): string {
  const shown = safeLine(text);
  if (status === "completed") return dim(shown);
  return status === "in_progress" ? bold(shown) : shown;
}
