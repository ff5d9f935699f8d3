import { z } from "zod";
import type { JsonSchema } from "../../model/types.ts";
import { isRecord } from "../../util/json.ts";
import type { Connection } from "./connect.ts";
import { plainSchema } from "./plain-schema.ts";

/** A server whose pages never end must not hold us for ever. */
const MAX_PAGES = 100;
const MAX_ENTRIES = 2_048;
const TIMEOUT_MS = 30_000;
/** It is sent with every request. Characters. */
const LONGEST_DESCRIPTION = 16_384;

const Page = z.looseObject({ nextCursor: z.string().nullish() });
const Hints = z.looseObject({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
const Tool = z.looseObject({
  name: z.string().min(1),
  title: z.string().nullish(),
  description: z.string().nullish(),
  inputSchema: z.unknown(),
  annotations: Hints.nullish().catch(undefined),
});

export type ToolHints = z.infer<typeof Hints>;
export type ListedTool = { name: string; description: string; parameters: JsonSchema; hints: ToolHints };

/** `faults`: what of a list could not be used as it is, in words. */
export type Listed<T> = { entries: T[]; faults: string[] };

/** All tools of a server. An entry that is not a tool is left out: the others work without it. */
export async function listTools(connection: Connection, signal: AbortSignal): Promise<Listed<ListedTool>> {
  const all = await listAll(connection, "tools/list", "tools", signal);
  const faults: string[] = [];
  const entries = all.flatMap((entry) => {
    const { data: tool } = Tool.safeParse(entry);
    if (tool === undefined) {
      faults.push("an entry of its tool list is not a tool, and is left out");
      return [];
    }
    if (!isRecord(tool.inputSchema))
      faults.push(`${tool.name} has no input schema that can be read; it is offered without parameters`);
    const { name, title, inputSchema, annotations } = tool;
    const description = tool.description ?? title ?? "";
    if (description.length > LONGEST_DESCRIPTION)
      faults.push(`the description of ${name} is cut after ${LONGEST_DESCRIPTION} characters`);
    return [
      {
        name,
        description: description.slice(0, LONGEST_DESCRIPTION),
        parameters: plainSchema(inputSchema),
        hints: annotations ?? {},
      },
    ];
  });
  return { entries, faults };
}

/** Follows `nextCursor` to the end; `key` names the list in each answer. */
export async function listAll(
  connection: Connection,
  method: string,
  key: string,
  signal: AbortSignal,
): Promise<unknown[]> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (seen.size < MAX_PAGES && entries.length < MAX_ENTRIES) {
    const page = await listPage(connection, { method, key, cursor }, signal);
    entries.push(...page.entries);
    cursor = page.nextCursor;
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return entries.slice(0, MAX_ENTRIES);
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
