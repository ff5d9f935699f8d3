import { z } from "zod";
import { defineTool } from "./define.ts";
import { readingCall, refused, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const WebFetchInput = z.looseObject({ url: z.string() });
type WebFetchInput = z.infer<typeof WebFetchInput>;

/** Native "web_fetch": a page of the public web as text. Only where policy allows the network. */
export const webFetch = defineTool<WebFetchInput>({
  name: "web_fetch",
  schema: WebFetchInput,
  parallel: true,
  async prepare({ url }) {
    const address = URL.canParse(url) ? new URL(url) : undefined;
    if (!address || !/^https?:$/.test(address.protocol))
      return refused(`wanted an http or https address, found "${url}"`);
    return readingCall([], (run) => fetchPage(address, run));
  },
});

async function fetchPage(url: URL, ctx: RunContext): Promise<ToolResult> {
  if (!hasNetwork(ctx.policy))
    return textResult(false, "network access is off in this session, so nothing can be fetched", {
      case: "no_network",
    });
  if (ctx.isAirGapped)
    return textResult(
      false,
      "this machine is cut off from the internet (air_gapped = true), so nothing can be fetched",
      {
        case: "no_network",
      },
    );
  const [{ fetchPublic }, { publicAddress }] = await Promise.all([
    import("./web/fetch-public.ts"),
    import("./web/public-address.ts"),
  ]);
  const answer = await fetchPublic(url, { addressOf: publicAddress }, ctx.signal);
  if ("problem" in answer) return textResult(false, answer.problem, { case: "failed", url: url.href });
  const { pageText } = await import("./web/page-text.ts");
  const text = pageText(answer.text, answer.type);
  const note = answer.isCut ? "\n(the page is longer; the rest was left out)" : "";
  return textResult(true, text + note, { case: "page", url: answer.url, text });
}

function hasNetwork(policy: RunContext["policy"]): boolean {
  return policy.mode === "off" || policy.network;
}
