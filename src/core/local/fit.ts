import type { HarnessFlags } from "../../harness/flags.ts";
import { type HarnessHome, harnessIds, loadHarness } from "../../harness/load.ts";
import type { Route } from "../../harness/route.ts";
import type { WireApi } from "../../protocol/items.ts";
import { AppError } from "../../util/errors.ts";
import { harnessSize } from "../harness/harness-report.ts";

export type FitQuestion = {
  route: Route;
  /** The user named this harness. */
  isChosen: boolean;
  /** Tokens. */
  window: number;
  flags: HarnessFlags;
  wire: WireApi;
  home: HarnessHome;
};

/** The part of the window that prompt and tools may take. */
const STATIC_SHARE = 0.5;
/** No harness is large enough to be a question above this. */
const ROOMY = 65_536;
const SMALLEST = "minimal";

/**
 * The harness itself when its prompt and tools leave half of the window to the conversation, else the smallest one. Throws
 * AppError "config" that names those that fit when the user has chosen one that does not.
 */
export async function fittingHarness(question: FitQuestion): Promise<Route> {
  const { route, isChosen, window } = question;
  if (window >= ROOMY) return route;
  const size = await staticTokens(route.id, question);
  const most = window * STATIC_SHARE;
  if (size <= most || (!isChosen && route.id === SMALLEST)) return route;
  if (!isChosen) {
    const reason = `${route.id} would fill more than half of ${window} tokens`;
    return { id: SMALLEST, reason };
  }
  const fitting = await fittingIds(question, most);
  throw new AppError(
    "config",
    `the harness ${route.id} takes about ${size} tokens, more than half of the context window of ${window}`,
    {
      hint: `${fitting.length > 0 ? `these fit: ${fitting.join(", ")}; or` : "none fits;"} raise model_context_window`,
    },
  );
}

async function fittingIds(question: FitQuestion, most: number): Promise<string[]> {
  const { home, wire } = question;
  const fitting: string[] = [];
  for (const id of await harnessIds(home)) {
    const harness = await loadHarness(id, home).catch(() => undefined);
    if (harness?.wires.includes(wire) && (await staticTokens(id, question)) <= most) fitting.push(id);
  }
  return fitting;
}

async function staticTokens(id: string, { home, flags }: FitQuestion): Promise<number> {
  return harnessSize(await loadHarness(id, home), flags).total;
}
