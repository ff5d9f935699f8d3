import { expect, test } from "bun:test";
import type { LoadedConfig } from "../../../src/config/load.ts";
import { sessionSettings } from "../../../src/core/session/session-settings.ts";
import { compact } from "../../../src/core/turn/compact.ts";
import { outputLimit } from "../../../src/core/turn/output-limit.ts";
import { estimateItemTokens } from "../../../src/model/tokens.ts";
import type { ModelRequest } from "../../../src/model/types.ts";
import { assistantText, type Item, textOf, userText } from "../../../src/protocol/items.ts";
import { modelInfo } from "../../../src/providers/models.ts";

function settingsFor(contextWindow: number, limit?: number) {
  const { compactAt, keptUserTokens } = sessionSettings({
    config: { values: { model_auto_compact_token_limit: limit } } as unknown as LoadedConfig,
    cwd: "/w",
    posture: { approvals: "never", sandboxMode: "read-only", sandbox: { mode: "off" } },
    model: modelInfo("unknown-1", { isLocal: true, contextWindow }),
    compactPrompt: undefined,
    outputSchema: undefined,
  });
  return { compactAt, keptUserTokens };
}

test("a small window keeps a quarter free for the answer, a large one a tenth", () => {
  expect(settingsFor(8_192)).toEqual({ compactAt: 6_144, keptUserTokens: 2_730 });
  expect(settingsFor(32_768)).toEqual({ compactAt: 28_672, keptUserTokens: 10_922 });
  expect(settingsFor(200_000)).toEqual({ compactAt: 180_000, keptUserTokens: 20_000 });
});

test("the user's own limit only moves the point down", () => {
  expect(settingsFor(8_192, 4_000).compactAt).toBe(4_000);
  expect(settingsFor(8_192, 100_000).compactAt).toBe(6_144);
});

test("one output takes at most an eighth of the window, in the model's own unit", () => {
  const limitOf = (unit: "bytes" | "tokens", contextWindow: number) =>
    outputLimit({ ...modelInfo("m", { isLocal: true, contextWindow }), truncation: { unit, limit: 10_000 } });
  expect(limitOf("bytes", 8_192)).toEqual({ unit: "bytes", limit: 4_096 });
  expect(limitOf("tokens", 8_192)).toEqual({ unit: "tokens", limit: 1_024 });
  expect(limitOf("bytes", 200_000)).toEqual({ unit: "bytes", limit: 10_000 });
  expect(limitOf("tokens", 200_000)).toEqual({ unit: "tokens", limit: 10_000 });
});

test("a compaction keeps the user's newest messages within their budget, the oldest of them cut", async () => {
  const items: Item[] = [];
  for (const number of [1, 2, 3]) items.push(userText(`${number}`.repeat(2_000)), assistantText("ok"));
  const { history } = await compact(
    items,
    {
      request: async (sent) => ({ items: sent }) as unknown as ModelRequest,
      async *stream() {
        yield { type: "item", item: assistantText("what was done") };
      },
      account: () => undefined,
      freshContext: () => [],
      prompt: "sum up",
      keptUserTokens: 700,
    },
    new AbortController().signal,
  );
  const [cut, whole, summary, ...more] = history;
  expect(more).toEqual([]);
  expect(whole).toEqual(userText("3".repeat(2_000)));
  expect(cut?.type === "message" ? textOf(cut.content) : "").toMatch(/^2+…\d+ tokens truncated…2+$/);
  expect(
    [cut, whole].flatMap((item) => item ?? []).reduce((sum, item) => sum + estimateItemTokens(item), 0),
  ).toBeLessThan(720);
  expect(summary?.type === "message" ? textOf(summary.content) : "").toContain("what was done");
});
