import { countText, durationText } from "./duration.ts";
import { cut, fit, safe } from "./text.ts";
import type { Theme } from "./theme.ts";

export type StatusFacts = {
  /** Instead of everything else, before the settings are known. */
  starting?: string;
  model?: string;
  harness?: string;
  sandbox?: string;
  approvals?: string;
  folder?: string;
  branch?: string;
  /** 0 to 100. */
  contextLeft?: number;
  tokens?: number;
  cost?: string;
};

/** The row at the bottom; what is shown depends on the width. Full access is always shown. */
export function statusRow(facts: StatusFacts, width: number, theme: Theme): string {
  const { marks } = theme;
  const separator = ` ${marks.dot} `;
  const isOff = facts.sandbox === "danger-full-access";
  const sandbox =
    facts.sandbox === undefined ? undefined : isOff ? theme.danger("full access") : facts.sandbox;
  const place = [facts.folder, facts.branch].filter((one) => one !== undefined && one !== "").join(" ");
  const left = [
    width >= 40 ? facts.model : undefined,
    width >= 80 ? facts.harness : undefined,
    width >= 60 || isOff ? sandbox : undefined,
    width >= 100 && place !== "" ? place : undefined,
    facts.starting,
  ].filter((one) => one !== undefined);
  const right = [
    contextText(facts.contextLeft, theme),
    width >= 80 && facts.tokens ? `${countText(facts.tokens)} tok` : undefined,
    width >= 80 ? facts.cost : undefined,
  ].filter((one) => one !== undefined);
  return fit(
    `  ${theme.dim(left.map((one) => (one === sandbox ? one : safe(one))).join(separator))}`,
    right.join(separator),
    width - 1,
  );
}

function contextText(left: number | undefined, theme: Theme): string | undefined {
  if (left === undefined) return undefined;
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

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** The row above the composer while a turn runs. */
export function workingRow(facts: WorkingFacts, width: number, theme: Theme): string {
  const { marks } = theme;
  const isStill = facts.frame === undefined || marks.working === "*";
  const mark = isStill ? marks.working : (FRAMES[(facts.frame ?? 0) % FRAMES.length] ?? marks.working);
  const seconds = Math.max(0, Math.floor(facts.elapsedMs / 1000)) * 1000;
  const parts = [
    `${safe(facts.activity)} ${seconds < 10_000 ? `${seconds / 1000}s` : durationText(seconds)}`,
    ...(facts.outputTokens > 0 ? [`${countText(facts.outputTokens)} tok`] : []),
    ...(facts.tokensPerSecond ? [`${Math.round(facts.tokensPerSecond)} tok/s`] : []),
    facts.isStopping ? "stopping" : "esc stops",
  ];
  return cut(`${theme.accent(mark)} ${theme.dim(parts.join(` ${marks.dot} `))}`, width - 1);
}
