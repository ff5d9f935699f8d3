import type { WireTool } from "../model/types.ts";
import { type Part, type ToolCall, textOf } from "../protocol/items.ts";
import type { CatalogTool, NativeToolName, ToolResult } from "../tools/types.ts";
import { nativeInput, readArguments, readFreeText } from "./arguments.ts";
import type { Harness } from "./compose.ts";
import type { HarnessFlags } from "./flags.ts";
import { propertiesOf } from "./json-schema.ts";
import type { HarnessTool } from "./schema.ts";
import { spelledLike } from "./spelling.ts";
import { renderTemplate } from "./template.ts";
import { type InputIssue, unfitInput } from "./unfit-input.ts";

export type Translated = {
  native: NativeToolName;
  /** Not yet checked by the native tool's own schema. */
  input: Record<string, unknown>;
  tool: HarnessTool;
  /** What the model should hear besides the result, e.g. of a parameter that does not exist. */
  notes: string[];
};

export interface BoundTools {
  /** Those that are kept back come once they were loaded, last, so that what stands before them stays the same. */
  wireTools(): WireTool[];
  /** What is kept back until it is loaded. A model that has called one unasked may still look for it. */
  keptBack(): CatalogTool[];
  load(names: readonly string[]): void;
  /** A tool calls others by their names, so that what is loaded need not be offered. */
  readonly callsByName: boolean;
  /** The call that the model means, when it has put it into a call of such a tool. */
  meant(call: ToolCall): ToolCall;
  /** The native call that the model's call stands for, or a text that tells the model what is wrong with it. */
  translate(call: ToolCall): Translated | { problem: string };
  /** What tells the model why the native tool does not take the input of its call. */
  unfit(call: ToolCall, translated: Translated, issue: InputIssue): string;
  /** What the model reads: the tool's own template filled with the result's fields, else the result's content. */
  render(tool: HarnessTool, result: ToolResult): Part[];
}

/** The tools of a harness in one session: what is offered, what is understood, and what runs. */
export function bindTools(harness: Harness, flags: HarnessFlags): BoundTools {
  const offered = harness.tools.filter((tool) => !tool.hidden && isOn(tool.when, flags) && isInstalled(tool));
  const understood = [
    ...offered,
    ...harness.tools.filter((tool) => (tool.evenIfHidden || tool.hidden) && !offered.includes(tool)),
  ];
  const callsByName = offered.some(({ native }) => native === "tool_call");
  const loaded = new Set<string>();
  const usual = offered.filter((tool) => !tool.deferred);
  const deferred = new Map(offered.flatMap((tool) => (tool.deferred ? [[tool.name, tool]] : [])));
  return {
    wireTools: () => [...usual, ...[...loaded].flatMap((name) => deferred.get(name) ?? [])].map(wireTool),
    keptBack: () => [...deferred.values()].map(catalogTool),
    callsByName,
    load: (names) => {
      if (!callsByName) for (const name of names) if (deferred.has(name)) loaded.add(name);
    },
    meant: (call) => innerCall(call, offered),
    translate: (call) => translate(call, understood, harness.errors),
    unfit: (call, { tool, input }, issue) =>
      misfitInWords(call, tool, harness.errors, unfitInput(tool, input, issue)),
    render: (tool, result) => render(tool, result, harness),
  };
}

function isOn(when: HarnessTool["when"], flags: HarnessFlags): boolean {
  const wanted = when === undefined ? [] : Array.isArray(when) ? when : [when];
  return wanted.every((flag) =>
    flag.startsWith("!") ? flags[flag.slice(1)] !== true : flags[flag] === true,
  );
}

/** A tool whose program is not there would fail every time. */
function isInstalled({ program }: HarnessTool): boolean {
  return program === undefined || Bun.which(program) !== null;
}

function wireTool({ name, description, parameters, freeform, deferLoading }: HarnessTool): WireTool {
  if (freeform) return { kind: "freeform", name, description, grammar: freeform };
  return {
    kind: "function",
    name,
    description,
    parameters: parameters ?? NOTHING,
    ...(parameters === null ? { parameterless: true } : {}),
    strict: false,
    ...(deferLoading ? { deferLoading } : {}),
  };
}

