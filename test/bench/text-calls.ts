// CPU time to read 20,000 pieces of an answer for printed tool calls: `bun test/bench/text-calls.ts [rounds]`.
import { createReplyReader } from "../../src/model/text-calls/reply-reader.ts";

const PIECES = 20_000;
const TOOLS = Array.from({ length: 12 }, (_, at) => ({
  name: at === 0 ? "run_shell" : `tool_${at}`,
  parameters: { type: "object", properties: { cmd: { type: "string" }, body: { type: "string" } } },
}));
const BODY = "const a = list[0] < 3 ? `x` : '</p>';\n";
const ANSWERS: Readonly<Record<string, { start: string; line: string; end: string }>> = {
  prose: { start: "", line: "The parser reads one line, and then the next [1].\n", end: "" },
  code: { start: "```ts\n", line: BODY, end: "```\n" },
  "code without a fence": { start: "", line: BODY, end: "" },
  thought: { start: "<think>", line: "So if a < b, then `c` follows.\n", end: "</think>Done." },
  "call with tags": {
    start: "<tool_call>\n<function=run_shell>\n<parameter=body>\n",
    line: BODY,
    end: "</parameter>\n</function>\n</tool_call>",
  },
  "call in JSON": {
    start: '<tool_call>{"name": "run_shell", "arguments": {"body": "',
    line: BODY.replace("\n", "\\n"),
    end: '"}}</tool_call>',
  },
};

const rounds = Number(process.argv[2] ?? 5);
for (const [name, { start, line, end }] of Object.entries(ANSWERS)) {
  const text = start + line.repeat(Math.ceil((PIECES * 4) / line.length)) + end;
  const pieces = Array.from({ length: Math.ceil(text.length / 4) }, (_, at) =>
    text.slice(at * 4, at * 4 + 4),
  );
  const samples = Array.from({ length: rounds }, () => measure(pieces)).toSorted((a, b) => a.ms - b.ms);
  const [best] = samples;
  const median = samples[Math.floor(rounds / 2)];
  console.log(
    `${name.padEnd(20)} best ${best?.ms.toFixed(1)} ms, median ${median?.ms.toFixed(1)} ms CPU for ${pieces.length} pieces, ` +
      `${best?.calls} calls`,
  );
}

function measure(pieces: readonly string[]): { ms: number; calls: number } {
  const before = process.cpuUsage();
  const reader = createReplyReader({ tools: TOOLS });
  for (const piece of pieces) reader.push(piece);
  const calls = reader.end().filter(({ kind }) => kind === "call").length;
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, calls };
}
