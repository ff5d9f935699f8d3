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
  const { usage } = facts;
  const minutes = Math.round(facts.durationMs / 60_000);
  const cached = usage.cachedInput > 0 ? ` (${countText(usage.cachedInput)} cached)` : "";
  const parts = [
    minutes < 1 ? `${Math.max(1, Math.round(facts.durationMs / 1000))} s` : `${minutes} min`,
    `${facts.turns} turn${facts.turns === 1 ? "" : "s"}`,
    `${countText(usage.input)} in${cached}`,
    `${countText(usage.output)} out`,
    ...(facts.cost === undefined ? [] : [facts.cost]),
    ...(facts.filesChanged > 0
      ? [`${facts.filesChanged} file${facts.filesChanged === 1 ? "" : "s"} changed`]
      : []),
  ];
  const rows = [theme.dim(parts.join(` ${theme.marks.dot} `))];
  if (facts.sessionId !== undefined) rows.push(`Continue: interpreter resume ${facts.sessionId}`);
  return rows;
}
