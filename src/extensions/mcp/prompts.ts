import { z } from "zod";
import type { Part } from "../../protocol/items.ts";
import { AppError } from "../../util/errors.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import type { Connection } from "./connect.ts";
import { listAll } from "./listing.ts";
import { modelName } from "./names.ts";
import { blockPart } from "./result.ts";
import type { McpServer } from "./server.ts";

const TIMEOUT_MS = 60_000;
/** Characters. */
const LONGEST_NAME = 256;
/** It is a line of a menu. Characters. */
const LONGEST_ABOUT = 500;

const Argument = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  required: z.boolean().nullish(),
});
const Prompt = z.looseObject({
  name: z.string().min(1).max(LONGEST_NAME),
  title: z.string().nullish(),
  description: z.string().nullish(),
  arguments: z.array(Argument).nullish(),
});
export type ListedPrompt = z.infer<typeof Prompt>;

const Filled = z.looseObject({
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.union([z.array(z.unknown()), z.looseObject({})]),
    }),
  ),
});

/** A prompt of a server as a slash command. `hint` names what may follow it. */
export type PromptCommand = { name: string; about: string; hint?: string };
type Found = PromptCommand & { server: McpServer; prompt: ListedPrompt };

/** All prompts of a server; entries that are not prompts, or have the name of another, are left out. */
export async function listPrompts(connection: Connection, signal: AbortSignal): Promise<ListedPrompt[]> {
  const { entries } = await listAll(connection, "prompts/list", "prompts", signal);
  const prompts = new Map<string, ListedPrompt>();
  for (const { data: prompt } of entries.map((entry) => Prompt.safeParse(entry)))
    if (prompt !== undefined && !prompts.has(prompt.name)) prompts.set(prompt.name, prompt);
  return [...prompts.values()];
}

/** The prompts of all servers by the names of their commands: letters, digits, `_` and `-`. */
export function promptCommands(servers: Iterable<McpServer>): Found[] {
  const taken = new Set<string>();
  const found: Found[] = [];
  for (const server of servers)
    for (const prompt of server.prompts) {
      const name = modelName(server.name, prompt.name, taken);
      taken.add(name);
      const about = menuLine(prompt.description ?? prompt.title ?? prompt.name);
      const hint = hintOf(prompt);
      found.push({ name, about, ...(hint === "" ? {} : { hint }), server, prompt });
    }
  return found;
}

function menuLine(text: string): string {
  return terminalSafe(text.slice(0, LONGEST_ABOUT)).replace(/\s+/g, " ");
}

/**
 * What a prompt says, for the model to read. `written` is what the person wrote after the command: the values of the
 * prompt's arguments in order, in quotes where they hold blanks; the last one takes all the rest. Throws AppError.
 */
export async function fillPrompt(
  { name, server, prompt }: Found,
  written: string,
  { images }: { images: boolean },
  signal: AbortSignal,
): Promise<Part[]> {
  const values = argumentsIn(prompt, written);
  const missing = (prompt.arguments ?? []).filter((one) => one.required && !Object.hasOwn(values, one.name));
  if (missing.length > 0)
    throw new AppError("usage", `/${name} wants ${missing.map((one) => one.name).join(", ")}`, {
      hint: `write /${name} ${hintOf(prompt)}`,
    });
  const params = { name: prompt.name, arguments: values };
  const call = { method: "prompts/get", params, schema: Filled, timeoutMs: TIMEOUT_MS };
  try {
    const { messages } = await server.request(call, signal);
    return messages.flatMap(({ role, content }) =>
      [content].flat().map((block) => spokenBy(role, blockPart(block, images))),
    );
  } catch (cause) {
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("tool.failed", `the MCP server ${server.name} did not give its prompt: ${why}`, {
      cause,
    });
  }
}

/** A person says all of it; what a server lays into the model's mouth is marked as that. */
function spokenBy(role: string, part: Part): Part {
  if (role === "user" || part.type === "input_image") return part;
  return { ...part, text: `<${role}>\n${part.text}\n</${role}>` };
}

function hintOf(prompt: ListedPrompt): string {
  const names = (prompt.arguments ?? []).map(({ name, required }) => (required ? name : `[${name}]`));
  return menuLine(names.join(" "));
}

function argumentsIn({ arguments: wanted }: ListedPrompt, written: string): Record<string, string> {
  const values: Record<string, string> = {};
  let rest = written.trim();
  for (const [index, { name }] of (wanted ?? []).entries()) {
    if (rest === "") break;
    const isLast = index === (wanted ?? []).length - 1;
    const [whole, double, single, word] = /^(?:"([^"]*)"|'([^']*)'|(\S+))(?=\s|$)\s*/.exec(rest) ?? [rest];
    const isQuotedWhole = whole.length === rest.length && word === undefined;
    values[name] = isLast && !isQuotedWhole ? rest : (double ?? single ?? word ?? rest);
    rest = rest.slice(whole.length);
  }
  return values;
}
