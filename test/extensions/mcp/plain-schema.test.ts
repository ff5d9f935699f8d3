import { expect, test } from "bun:test";
import { boundedSchema } from "../../../src/extensions/mcp/bounded-schema.ts";
import { plainSchema } from "../../../src/extensions/mcp/plain-schema.ts";

test("references are written out and what they referred to is gone", () => {
  const person = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  expect(
    plainSchema({
      $schema: "http://json-schema.org/draft-07/schema#",
      $defs: { Person: person, "a/b": { type: "integer" } },
      type: "object",
      properties: {
        owner: { $ref: "#/$defs/Person", description: "Who has it." },
        others: { type: "array", items: { $ref: "#/$defs/Person" } },
        count: { allOf: [{ $ref: "#/$defs/a~1b" }], title: "Count" },
      },
      required: ["owner"],
    }),
  ).toEqual({
    type: "object",
    properties: {
      owner: { ...person, description: "Who has it." },
      others: { type: "array", items: person },
      count: { type: "integer", title: "Count" },
    },
    required: ["owner"],
  });
});

test("a schema that contains itself, or points to another document, ends in a plain object", () => {
  expect(
    plainSchema({
      $defs: { Tree: { type: "object", properties: { left: { $ref: "#/$defs/Tree", description: "L" } } } },
      properties: { tree: { $ref: "#/$defs/Tree" }, far: { $ref: "https://example.com/schema.json" } },
    }),
  ).toEqual({
    type: "object",
    properties: {
      tree: { type: "object", properties: { left: { type: "object", description: "L" } } },
      far: { type: "object" },
    },
  });
});

test("references that multiply stay within bounds", () => {
  const level = (n: number) => ({
    type: "object",
    properties: Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, { $ref: `#/$defs/L${n + 1}` }])),
  });
  const $defs = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`L${n}`, level(n)]));
  const plain = JSON.stringify(plainSchema({ $defs, properties: { root: { $ref: "#/$defs/L0" } } }));
  expect(plain.length).toBeLessThan(500_000);
  expect(plain).not.toContain("$ref");
});

test("'or null' is left out, also of a default, and real choices stay", () => {
  expect(
    plainSchema({
      properties: {
        n: { anyOf: [{ type: "integer" }, { type: "null" }], default: null, description: "N" },
        when: { type: ["string", "null"], format: "date-time" },
        pick: { enum: ["a", null], type: ["string", "null"] },
        either: { oneOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
        nothing: { anyOf: [{ type: "null" }] },
        any: { anyOf: [true] },
      },
    })["properties"],
  ).toEqual({
    n: { type: "integer", description: "N" },
    when: { type: "string", format: "date-time" },
    pick: { type: "string", enum: ["a"] },
    either: { oneOf: [{ type: "string" }, { type: "number" }] },
    nothing: { type: "string" },
    any: { type: "string" },
  });
});

test("every field gets a type", () => {
  expect(
    plainSchema({
      properties: {
        any: {},
        always: true,
        level: { enum: [1, 2] },
        fixed: { const: "x" },
        nested: { properties: { a: {} } },
        list: { items: {} },
        bare: { type: "array" },
        amount: { minimum: 0 },
      },
    })["properties"],
  ).toEqual({
    any: { type: "string" },
    always: { type: "string" },
    level: { type: "number", enum: [1, 2] },
    fixed: { type: "string", enum: ["x"] },
    nested: { type: "object", properties: { a: { type: "string" } } },
    list: { type: "array", items: { type: "string" } },
    bare: { type: "array", items: { type: "string" } },
    amount: { type: "number", minimum: 0 },
  });
});

test("limits and patterns that grammars of local servers choke on are left out", () => {
  expect(
    plainSchema({
      properties: {
        long: { type: "string", maxLength: 10_000, minLength: 1 },
        ahead: { type: "string", pattern: "^(?!x).*$" },
        plain: { type: "string", pattern: "^[a-z]+\\d$" },
      },
    })["properties"],
  ).toEqual({
    long: { type: "string", minLength: 1 },
    ahead: { type: "string" },
    plain: { type: "string", pattern: "^[a-z]+\\d$" },
  });
});

test("a property may be called like a keyword", () => {
  const properties = { $ref: { type: "string" }, type: { type: "string" }, items: { type: "integer" } };
  expect(plainSchema({ type: "object", properties })["properties"]).toEqual(properties);
});

test.each([[undefined], [null], ["text"], [[]]])(
  "a schema that is none (%p) takes no arguments",
  (schema) => {
    expect(plainSchema(schema)).toEqual({ type: "object", properties: {} });
  },
);

test("what is nested deeper than models read ends in a plain object, and so does a long way of references", () => {
  let deep: Record<string, unknown> = { type: "string" };
  for (let level = 0; level < 400; level++) deep = { properties: { a: deep } };
  expect(JSON.stringify(plainSchema(deep)).length).toBeLessThan(2_000);
  const steps = Array.from({ length: 3_000 }, (_, n) => [`d${n}`, { $ref: `#/$defs/d${n + 1}` }]);
  const schema = { properties: { a: { $ref: "#/$defs/d0" } }, $defs: Object.fromEntries(steps) };
  expect(plainSchema(schema)["properties"]).toEqual({ a: { type: "object" } });
});

test("names that mean something to JavaScript are fields like others, and as keywords they are left out", () => {
  const schema = JSON.parse(
    '{"__proto__": {"polluted": 1}, "properties": {"__proto__": {"type": "string"}, "a": {"$ref": "#/constructor"}}}',
  );
  const plain = plainSchema(schema);
  expect(JSON.stringify(plain)).toBe(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"a":{"type":"object"}}}',
  );
  expect("polluted" in plain).toBe(false);
});

const field = (text: string) => ({ type: "string", description: text });
const many = (count: number, one: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, one]));

test.each([
  [
    "loses its long texts first",
    { properties: { a: field("w".repeat(70_000)) } },
    "its long texts and lists of choices are cut",
    { a: field("w".repeat(1_024)) },
  ],
  [
    "then what lies below its fields",
    { properties: many(2, { properties: many(500, field("w".repeat(100))) }) },
    "only the names of its fields are kept",
    many(2, { type: "object" }),
  ],
  ["then all of it", { properties: many(5_000, field("")) }, "it is offered without parameters", {}],
])("a schema that is too large %s", (_, schema, fault, properties) => {
  expect(boundedSchema(schema)).toEqual({ parameters: { type: "object", properties }, fault });
});