function catalogTool({ name, description, parameters }: HarnessTool): CatalogTool {
  return { name, description, parameters: parameters ?? NOTHING };
}

const NOTHING = { type: "object", properties: {} };

function translate(
  call: ToolCall,
  tools: readonly HarnessTool[],
  errors: Harness["errors"],
): Translated | { problem: string } {
  const found = find(call, tools);
  if ("problem" in found) return { problem: inWords(errors.unknownTool, call, found) };
  const { tool, notes } = found;
  const { native, args } = tool;
  if (native === "tool_call") return misfit(call, tool, errors);
  if (tool.freeform) {
    const input = call.input.kind === "text" ? call.input.raw : readFreeText(call.input.raw);
    return { native, input: nativeInput(args, { input }), tool, notes };
  }
  const read = readArguments(call.input.raw, tool.parameters ?? NOTHING, !changesFiles(tool));
  if ("problem" in read) return misfit(call, tool, errors);
  const input = nativeInput(args, read.fields);
  return { native, input, tool, notes: [...notes, ...repaired(read), ...ignored(read.fields, tool)] };
}

/** Why the arguments of a call can't be used. A call by name that is left here names itself, or nothing. */
function misfit(call: ToolCall, tool: HarnessTool, errors: Harness["errors"]): { problem: string } {
  const read = readArguments(call.input.raw, tool.parameters ?? NOTHING, !changesFiles(tool));
  const found = "problem" in read ? read : { problem: `${tool.name} can't call itself` };
  return { problem: misfitInWords(call, tool, errors, found) };
}

function misfitInWords(call: ToolCall, tool: HarnessTool, errors: Harness["errors"], found: Problem): string {
  const [own] = [tool.result?.cases?.["bad_arguments"]].flat();
  return inWords(own ?? errors.badArguments, { ...call, name: tool.name }, found);
}

/** What these do can't be taken back, so they run only as they were written. */
const CHANGES_FILES: ReadonlySet<HarnessTool["native"]> = new Set([
  "apply_patch",
  "edit",
  "notebook_edit",
  "write",
]);

function changesFiles({ native }: HarnessTool): boolean {
  return CHANGES_FILES.has(native);
}

/** The call that stands in the arguments of a call by name; any other call as it is. */
function innerCall(call: ToolCall, tools: readonly HarnessTool[]): ToolCall {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool?.native !== "tool_call" || !tool.parameters) return call;
  const read = readArguments(call.input.raw, tool.parameters, false);
  if ("problem" in read) return call;
  const { name, arguments: fields = {} } = read.fields;
  return { ...call, name: String(name), input: { kind: "json", raw: JSON.stringify(fields) } };
}

// Models glue tokens of their chat format to a name (`exec_command<|channel|>commentary`) or put a namespace before it.
function find(
  { name, input }: ToolCall,
  tools: readonly HarnessTool[],
): { tool: HarnessTool; notes: string[] } | { problem: string } {
  const bare = name
    .replace(/<\|[\s\S]*$/, "")
    .replace(/^(?:functions[.:]|multi_agent_v1(?:__|[.:]))/, "")
    .trim();
  const exact = tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name === bare);
  if (exact) return { tool: exact, notes: [] };
  const spelled = spelledLike(
    bare,
    tools.map((tool) => tool.name),
  );
  const tool = tools.find((one) => one.name === spelled?.name);
  const problem = `unsupported ${input.kind === "text" ? "custom tool " : ""}call: ${name}`;
  if (!tool) return { problem: `${problem}; offered: ${tools.map((one) => one.name).join(", ")}` };
  if (spelled?.isGuess && changesFiles(tool)) return { problem: `${problem}; did you mean ${tool.name}?` };
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

function ignored(fields: Record<string, unknown>, { name, parameters }: HarnessTool): string[] {
  if (!parameters) return [];
  const { additionalProperties } = parameters;
  if (additionalProperties !== false) return [];
  const properties = propertiesOf(parameters);
  const unknown = Object.keys(fields).filter((field) => !Object.hasOwn(properties, field));
  return unknown.map((field) => `${name} has no parameter \`${field}\`; it was ignored`);
}

