import { countText, secondsText } from "./duration.ts";
import { approvalsText, isUnsandboxed, sandboxText } from "./policy-text.ts";
import { cut, fit, safeLine } from "./text.ts";
import type { Theme } from "./theme.ts";

export type StatusFacts = {
  /** Instead of everything else, before the settings are known. */
  starting?: string;
  model?: string;
  harness?: string;
  sandbox?: string;
  approvals?: string;
  /** Of the vim keys. */
  mode?: string;
  /** Nothing is changed at the moment; shown in place of the sandbox. */
  isPlanning?: boolean;
  folder?: string;
  branch?: string;
  /** 0 to 100. */
  contextLeft?: number;
  tokens?: number;
  cost?: string;
  /** The side conversation is shown. */
  isAside?: boolean;
};

const MARGIN = "  ";

/** The row at the bottom; what is shown depends on the width. Full access is always shown. */
export function statusRow(facts: StatusFacts, width: number, theme: Theme): string {
  const separator = theme.dim(` ${theme.marks.dot} `);
  const left = leftParts(facts, width, theme).join(separator);
  const right = rightParts(facts, width, theme).join(separator);
  const room = width - 1;
  const isTooNarrow =
    isUnsandboxed(facts.sandbox) && Bun.stringWidth(right) + "full access".length + 4 > room;
  return fit(`${MARGIN}${left}`, isTooNarrow ? "" : right, room);
}

function leftParts(facts: StatusFacts, width: number, theme: Theme): string[] {
  const { sandbox, approvals, model, harness, starting, isPlanning } = facts;
  const isOff = isUnsandboxed(sandbox);
  const policy = [
    isPlanning ? undefined : isOff ? undefined : sandbox && sandboxText(sandbox),
    width >= 80 && approvals ? approvalsText(approvals) : undefined,
  ].filter((one) => one !== undefined);
  const place = [facts.folder, facts.branch].filter((one) => one !== undefined && one !== "").join(" ");
  const plain = [
    width >= 40 ? model : undefined,
    width >= 80 ? harness : undefined,
    width >= 60 && policy.length > 0 ? policy.join(", ") : undefined,
    width >= 100 && place !== "" ? place : undefined,
    starting,
  ].filter((one) => one !== undefined);
  // What is at the right of the left part may be cut, so that the one thing nobody may overlook comes first.
  const first = [
    ...(facts.isAside ? [theme.accent("side")] : []),
    ...(isOff ? [theme.danger("full access")] : []),
    ...(facts.mode && width >= 40 ? [theme.bold(facts.mode)] : []),
    ...(isPlanning ? [theme.accent(theme.bold("plan mode"))] : []),
  ];
  const row = plain.map(safeLine).join(` ${theme.marks.dot} `);
  return row === "" ? first : [...first, theme.dim(row)];
}

function rightParts({ contextLeft, tokens, cost }: StatusFacts, width: number, theme: Theme): string[] {
  return [
    contextLeft === undefined ? undefined : contextText(contextLeft, theme),
    width >= 80 && tokens ? theme.dim(`${countText(tokens)} tok`) : undefined,
    width >= 80 && cost !== undefined ? theme.dim(safeLine(cost)) : undefined,
  ].filter((one) => one !== undefined);
}

function contextText(left: number, theme: Theme): string {
  if (left < 10) return theme.error(`${left}% left, /compact`);
  return left < 20 ? theme.warning(`${left}% left`) : theme.dim(`${left}% left`);
}

export type WorkingFacts = {
  activity: string;
  elapsedMs: number;
  outputTokens: number;
  tokensPerSecond?: number;
  /** Which of the spinner's frames; undefined: a still mark. */
  frame?: number;
  isStopping: boolean;
};

/** The row above the composer while a turn runs. Where there is no room, figures go first; how to stop it stays. */
export function workingRow(facts: WorkingFacts, width: number, theme: Theme): string {
  const { marks } = theme;
  const { frame, tokensPerSecond, outputTokens } = facts;
  const mark = frame === undefined ? undefined : marks.spinner[frame % marks.spinner.length];
  const figures = [
    ...(outputTokens > 0 ? [`${countText(outputTokens)} tok`] : []),
    ...(tokensPerSecond ? [`${Math.round(tokensPerSecond)} tok/s`] : []),
  ];
  const elapsed = secondsText(Math.max(0, Math.floor(facts.elapsedMs / 1000)));
  const end = facts.isStopping ? "stopping" : "esc stops";
  const activity = safeLine(facts.activity);
  const room = width - 1 - Bun.stringWidth(`${marks.working} `);
  for (let count = figures.length; ; count--) {
    const tail = [` ${elapsed}`, ...figures.slice(0, Math.max(0, count)), end].join(` ${marks.dot} `);
    const left = room - Bun.stringWidth(tail);
    if (count > 0 && Bun.stringWidth(activity) > left) continue;
    return cut(`${theme.accent(mark ?? marks.working)} ${theme.dim(cut(activity, left) + tail)}`, width - 1);
  }
}
