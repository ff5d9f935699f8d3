import { expect, test } from "bun:test";
import { z } from "zod";
import { catalogIds } from "../../src/providers/catalog.ts";
import catalog from "../../src/providers/catalog.yaml";
import { KEY_VARIABLES } from "../../src/providers/key-variables.ts";
import models from "../../src/providers/models.yaml";

const Entry = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  name: z.string().min(1),
  base: z.url({ protocol: /^https?$/ }).regex(/[^/]$/),
  wire: z.enum(["responses", "messages"]).optional(),
  key: z
    .string()
    .regex(/^[A-Z0-9_]+$/)
    .optional(),
  sharedKey: z.literal(true).optional(),
  model: z.string().min(1).optional(),
  local: z.literal(true).optional(),
});

const Rule = z.strictObject({
  match: z.array(z.string().regex(/^[a-z0-9.:/_-]+\*?$/)).min(1),
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
    .flatMap(({ match }) => match);
  const hidden = patterns.filter((pattern, at) =>
    patterns
      .slice(0, at)
      .some((earlier) => earlier.endsWith("*") && pattern.startsWith(earlier.slice(0, -1))),
  );
  expect(hidden).toEqual([]);
});
