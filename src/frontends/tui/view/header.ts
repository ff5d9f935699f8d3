import { cut, safe } from "./text.ts";
import type { Theme } from "./theme.ts";

export type HeaderFacts = {
  version: string;
  folder: string;
  branch?: string;
  model: string;
  provider: string;
  harness: string;
  sandbox: string;
  approvals: string;
  /** Names of the instruction files in use. */
  instructions?: readonly string[];
};

/** The two rows at the start: where, and with what. One row under 60 columns. */
export function headerRows(facts: HeaderFacts, width: number, theme: Theme): string[] {
  const { marks } = theme;
  const place = `${safe(facts.folder)}${facts.branch ? `  ${safe(facts.branch)}` : ""}`;
  const first = cut(`${theme.bold(`interpreter ${facts.version}`)}   ${theme.dim(place)}`, width);
  const asks = facts.approvals === "never" ? "never asks" : "asks";
  const parts = [
    `${safe(facts.model)} via ${safe(facts.provider)}`,
    `harness ${safe(facts.harness)}`,
    `${facts.sandbox}, ${asks}`,
    ...(facts.instructions ?? []),
  ];
  const second = cut(parts.join(` ${marks.dot} `), width);
  return width < 60 ? [second] : [first, second];
}
