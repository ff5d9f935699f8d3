import { approvalsText, isUnsandboxed, sandboxText } from "./policy-text.ts";
import { cut, safeLine } from "./text.ts";
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
  const place = [facts.folder, facts.branch ?? ""].filter((one) => one !== "").map(safeLine);
  const first = `${theme.bold(`interpreter ${facts.version}`)}   ${theme.dim(place.join("  "))}`;
  const sandbox = safeLine(sandboxText(facts.sandbox));
  const parts = [
    `${safeLine(facts.model)} via ${safeLine(facts.provider)}`,
    `harness ${safeLine(facts.harness)}`,
    `${isUnsandboxed(facts.sandbox) ? theme.danger(sandbox) : sandbox}, ${approvalsText(facts.approvals)}`,
    ...(facts.instructions ?? []).map(safeLine),
  ];
  const second = parts.join(` ${marks.dot} `);
  return (width < 60 ? [second] : [first, second]).map((row) => cut(row, width));
}
