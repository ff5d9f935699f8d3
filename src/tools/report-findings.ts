import { z } from "zod";
import type { ReportDetail } from "../protocol/details.ts";
import { defineTool } from "./define.ts";
import { textResult } from "./results.ts";

const Finding = z.looseObject({
  file: z.string(),
  line: z.number().optional(),
  summary: z.string(),
  failure_scenario: z.string().optional(),
  category: z.string().optional(),
  severity: z.string().optional(),
  verdict: z.string().optional(),
  outcome: z.string().optional(),
});
type Finding = z.infer<typeof Finding>;

const ReportFindingsInput = z.looseObject({ findings: z.array(Finding) });
type ReportFindingsInput = z.infer<typeof ReportFindingsInput>;

/** Native "report_findings": what a review has found, laid out for the user. */
export const reportFindings = defineTool<ReportFindingsInput>({
  name: "report_findings",
  schema: ReportFindingsInput,
  parallel: false,
  async prepare({ findings }) {
    const detail: ReportDetail = { kind: "report", text: reportOf(findings) };
    const count = findings.length === 1 ? "1 finding was" : `${findings.length} findings were`;
    return {
      ready: {
        access: {},
        subject: { kind: "permissions", access: {} },
        shown: detail,
        run: async () => textResult(true, `${count} shown to the user.`, { count: findings.length }, detail),
      },
    };
  },
});

function reportOf(findings: readonly Finding[]): string {
  if (findings.length === 0) return "Findings: none.";
  return ["Findings:", ...findings.map(entryOf)].join("\n\n");
}

function entryOf(finding: Finding, index: number): string {
  const { file, line, summary, failure_scenario: scenario } = finding;
  const marks = [finding.severity, finding.category, finding.verdict, finding.outcome]
    .filter((mark) => mark !== undefined)
    .map((mark) => mark.toLowerCase().replaceAll("_", " "));
  const place = line === undefined ? file : `${file}:${line}`;
  const head = `${index + 1}. ${summary} (${[`\`${place}\``, ...marks].join(", ")})`;
  return scenario ? `${head}\n   ${scenario}` : head;
}
