import type { Harness } from "../../harness/compose.ts";
import { HARNESS_FLAGS, type HarnessFlags } from "../../harness/flags.ts";
import { bindTools } from "../../harness/tools.ts";
import { estimateTokens } from "../../model/tokens.ts";
import type { WireTool } from "../../model/types.ts";

/** What a harness costs at the start of each request, in tokens by the estimate. */
export type HarnessSize = { prompt: number; tools: number; total: number };

/** With the tools that these flags switch on; without them, with everything that a session may offer. */
export function harnessSize(harness: Harness, flags: HarnessFlags = ALL_FLAGS): HarnessSize {
  const { system, firstUser, setup, afterFirst } = harness.prompt;
  const said = [
    system,
    ...(firstUser ? [firstUser] : []),
    ...setup.map(({ text }) => text),
    ...afterFirst.map(({ text }) => text),
  ];
  const prompt = estimateTokens(said.join("\n"));
  const tools = estimateTokens(JSON.stringify(toolsOf(harness, flags)));
  return { prompt, tools, total: prompt + tools };
}

const ALL_FLAGS: HarnessFlags = Object.fromEntries(HARNESS_FLAGS.map((flag) => [flag, true]));

/** The tools that a model sees. */
export function toolsOf(harness: Harness, flags: HarnessFlags = ALL_FLAGS): WireTool[] {
  if (harness.textProtocol) return [];
  return bindTools(harness, flags).wireTools();
}

/** What differs, one fact a line: `-` only in the first or as it is there, `+` the same of the second. */
export function harnessDiff(a: Harness, b: Harness): string[] {
  const [left, right] = [factsOf(a), factsOf(b)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [left.get(name), right.get(name)];
    if (one === other) return [];
    return [
      ...(one === undefined ? [] : [`- ${name}: ${one}`]),
      ...(other === undefined ? [] : [`+ ${name}: ${other}`]),
    ];
  });
}

function factsOf(harness: Harness): Map<string, string> {
  const facts = new Map<string, string>();
  const { prompt, request } = harness;
  facts.set("wires", harness.wires.join(", "));
  facts.set(
    "prompt.system",
    `${(prompt.blocks ?? [prompt.system]).length} text(s), ${prompt.system.length} characters`,
  );
  addEach(facts, "prompt.context", prompt.context);
  for (const place of ["setup", "afterFirst"] as const) {
    const said = prompt[place].map(({ role, text }) => `${role} (${text.length} characters)`);
    if (said.length > 0) facts.set(`prompt.${place}`, said.join(", "));
  }
  addEach(facts, "layout", harness.layout);
  for (const part of ["body", "headers", "query"] as const) addEach(facts, `request.${part}`, request[part]);
  addEach(facts, "errors", harness.errors);
  for (const tool of toolsOf(harness)) facts.set(`tool ${tool.name}`, shapeOf(tool));
  return facts;
}

function addEach(facts: Map<string, string>, prefix: string, table: object): void {
  for (const [key, value] of Object.entries(table)) facts.set(`${prefix}.${key}`, shortJson(value));
}

function shapeOf(tool: WireTool): string {
  if (tool.kind === "freeform") return "free text";
  const { properties } = tool.parameters;
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return `(${names.join(", ")})`;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}
