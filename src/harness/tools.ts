import type { WireTool } from "../model/types.ts";
import type { Part, ToolCall } from "../protocol/items.ts";
import type { NativeToolName, ToolResult } from "../tools/types.ts";
import { AppError } from "../util/errors.ts";
import { nativeInput, readArguments, readFreeText } from "./arguments.ts";
import type { Harness } from "./compose.ts";
import type { HarnessFlags } from "./flags.ts";
import { propertiesOf } from "./json-schema.ts";
import type { HarnessTool } from "./schema.ts";
import { spelledLike } from "./spelling.ts";
import { renderTemplate } from "./template.ts";

export type Translated = {
  native: NativeToolName;
  /** Not yet checked by the native tool's own schema. */
  input: Record<string, unknown>;
  tool: HarnessTool;
  /** What the model should hear besides the result, e.g. of a parameter that does not exist. */
  notes: string[];
};

export interface BoundTools {
  wireTools(): WireTool[];
  /** The native call that the model's call stands for, or a text that tells the model what is wrong with it. */
  translate(call: ToolCall): Translated | { problem: string };
  /** What the model reads: the tool's own template filled with the result's fields, else the result's content. */
  render(tool: HarnessTool, result: ToolResult): Part[];
}

export function bindTools(harness: Harness, flags: HarnessFlags): BoundTools {
  const offered = harness.tools.filter((tool) => isOn(tool.when, flags));
  const understood = [
    ...offered,
    ...harness.tools.filter((tool) => tool.evenIfHidden && !offered.includes(tool)),
  ];
  return {
    wireTools: () => offered.map(wireTool),
    translate: (call) => translate(call, understood),
    render: (tool, result) => render(tool, result, harness.id),
  };
}

function isOn(when: HarnessTool["when"], flags: HarnessFlags): boolean {
  const wanted = when === undefined ? [] : Array.isArray(when) ? when : [when];
  return wanted.every((flag) =>
    flag.startsWith("!") ? flags[flag.slice(1)] !== true : flags[flag] === true,
  );
}

function wireTool({ name, description, parameters, freeform }: HarnessTool): WireTool {
  if (freeform) return { kind: "freeform", name, description, grammar: freeform };
  return { kind: "function", name, description, parameters: parameters ?? {}, strict: false };
}

function translate(call: ToolCall, tools: readonly HarnessTool[]): Translated | { problem: string } {
  const found = find(call, tools);
  if ("problem" in found) return found;
  const { tool, notes } = found;
  const { native, args } = tool;
  if (!tool.parameters) {
    const input = call.input.kind === "text" ? call.input.raw : readFreeText(call.input.raw);
    return { native, input: nativeInput(args, { input }), tool, notes };
  }
  const read = readArguments(call.input.raw, tool.parameters, !CHANGES_FILES.has(native));
  if ("problem" in read) return read;
  const input = nativeInput(args, read.fields);
  return { native, input, tool, notes: [...notes, ...repaired(read), ...ignored(read.fields, tool)] };
}

/** What these do can't be taken back, so they run only as they were written. */
const CHANGES_FILES: ReadonlySet<NativeToolName> = new Set(["apply_patch", "edit", "write"]);

// Models glue tokens of their chat format to a name (`exec_command<|channel|>commentary`) or put a namespace before it.
function find(
  { name, input }: ToolCall,
  tools: readonly HarnessTool[],
): { tool: HarnessTool; notes: string[] } | { problem: string } {
  const bare = name
    .replace(/<\|[\s\S]*$/, "")
    .replace(/^functions[.:]/, "")
    .trim();
  const exact = tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name === bare);
  if (exact) return { tool: exact, notes: [] };
  const spelled = spelledLike(
    bare,
    tools.map((tool) => tool.name),
  );
  const tool = tools.find((one) => one.name === spelled?.name);
  const problem = `unsupported ${input.kind === "text" ? "custom tool " : ""}call: ${name}`;
  if (!tool) return { problem };
  if (spelled?.isGuess && CHANGES_FILES.has(tool.native))
    return { problem: `${problem}; did you mean ${tool.name}?` };
  return { tool, notes: [renamed(bare, tool.name)] };
}

/** Tells the model which tool was taken for the one it named. */
export function renamed(written: string, used: string): string {
  return `there is no tool ${written}; ${used} was used`;
}

/** Tells the model what was made of its arguments, so that it writes the next ones right. */
export function repaired({ repairs }: { repairs: readonly string[] }): string[] {
  return repairs.length === 0
    ? []
    : [`the arguments were not quite right and were repaired: ${repairs.join("; ")}`];
}

function ignored(fields: Record<string, unknown>, { name, parameters = {} }: HarnessTool): string[] {
  const { additionalProperties } = parameters;
  if (additionalProperties !== false) return [];
  const properties = propertiesOf(parameters);
  const unknown = Object.keys(fields).filter((field) => !Object.hasOwn(properties, field));
  return unknown.map((field) => `${name} has no parameter \`${field}\`; it was ignored`);
}

function render(tool: HarnessTool, result: ToolResult, harnessId: string): Part[] {
  const { fields } = result;
  if (!tool.result || !fields) return result.content;
  const template = result.ok ? tool.result.ok : (tool.result.error ?? tool.result.ok);
  const images = result.content.filter((part) => part.type === "input_image");
  return [
    { type: "input_text", text: clip(fill(template, fields, `${harnessId}: ${tool.name}`), tool) },
    ...images,
  ];
}

function fill(template: string, fields: NonNullable<ToolResult["fields"]>, where: string): string {
  try {
    return renderTemplate(template, (name) => fields[name]);
  } catch (cause) {
    const names = Object.keys(fields).join(", ");
    throw new AppError("config", `the result template of ${where} asks for a field that is not there`, {
      hint: `this result has: ${names}`,
      cause,
    });
  }
}

function clip(text: string, { result }: HarnessTool): string {
  const most = result?.maxChars;
  if (most === undefined || text.length <= most) return text;
  return `${text.slice(0, most)}\n[${text.length - most} more characters were left out]`;
}
