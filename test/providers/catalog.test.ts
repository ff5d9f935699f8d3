import { expect, test } from "bun:test";
import { z } from "zod";
import { quirksFor } from "../../src/model/quirks.ts";
import { catalogEntry, catalogIds } from "../../src/providers/catalog.ts";
import catalog from "../../src/providers/catalog.yaml";
import { KEY_VARIABLES } from "../../src/providers/key-variables.ts";
import models from "../../src/providers/models.yaml";
import { quirkIds } from "../../src/providers/quirk-sets.ts";
import { fixtureRows } from "./fixtures.ts";

const Entry = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  name: z.string().min(1),
  base: z.url({ protocol: /^https?$/ }).regex(/[^/]$/),
  wire: z.enum(["responses", "messages", "ollama"]).optional(),
  key: z
    .string()
    .regex(/^[A-Z0-9_]+$/)
    .optional(),
  sharedKey: z.literal(true).optional(),
  model: z.string().min(1).optional(),
  local: z.literal(true).optional(),
  quirks: z.enum(quirkIds()).optional(),
});

const Rule = z.strictObject({
  match: z.array(z.string().regex(/^[a-z0-9.:/_-]+\*?$/)).min(1),
  at: z.array(z.enum(catalogIds())).min(1).optional(),
  window: z.int().min(4096),
  images: z.literal(true).optional(),
  freeformPatch: z.literal(true).optional(),
  efforts: z.array(z.enum(["none", "minimal", "low", "medium", "high", "xhigh"])).optional(),
  effort: z.enum(["low", "medium", "high"]).optional(),
  maxOutput: z.int().optional(),
});

test("the catalog has the shape that the code reads", () => {
  expect(z.array(Entry).safeParse(catalog).error).toBeUndefined();
});

test("each provider is in the catalog once", () => {
  expect(new Set(catalogIds()).size).toBe(catalogIds().length);
});

test("every hosted provider is known, with its wire and the variable of its key", async () => {
  const rows = await fixtureRows("hosted.txt");
  const ours = rows.map(([id = ""]) => {
    const entry = catalogEntry(id);
    return [entry?.id, entry?.wire ?? "chat", entry?.key];
  });
  expect([ours, rows.length]).toEqual([rows, 115]);
});

test("beside the hosted providers there are OpenAI and the local servers", async () => {
  const hosted = (await fixtureRows("hosted.txt")).map(([id]) => id);
  expect(catalogIds().filter((id) => !hosted.includes(id))).toEqual([
    "openai",
    "ollama",
    "lmstudio",
    "llamacpp",
    "vllm",
    "jan",
    "localai",
  ]);
});

test("a provider names habits only where its address does not tell them", () => {
  const told = catalogIds().filter((id) => {
    const { base = "", quirks } = catalogEntry(id) ?? {};
    const url = new URL(base);
    const byAddress = url.port === "11434" ? {} : quirksFor(base, "some-model");
    return quirks !== undefined && Object.keys(byAddress).length > 0;
  });
  expect(told).toEqual([]);
  const used = new Set(catalogIds().map((id) => catalogEntry(id)?.quirks));
  expect(quirkIds().filter((id) => ![...used].some((one) => one === id))).toEqual([]);
});

test("hosted providers have a key, and only hosted ones travel", () => {
  const odd = z
    .array(Entry)
    .parse(catalog)
    .filter(({ local, key, base }) =>
      local ? key !== undefined : key === undefined || !base.startsWith("https:"),
    );
  expect(odd).toEqual([]);
});

test("the list of key variables is the one of the catalog", () => {
  const ownKeys = z
    .array(Entry)
    .parse(catalog)
    .filter(({ sharedKey }) => !sharedKey)
    .flatMap(({ key }) => key ?? []);
  const wanted = new Set([...ownKeys, "CODEX_API_KEY", "CODEX_ACCESS_TOKEN"]);
  expect([...KEY_VARIABLES]).toEqual([...wanted].sort());
});

test("the model table has the shape that the code reads", () => {
  expect(z.array(Rule).safeParse(models).error).toBeUndefined();
});

test("no rule of the model table is hidden by an earlier one", () => {
  const patterns = z
    .array(Rule)
    .parse(models)
    .flatMap(({ match, at }) => match.map((pattern) => ({ pattern, isLimited: at !== undefined })));
  const hidden = patterns.filter(({ pattern }, index) =>
    patterns
      .slice(0, index)
      .some(
        (earlier) =>
          !earlier.isLimited &&
          earlier.pattern.endsWith("*") &&
          pattern.startsWith(earlier.pattern.slice(0, -1)),
      ),
  );
  expect(hidden).toEqual([]);
});
