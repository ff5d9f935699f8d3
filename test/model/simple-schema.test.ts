import { expect, test } from "bun:test";
import { simpleSchema } from "../../src/model/simple-schema.ts";

test("a schema keeps what every server knows", () => {
  const schema = {
    $schema: "x",
    type: "object",
    additionalProperties: false,
    required: ["a", "gone"],
    properties: {
      a: { type: ["null", "string"], description: "the a", enum: ["x", "y"], minLength: 1 },
      b: { anyOf: [{ type: "null" }, { type: "number", maximum: 5 }], default: 3 },
      c: { type: "array" },
      d: { properties: { e: true } },
      f: { items: { type: "integer", enum: [1, 2] } },
    },
  };
  expect(simpleSchema(schema)).toEqual({
    type: "object",
    required: ["a"],
    properties: {
      a: { type: "string", description: "the a", enum: ["x", "y"] },
      b: { type: "number" },
      c: { type: "array", items: { type: "string" } },
      d: { type: "object", properties: { e: { type: "string" } } },
      f: { type: "array", items: { type: "integer" } },
    },
  });
});

test("nothing at all is an object without properties", () => {
  expect(simpleSchema({})).toEqual({ type: "object", properties: {} });
});