type Problem = { problem: string; field?: string; reason?: string };

/** The harness's own words for a problem; without them, the problem as it is. */
function inWords(
  template: string | undefined,
  { name: tool, input }: ToolCall,
  { problem, field = "", reason = problem }: Problem,
): string {
  if (template === undefined) return problem;
  const names = { tool, problem, field, reason, rule: ruleOf(field, reason), arguments: indented(input.raw) };
  return renderTemplate(template, (name) => own(names, name));
}

/** The same as checkers of JSON Schema say it, which some models have learned from. */
function ruleOf(field: string, reason: string): string {
  const path = field === "" ? [] : field.replaceAll("[", ".").replaceAll("]", "").split(".");
  const at = (names: readonly string[]) => (names.length === 0 ? "" : `/${names.join("/")} `);
  if (reason !== "missing") return `${at(path)}${reason}`;
  return `${at(path.slice(0, -1))}must have required property '${path.at(-1)}'`;
}

/** JSON as a person would lay it out; what is none stays as it is. */
function indented(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}

function own(fields: NonNullable<ToolResult["fields"]>, name: string) {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function render(tool: HarnessTool, result: ToolResult, { id, errors }: Harness): Part[] {
  const template = templateFor(tool, result, errors.failed);
  if (template === undefined) return result.content;
  const fields = { text: textOf(result.content), tool: tool.name, ...result.fields };
  const images = result.content.filter((part) => part.type === "input_image");
  const texts = [template].flat().map((one) => fill(one, fields));
  const unknown = texts.flatMap((text) => (typeof text === "string" ? [] : [text.unknown]));
  // What was done is done: a mistake in the template must not hide it from the model.
  if (unknown.length > 0)
    return [
      ...result.content,
      inputText(`\n(${id}: the template of this result asks for ${unknown.join(", ")})`),
    ];
  const filled = texts.flatMap((text) => (typeof text === "string" && text !== "" ? [clip(text, tool)] : []));
  if (filled.length === 0 && images.length > 0) return images;
  const parts = filled.length === 0 ? [""] : filled;
  return [...parts.map(inputText), ...images];
}

function inputText(text: string): Part {
  return { type: "input_text", text };
}

/**
 * Results without fields have not run as far as the tool itself, e.g. calls that the user refused. Of failures only those
 * of commands are worded like successes: whatever else has failed must not read as if it had been done.
 */
function templateFor(
  { result: templates = {} }: HarnessTool,
  { ok, fields }: ToolResult,
  failed: string | undefined,
): string | string[] | undefined {
  if (!fields) return ok ? undefined : failed;
  const { case: name } = fields;
  const own = typeof name === "string" ? templates.cases?.[name] : undefined;
  const ofCommand = Object.hasOwn(fields, "exitCode") ? templates.ok : undefined;
  return own ?? (ok ? templates.ok : (templates.error ?? failed ?? ofCommand));
}

/** The text, or the name of a field that this result does not have. */
function fill(template: string, fields: NonNullable<ToolResult["fields"]>): string | { unknown: string } {
  const unknown: string[] = [];
  const text = renderTemplate(template, (name, isSection) => {
    const value = own(fields, name) ?? asJson(fields, name);
    if (value === undefined && !isSection) unknown.push(name);
    return value ?? "";
  });
  const [first] = unknown;
  return first === undefined ? text : { unknown: first };
}

/** `outputJson`: the field `output` as JSON would write it, for results that are JSON. */
function asJson(fields: NonNullable<ToolResult["fields"]>, name: string): string | undefined {
  const value = name.endsWith("Json") ? own(fields, name.slice(0, -"Json".length)) : undefined;
  return value === undefined ? undefined : JSON.stringify(value);
}

function clip(text: string, { result }: HarnessTool): string {
  const most = result?.maxChars;
  if (most === undefined || text.length <= most) return text;
  return `${text.slice(0, most)}\n[${text.length - most} more characters were left out]`;
}
