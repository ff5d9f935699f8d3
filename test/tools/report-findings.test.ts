import { expect, test } from "bun:test";
import { reportFindings } from "../../src/tools/report-findings.ts";
import { workbench } from "./files/workbench.ts";

test("findings are laid out for the user, and the model hears how many were shown", async () => {
  await using bench = await workbench();
  const findings = [
    {
      file: "a.ts",
      line: 3,
      summary: "The lock is never released.",
      failure_scenario: "Two calls wait for each other.",
      severity: "pre_existing",
      verdict: "CONFIRMED",
    },
    { file: "b.ts", summary: "A name is wrong.", failure_scenario: "" },
  ];
  const result = await bench.call(reportFindings, { findings });
  expect(result).toEqual({
    ok: true,
    content: [{ type: "input_text", text: "2 findings were shown to the user." }],
    fields: { count: 2 },
    detail: {
      kind: "report",
      text: "Findings:\n\n1. The lock is never released. (`a.ts:3`, pre existing, confirmed)\n   Two calls wait for each other.\n\n2. A name is wrong. (`b.ts`)",
    },
  });
});

test("no findings are an answer too", async () => {
  await using bench = await workbench();
  const { ready } = { ready: await bench.ready(reportFindings, { findings: [] }) };
  expect(ready.shown).toEqual({ kind: "report", text: "Findings: none." });
});
