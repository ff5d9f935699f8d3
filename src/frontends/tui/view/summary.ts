import type { Usage } from "../../../protocol/usage.ts";
import { countText } from "./duration.ts";
import type { Theme } from "./theme.ts";

export type SummaryFacts = {
  durationMs: number;
  turns: number;
  usage: Usage;
  cost?: string;
  filesChanged: number;
  sessionId?: string;
};

/** What a session took, and how to go on with it; nothing when nothing was said. */
export function summaryRows(facts: SummaryFacts, theme: Theme): string[] {
  if (facts.turns === 0) return [];
  const { usage, cost } = facts;
  const cached = usage.cachedInput > 0 ? ` (${countText(usage.cachedInput)} cached)` : "";
  const parts = [
    timeText(facts.durationMs),
    counted(facts.turns, "turn"),
    `${countText(usage.input)} in${cached}`,
    `${countText(usage.output)} out`,
    ...(cost === undefined ? [] : [cost]),
    ...(facts.filesChanged > 0 ? [`${counted(facts.filesChanged, "file")} changed`] : []),
  ];
  const rows = [theme.dim(parts.join(` ${theme.marks.dot} `))];
  if (facts.sessionId !== undefined) rows.push(`Continue: interpreter resume ${facts.sessionId}`);
  return rows;
}

function timeText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.max(1, Math.round(ms / 1000))} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
