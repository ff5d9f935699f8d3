import { estimateItemTokens } from "../../model/tokens.ts";
import type { ModelEvent, ModelRequest } from "../../model/types.ts";
import { type Item, type MessageItem, textOf, userText } from "../../protocol/items.ts";
import type { Usage } from "../../protocol/usage.ts";
import { AppError, toAppError } from "../../util/errors.ts";
import { truncateMiddle } from "../../util/truncate.ts";
import { isContextFragment } from "../prompt-context/fragments.ts";

export type CompactDeps = {
  /** The request that would be sent for these items, without tools. */
  request(items: readonly Item[]): Promise<ModelRequest>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  account(usage: Usage | undefined): void;
  /** The context fragments as they are now. */
  freshContext(): readonly Item[];
  /** What follows the user's messages. */
  afterFirst?: readonly Item[];
  prompt: string;
  /** Only what stands between this tag and its end is the summary, when the answer has it. */
  tag?: string | undefined;
  /** Tokens of the newest user messages that survive. */
  keptUserTokens: number;
};

export type Compacted = { history: Item[]; summary: string };

/** A summary request that still does not fit is shortened and tried again, but not for ever. */
const MAX_TRIES = 3;

export const DEFAULT_COMPACT_PROMPT = `The conversation is about to be replaced by a summary that you write now. Another instance of you will go on with only that summary and the user's own messages. Write down, in plain text and without calling tools:
- what the user wants, with every constraint and preference that still holds;
- what has been done and found so far: files (with paths), commands, results, decisions and their reasons;
- what is still to do, in order, and what was about to happen next;
- exact names, numbers, errors and code fragments that would be expensive to find again.
Leave out what no longer matters.`;

const SUMMARY_PREFIX =
  "The conversation before this point was replaced by the summary below, written by the assistant. Build on it and don't repeat work that it reports as done.\n\n";

/** Asks the model for a summary and builds the history that replaces the old one. Throws AppError when that fails. */
export async function compact(
  items: readonly Item[],
  deps: CompactDeps,
  signal: AbortSignal,
): Promise<Compacted> {
  const summary = await summarise(items, deps, signal);
  const history = [
    ...deps.freshContext(),
    ...recentUserMessages(items, deps.keptUserTokens),
    userText(SUMMARY_PREFIX + summary),
    ...(deps.afterFirst ?? []),
  ];
  return { history, summary };
}

async function summarise(items: readonly Item[], deps: CompactDeps, signal: AbortSignal): Promise<string> {
  let kept = [...items];
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask([...kept, userText(deps.prompt)], deps, signal);
    } catch (cause) {
      const error = toAppError(cause);
      const shorter = withoutOldest(kept);
      if (error.code !== "model.context_window" || tries >= MAX_TRIES || shorter.length === kept.length)
        throw error;
      kept = shorter;
    }
  }
}

async function ask(items: readonly Item[], deps: CompactDeps, signal: AbortSignal): Promise<string> {
  const request = await deps.request(items);
  let text = "";
  for await (const event of deps.stream(request, signal)) {
    if (event.type === "item" && event.item.type === "message") text += textOf(event.item.content);
    if (event.type === "finished") deps.account(event.usage);
  }
  if (text.trim() === "")
    throw new AppError("model.empty", "the model wrote an empty summary", { retryable: true });
  return taggedPart(text, deps.tag).trim();
}

function taggedPart(text: string, tag: string | undefined): string {
  if (tag === undefined) return text;
  const from = text.indexOf(`<${tag}>`);
  const to = text.lastIndexOf(`</${tag}>`);
  return from >= 0 && to > from ? text.slice(from + tag.length + 2, to) : text;
}

/** Drops the older half of what is not context, never parting a call from its result. */
function withoutOldest(items: readonly Item[]): Item[] {
  const context = items.filter(isContextFragment);
  const rest = items.filter((item) => !isContextFragment(item));
  let cut = Math.ceil(rest.length / 2);
  while (cut < rest.length && rest[cut]?.type === "tool_result") cut += 1;
  const kept = rest.slice(cut);
  const calls = new Set(kept.flatMap((item) => (item.type === "tool_call" ? [item.callId] : [])));
  return [...context, ...kept.filter((item) => item.type !== "tool_result" || calls.has(item.callId))];
}

/** The newest messages of the user, oldest first, up to the budget; the one at the border is cut in the middle. */
function recentUserMessages(items: readonly Item[], budget: number): Item[] {
  const kept: Item[] = [];
  let left = budget;
  for (const item of [...items].reverse()) {
    if (item.type !== "message" || item.role !== "user" || isContextFragment(item) || isSummary(item))
      continue;
    const size = estimateItemTokens(item);
    if (size > left) {
      if (left > 0)
        kept.unshift(userText(truncateMiddle(textOf(item.content), { unit: "tokens", limit: left })));
      break;
    }
    left -= size;
    kept.unshift(item);
  }
  return kept;
}

function isSummary(item: MessageItem): boolean {
  return textOf(item.content).startsWith(SUMMARY_PREFIX);
}
