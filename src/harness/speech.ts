import { type Item, type MessageItem, textOf, userText } from "../protocol/items.ts";
import type { Harness } from "./compose.ts";
import type { HarnessMessage } from "./schema.ts";
import { type PromptContext, renderBody, renderPrompt } from "./vars.ts";

/** All that a harness says by itself, as it is for one session. */
export type Speech = {
  system: string;
  blocks?: string[];
  /** What stands around the user's first message. */
  firstUser?: Around;
  /** Before and after the user's first message. */
  setup: Item[];
  afterFirst: Item[];
  body: Record<string, unknown>;
  headers: Record<string, string | null>;
  query: Record<string, string>;
};

/** Texts directly before and after the user's first one; `setup`: what the user seems to have said before that. */
export type Around = { before: string; after: string; setup?: readonly string[] };

/** Fills every template of the harness. Throws AppError "config" when one names something unknown. */
export async function renderSpeech(harness: Harness, context: PromptContext): Promise<Speech> {
  const { prompt, request } = harness;
  const ctx = { ...context, vars: harness.vars };
  const blocks = prompt.blocks && (await texts(prompt.blocks, ctx));
  const [setup, afterFirst, body, headers, query] = await Promise.all([
    messages(prompt.setup, ctx),
    messages(prompt.afterFirst, ctx),
    renderBody(request.body, ctx),
    renderTexts(request.headers, ctx),
    renderTexts(request.query, ctx),
  ]);
  const said = {
    setup,
    afterFirst,
    body,
    headers,
    query: withoutNull(query),
    ...(prompt.firstUser === undefined
      ? {}
      : { firstUser: { ...(await around(prompt.firstUser, ctx)), setup: setup.map(textOfItem) } }),
  };
  if (blocks) return { ...said, system: blocks.join("\n\n"), blocks };
  return { ...said, system: await renderPrompt(prompt.system, ctx) };
}

async function around(template: string, ctx: PromptContext): Promise<Around> {
  const [before = "", after = ""] = await Promise.all(
    template.split("{{prompt}}").map((half) => renderPrompt(half, ctx)),
  );
  return { before, after };
}

function textOfItem(item: Item): string {
  return item.type === "message" ? textOf(item.content) : "";
}

async function texts(templates: readonly string[], ctx: PromptContext): Promise<string[]> {
  const rendered = await Promise.all(templates.map((template) => renderPrompt(template, ctx)));
  return rendered.map(withoutLastLineEnd).filter(isSomething);
}

async function messages(said: readonly HarnessMessage[], ctx: PromptContext): Promise<Item[]> {
  const rendered = await Promise.all(
    said.map(async ({ role, text }) => message(role, withoutLastLineEnd(await renderPrompt(text, ctx)))),
  );
  return rendered.filter((item) => item !== undefined);
}

function message(role: HarnessMessage["role"], text: string): MessageItem | undefined {
  if (!isSomething(text)) return undefined;
  if (role !== "assistant") return { ...userText(text), role };
  return { type: "message", role, content: [{ type: "output_text", text }] };
}

/** YAML's blocks of text end in a line end that nobody meant; all other blanks may be meant. */
function withoutLastLineEnd(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

function isSomething(text: string): boolean {
  return text.trim() !== "";
}

async function renderTexts(
  templates: Readonly<Record<string, string | null>>,
  ctx: PromptContext,
): Promise<Record<string, string | null>> {
  const entries = Object.entries(templates).map(
    async ([name, value]) => [name, value === null ? null : await renderPrompt(value, ctx)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

function withoutNull(texts: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
