import { z } from "zod";
import type { JsonSchema } from "../../model/types.ts";
import { isRecord } from "../../util/json.ts";
import { boundedSchema } from "./bounded-schema.ts";
import type { Connection } from "./connect.ts";

/** A server whose pages never end must not hold us for ever. */
const MAX_PAGES = 100;
const MAX_ENTRIES = 2_048;
const TIMEOUT_MS = 30_000;
/** It is sent with every request. Characters. */
const LONGEST_DESCRIPTION = 16_384;

/** Characters; the protocol advises 128. */
const LONGEST_NAME = 256;

const Page = z.looseObject({ nextCursor: z.string().nullish() });
const Hints = z.looseObject({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
const Tool = z.looseObject({
  name: z.string().min(1).max(LONGEST_NAME),
  title: z.string().nullish(),
  description: z.string().nullish(),
  inputSchema: z.unknown(),
  annotations: Hints.nullish().catch(undefined),
});

export type ToolHints = z.infer<typeof Hints>;
export type ListedTool = { name: string; description: string; parameters: JsonSchema; hints: ToolHints };

/** `faults`: what of a list could not be used as it is, in words. */
export type Listed<T> = { entries: T[]; faults: string[] };

/**
 * All tools of a server. An entry that is not a tool is left out, and so is one with the name of another: a call could not say
 * which of them it means.
 */
export async function listTools(connection: Connection, signal: AbortSignal): Promise<Listed<ListedTool>> {
  const all = await listAll(connection, "tools/list", "tools", signal);
  const tools = new Map<string, ListedTool>();
  const faults: string[] = [];
  let misfits = 0;
  let repeated = 0;
  for (const entry of all.entries) {
    const { data: tool } = Tool.safeParse(entry);
    if (tool === undefined) misfits += 1;
    else if (tools.has(tool.name)) repeated += 1;
    else tools.set(tool.name, readTool(tool, faults));
  }
  if (all.isCut)
    faults.unshift(`its tool list goes on after ${all.entries.length} entries; the rest is left out`);
  if (misfits > 0)
    faults.push(`${entries(misfits)} not a tool with a name of at most ${LONGEST_NAME} characters`);
  if (repeated > 0) faults.push(`${entries(repeated)} a tool that stands in it before`);
  return { entries: [...tools.values()], faults };
}

function entries(count: number): string {
  return count === 1
    ? "an entry of its tool list is left out: it is"
    : `${count} entries of its tool list are left out: each is`;
}

function readTool(tool: z.infer<typeof Tool>, faults: string[]): ListedTool {
  const { name, title, inputSchema, annotations } = tool;
  const description = tool.description ?? title ?? "";
  if (!isRecord(inputSchema))
    faults.push(`${name} has no input schema that can be read; it is offered without parameters`);
  if (description.length > LONGEST_DESCRIPTION)
    faults.push(`the description of ${name} is cut after ${LONGEST_DESCRIPTION} characters`);
  const { parameters, fault } = boundedSchema(inputSchema);
  if (fault !== undefined) faults.push(`the input schema of ${name} is too large: ${fault}`);
  return {
    name,
    description: description.slice(0, LONGEST_DESCRIPTION),
    parameters,
    hints: annotations ?? {},
  };
}

/** Follows `nextCursor` to the end, or as far as there is room (`isCut`); `key` names the list in each answer. */
export async function listAll(
  connection: Connection,
  method: string,
  key: string,
  signal: AbortSignal,
): Promise<{ entries: unknown[]; isCut: boolean }> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (seen.size < MAX_PAGES && entries.length < MAX_ENTRIES) {
    const page = await listPage(connection, { method, key, cursor }, signal);
    entries.push(...page.entries);
    cursor = page.nextCursor;
    if (cursor === undefined || seen.has(cursor)) return bounded(entries);
    seen.add(cursor);
  }
  return { ...bounded(entries), isCut: true };
}

function bounded(entries: readonly unknown[]) {
  return { entries: entries.slice(0, MAX_ENTRIES), isCut: entries.length > MAX_ENTRIES };
}

export async function listPage(
  connection: Connection,
  { method, key, cursor }: { method: string; key: string; cursor: string | undefined },
  signal: AbortSignal,
): Promise<{ entries: unknown[]; nextCursor?: string }> {
  const params = cursor === undefined ? {} : { cursor };
  const answer = await connection.request({ method, params, schema: Page, timeoutMs: TIMEOUT_MS }, signal);
  const entries = answer[key];
  return {
    entries: Array.isArray(entries) ? entries : [],
    ...(answer.nextCursor ? { nextCursor: answer.nextCursor } : {}),
  };
}
