import { expect, test } from "bun:test";
import { z } from "zod";
import { builtInIds } from "../../src/harness/builtin.ts";
import type { Harness } from "../../src/harness/compose.ts";
import { HARNESS_FLAGS } from "../../src/harness/flags.ts";
import { propertiesOf } from "../../src/harness/json-schema.ts";
import { loadHarness } from "../../src/harness/load.ts";
import { bindTools } from "../../src/harness/tools.ts";
import type { InputIssue } from "../../src/harness/unfit-input.ts";
import type { ToolCall } from "../../src/protocol/items.ts";
import { loadTool } from "../../src/tools/registry.ts";
import { type Json, listOf, recordOf } from "../../src/util/json.ts";

const ALL_ON = Object.fromEntries(HARNESS_FLAGS.map((flag) => [flag, true]));

for (const id of builtInIds()) {
  test(`${id}: the native tools take each choice that the schemas offer`, async () => {
    const harness = await loadHarness(id, "/nowhere");
    expect(await refusedOf(harness, choices)).toEqual([]);
  });

  test(`${id}: what a schema lets through and a native tool does not take is told in the names of the schema`, async () => {
    const harness = await loadHarness(id, "/nowhere");
    const refused = await refusedOf(harness, ({ required, all }) => [required, all]);
    const known = refused.filter(({ problem, fields, parameters }) =>
      parameters.some((name) => problem.includes(name) && (problem.includes("found") || !(name in fields))),
    );
    expect(refused.filter((one) => !known.includes(one))).toEqual([]);
  });
}

test("an input that a native tool refuses is told in the harness's own words, with the model's names", async () => {
  const harness = await loadHarness("kimi-cli", "/nowhere");
  const [refused] = await refusedOf(harness, ({ all, name }) =>
    name === "Grep" ? [{ ...all, output_mode: "lines" }] : [],
  );
  expect(refused?.problem).toBe(
    "<system>ERROR: Grep can't run with these arguments: field `output_mode` can't be used, found \"lines\"</system>",
  );
});

type Samples = { name: string; required: Json; all: Json; properties: Json };
type Refused = { name: string; fields: Json; problem: string; parameters: string[] };

/** The calls that pass the harness's schema and are refused by the native tool, with what the model is told. */
async function refusedOf(harness: Harness, fieldsOf: (samples: Samples) => Json[]): Promise<Refused[]> {
  const bound = bindTools(harness, ALL_ON);
  const refused: Refused[] = [];
  for (const { name, native, parameters } of harness.tools) {
    if (native === "tool_call" || !parameters) continue;
    for (const fields of fieldsOf({ name, ...samplesOf(parameters) })) {
      const input = { kind: "json" as const, raw: JSON.stringify(fields) };
      const call: ToolCall = { type: "tool_call", callId: "c", name, input };
      const translated = bound.translate(call);
      if ("problem" in translated) continue;
      const { schema } = await loadTool(translated.native);
      const issue = issueOf(schema, translated.input);
      if (!issue) continue;
      const problem = bound.unfit(call, translated, issue);
      refused.push({ name, fields, problem, parameters: Object.keys(propertiesOf(parameters)) });
    }
  }
  return refused;
}

function issueOf(schema: { parse(input: unknown): unknown }, input: unknown): InputIssue | undefined {
  try {
    schema.parse(input);
    return undefined;
  } catch (cause) {
    if (cause instanceof z.ZodError) return cause.issues[0];
    throw cause;
  }
}

function samplesOf(parameters: Json): Omit<Samples, "name"> {
  const properties = propertiesOf(parameters);
  const first = (name: string) => valuesOf(recordOf(properties[name]))[0];
  const of = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, first(name)]));
  const required = listOf(parameters["required"]).map(String);
  return { required: of(required), all: of(Object.keys(properties)), properties };
}

/** Each value of each parameter that has a choice, beside what must be there. Where nothing must, beside everything. */
function choices({ required, all, properties }: Samples): Json[] {
  const beside = Object.keys(required).length === 0 ? all : required;
  return Object.entries(properties).flatMap(([name, schema]) => {
    const values = valuesOf(recordOf(schema));
    return values.length < 2 ? [] : values.map((value) => ({ ...beside, [name]: value }));
  });
}

function valuesOf(schema: Json): unknown[] {
  const { type, anyOf, enum: allowed, minimum, exclusiveMinimum, minItems } = schema;
  if (Array.isArray(allowed)) return allowed;
  if (Array.isArray(anyOf)) return anyOf.flatMap((one) => valuesOf(recordOf(one)));
  if (Array.isArray(type)) return type.flatMap((one) => valuesOf({ ...schema, type: one }));
  switch (type) {
    case "boolean":
      return [true, false];
    case "integer":
    case "number":
      return [
        typeof minimum === "number"
          ? minimum
          : typeof exclusiveMinimum === "number"
            ? exclusiveMinimum + 1
            : 1,
      ];
    case "array": {
      const items = valuesOf(recordOf(schema["items"]));
      const length = typeof minItems === "number" ? minItems : 1;
      return items.map((item) => Array.from({ length: Math.max(1, length) }, () => item));
    }
    case "object":
      return [samplesOf(schema).all];
    case "null":
      return [null];
    default:
      return ["sess_x"];
  }
}
