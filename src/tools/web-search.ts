import { z } from "zod";
import { isNear } from "../util/near-address.ts";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const WebSearchInput = z.looseObject({
  query: z.string().min(1),
  limit: z.number().int().positive().optional(),
});
type WebSearchInput = z.infer<typeof WebSearchInput>;

const Answer = z.looseObject({
  results: z.array(
    z.looseObject({ title: z.string(), url: z.string(), content: z.string().nullish().catch("") }),
  ),
});

const USUAL_LIMIT = 5;
const LONGEST_MS = 20_000;

/** Native "web_search": asks the search server that the user has set. Only where policy allows the network. */
export const webSearch = defineTool<WebSearchInput>({
  name: "web_search",
  schema: WebSearchInput,
  parallel: true,
  prepare: async (input) => readingCall([], (run) => search(input, run)),
});

async function search({ query, limit = USUAL_LIMIT }: WebSearchInput, ctx: RunContext): Promise<ToolResult> {
  const { searchUrl, policy } = ctx;
  if (searchUrl === undefined) return textResult(false, "no search server is set", { case: "no_backend" });
  if (policy.mode !== "off" && !policy.network)
    return textResult(false, "network access is off in this session, so nothing can be searched", {
      case: "no_network",
    });
  const url = new URL(searchUrl);
  url.searchParams.set("q", query);
  url.searchParams.set("format", "json");
  const found = await ask(url, ctx.signal);
  if ("problem" in found) return textResult(false, `the search failed: ${found.problem}`, { case: "failed" });
  const shown = found.results.slice(0, limit);
  const text = shown
    .map(({ title, url: address, content }) =>
      [`Title: ${title}`, `URL: ${address}`, content].filter(Boolean).join("\n"),
    )
    .join("\n\n---\n\n");
  return textResult(true, shown.length === 0 ? "Nothing was found" : text, {
    case: "found",
    total: shown.length,
  });
}

async function ask(url: URL, signal: AbortSignal): Promise<z.infer<typeof Answer> | { problem: string }> {
  try {
    const limit = AbortSignal.timeout(LONGEST_MS);
    const response = await fetch(url, {
      redirect: "error",
      signal: AbortSignal.any([signal, limit]),
      // Bun lets a proxy variable catch addresses of this machine as well.
      ...(isNear(url.href) ? { proxy: false as const } : {}),
    });
    if (!response.ok) return { problem: `the server answered with status ${response.status}` };
    const read = Answer.safeParse(await response.json());
    return read.success
      ? read.data
      : { problem: "the answer has no list of results; is its JSON format on?" };
  } catch (cause) {
    signal.throwIfAborted();
    return { problem: cause instanceof Error ? cause.message : String(cause) };
  }
}
