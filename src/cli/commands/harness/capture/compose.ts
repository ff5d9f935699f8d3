import type { Harness } from "../../../../harness/compose.ts";
import type { HarnessFile, HarnessTool } from "../../../../harness/schema.ts";
import { bindTools } from "../../../../harness/tools.ts";
import type { ProbePlace } from "./probes.ts";
import { marksSuccess, readResult, saysTheSame, shellResult, unknownToolText } from "./results.ts";
import { readRequest, type SeenMessage, type SeenRequest } from "./seen-request.ts";
import { Templates } from "./templates.ts";
import type { BoundTool, Json, ProbeResults, Recorded } from "./types.ts";

export type Captured = {
  id: string;
  first: Recorded;
  tools: readonly BoundTool[];
  results: ProbeResults;
  /** The harness whose tools the program has, and its id. */
  base: Harness | undefined;
  place: ProbePlace;
  now: Date;
};

/** The harness that says what the program said. */
export function composeHarness(captured: Captured): HarnessFile {
  const { id, first, tools, results, base, place, now } = captured;
  const seen = readRequest(first);
  const templates = new Templates(place, now);
  const unknownTool = unknownToolText(results);
  const usesBrace = JSON.stringify([seen.system, seen.messages]).includes("{{");
  return {
    id,
    ...(base ? { extends: base.id } : {}),
    wires: [first.wire],
    prompt: {
      context: { permissions: "when_restricted", agents: false, environment: false, skills: false },
      system: systemOf(seen, templates),
      ...saidAround(seen.messages, place.prompt, templates),
    },
    ...(usesBrace ? { vars: { brace: "{" } } : {}),
    layout: layoutOf(captured, seen),
    request: requestOf(captured, templates),
    models: [],
    ...(unknownTool === undefined ? {} : { errors: { unknownTool } }),
    ...(base ? { dropTools: droppedTools(base, tools) } : {}),
    toolOrder: tools.map(({ seen: { name } }) => name),
    tools: tools.map((tool) => toolOf(tool, captured, templates)),
  };
}

function systemOf({ system, isBlocks }: SeenRequest, templates: Templates): string | string[] {
  const texts = system.map((text) => templates.text(text));
  return isBlocks && texts.length > 0 ? texts : texts.join("\n\n");
}

/** Every part is a message of its own here; the layout puts them together again. */
function saidAround(
  messages: readonly SeenMessage[],
  prompt: string,
  templates: Templates,
): Pick<NonNullable<HarnessFile["prompt"]>, "setup" | "afterFirst" | "firstUser"> {
  const parts = messages.flatMap(({ role, texts }) => texts.map((text) => ({ role, text })));
  const at = parts.findIndex(({ role, text }) => role === "user" && text.includes(prompt));
  const said = (some: typeof parts) => some.map(({ role, text }) => ({ role, text: templates.text(text) }));
  const [before = "", ...after] = parts[at]?.text.split(prompt) ?? [];
  const around = [before, after.join(prompt)].map((text) => templates.text(text));
  return {
    ...(around.join("") === "" ? {} : { firstUser: around.join("{{prompt}}") }),
    setup: said(parts.slice(0, Math.max(0, at))),
    afterFirst: said(parts.slice(at + 1)),
  };
}

function layoutOf({ base, first, results, tools }: Captured, seen: SeenRequest): HarnessFile["layout"] {
  const marks = marksSuccess(results, tools);
  const users = seen.messages.filter(({ role }) => role === "user");
  const cacheBreakpoints = JSON.stringify(first.body).split('"cache_control"').length - 1;
  const isMessages = first.wire === "messages";
  return {
    ...(seen.isBlocks ? { system: "blocks" } : {}),
    ...(isMessages ? { cacheBreakpoints, ...(base ? {} : { marksSuccess: marks }) } : {}),
    ...(users.some(({ texts }) => texts.length > 1) ? { mergeUserMessages: true } : {}),
    ...(users.length > 0 && users.every(({ isList }) => isList) && !isMessages
      ? { userContent: "parts" }
      : {}),
    ...(seen.messages.some(({ role }) => role === "system") ? { laterSystem: "system" } : {}),
    ...(seen.tools.every(({ isStrictKnown }) => !isStrictKnown) ? { toolStrict: false } : {}),
  };
}

/** The keys of a request that the conversation and the wire fill in, whatever a harness says. */
export const FILLED_IN: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "input",
  "system",
  "instructions",
  "tools",
  "stream",
]);

/** What the conversation itself decides, and who the program says it is: that stays ours. */
const NOT_COPIED: ReadonlySet<string> = new Set([...FILLED_IN, "metadata", "client_metadata", "user"]);
const COPIED_HEADERS = ["anthropic-version", "anthropic-beta"];

function requestOf({ first, base }: Captured, templates: Templates): HarnessFile["request"] {
  const fields = Object.entries(first.body).filter(([key]) => !NOT_COPIED.has(key));
  const gone = Object.keys(base?.request.body ?? {}).filter(
    (key) => !NOT_COPIED.has(key) && !Object.hasOwn(first.body, key),
  );
  const body: Json = {
    ...Object.fromEntries(gone.map((key) => [key, null])),
    ...Object.fromEntries(fields.map(([key, value]) => [key, templates.value(value)])),
  };
  const headers = COPIED_HEADERS.flatMap((name) => {
    const value = first.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const query = Object.fromEntries(new URLSearchParams(first.query));
  return {
    wire: first.wire,
    body,
    headers: Object.fromEntries(headers),
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(first.headers["x-api-key"] === undefined ? {} : { keyHeader: "x-api-key" }),
  };
}

function droppedTools(base: Harness, tools: readonly BoundTool[]): string[] {
  const kept = new Set(tools.map(({ seen }) => seen.name));
  return base.tools.filter(({ name, hidden }) => !hidden && !kept.has(name)).map(({ name }) => name);
}

function toolOf(bound: BoundTool, captured: Captured, templates: Templates): HarnessTool {
  const { seen, native, base, args } = bound;
  const { when: _, deferred: __, freeform: ___, ...kept } = base ?? { name: seen.name };
  const worded = wordedResult(bound, captured);
  const own = { ...args, ...worded.args };
  return {
    ...kept,
    name: seen.name,
    description: templates.fixed(seen.description) || "(no description)",
    native,
    ...(seen.parameters === undefined
      ? { freeform: seen.grammar ?? ANYTHING }
      : { parameters: seen.parameters && { ...seen.parameters } }),
    ...(args || worded.args ? { args: own } : {}),
    ...(base?.result || worded.result ? { result: { ...base?.result, ...worded.result } } : {}),
    ...(seen.deferLoading ? { deferLoading: true } : {}),
  };
}

const ANYTHING = { syntax: "regex", definition: "[\\s\\S]*" } as const;

/** A built-in harness knows more cases than a few calls can show; what it says otherwise of commands is worded anew. */
function wordedResult(
  bound: BoundTool,
  { results, place, base }: Captured,
): Pick<HarnessTool, "args" | "result"> {
  if (bound.native === "shell") {
    if (base && bound.base && saysTheSame(bindTools(base, {}), bound.base, results)) return {};
    const result = shellResult(results, place);
    return result ? { result } : {};
  }
  const read = bound.native === "read" && !bound.base ? readResult(results) : undefined;
  return read ? { args: { numbers: { value: read.numbers } }, result: read.result } : {};
}
