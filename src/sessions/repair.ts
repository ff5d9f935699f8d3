import type { Item, ToolCall, ToolResultItem } from "../protocol/items.ts";

/** What the model reads for a call whose result was never recorded. */
const MISSING_RESULT = "aborted";

/**
 * Makes a history valid for every wire: each call gets exactly one result, directly after the calls of its answer. Results
 * that stand there already keep their order, others get that of their calls. `repairedCalls` counts results that were made up or dropped; `known` has results that the items lack.
 */
export function repairHistory(
  items: readonly Item[],
  known: ReadonlyMap<string, ToolResultItem> = new Map(),
): { history: Item[]; repairedCalls: number } {
  const { resultOf, strays } = matchResults(items);
  const history: Item[] = [];
  let open: { call: ToolCall; result: ToolResultItem | undefined }[] = [];
  let repairedCalls = strays.size;

  const endAnswer = (inPlace: readonly ToolResultItem[] = []) => {
    // Thoughts that nothing follows are refused by some servers.
    while (history.at(-1)?.type === "reasoning") history.pop();
    const own = [...new Set(inPlace)].filter((result) => open.some((one) => one.result === result));
    if (own.length === open.length) {
      history.push(...own);
      open = [];
    }
    for (const { call, result: recorded } of open) {
      const result = recorded ?? known.get(call.callId);
      if (result === undefined) repairedCalls++;
      history.push(result ?? madeUp(call));
    }
    open = [];
  };

  for (const [index, item] of items.entries()) {
    if (item.type === "tool_result") {
      if (!strays.has(index)) endAnswer(resultsFrom(items, index));
      continue;
    }
    // Where the result is missing, what the model said next is most likely its answer to it.
    const isLeftOpen = item.type !== "tool_call" && open.some(({ result }) => result === undefined);
    if (isLeftOpen || !belongsToAnswer(item)) endAnswer();
    history.push(item);
    if (item.type === "tool_call") open.push({ call: item, result: resultOf.get(index) });
  }
  endAnswer();
  return { history, repairedCalls };
}

/** The results that stand at `index` and directly after it. */
function resultsFrom(items: readonly Item[], index: number): ToolResultItem[] {
  const run: ToolResultItem[] = [];
  for (let at = index; ; at++) {
    const item = items[at];
    if (item?.type !== "tool_result") return run;
    run.push(item);
  }
}

/** Pairs calls and results by position, as some servers use the same call ids again in each answer. */
function matchResults(items: readonly Item[]) {
  const resultOf = new Map<number, ToolResultItem>();
  const strays = new Set<number>();
  const waiting = new Map<string, { index: number; answer: number }[]>();
  let answer = 0;
  for (const [index, item] of items.entries()) {
    if (!belongsToAnswer(item)) answer++;
    if (item.type === "tool_call") {
      const calls = waiting.get(item.callId) ?? [];
      waiting.set(item.callId, [...calls, { index, answer }]);
    } else if (item.type === "tool_result") {
      const calls = waiting.get(item.callId) ?? [];
      const latest = calls.at(-1)?.answer;
      const call = calls.find((candidate) => candidate.answer === latest);
      if (call === undefined) {
        strays.add(index);
        continue;
      }
      resultOf.set(call.index, item);
      waiting.set(
        item.callId,
        calls.filter((candidate) => candidate !== call),
      );
    }
  }
  return { resultOf, strays };
}

function belongsToAnswer(item: Item): boolean {
  switch (item.type) {
    case "message":
      return item.role === "assistant";
    case "reasoning":
    case "tool_call":
    case "opaque":
      return true;
    case "tool_result":
    case "compaction":
      return false;
  }
}

function madeUp(call: ToolCall): ToolResultItem {
  const content = [{ type: "input_text" as const, text: MISSING_RESULT }];
  return { type: "tool_result", callId: call.callId, content, ok: false };
}
