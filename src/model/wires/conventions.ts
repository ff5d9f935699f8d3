import type { Json } from "../json.ts";

/** What an empty output is sent as; several servers refuse empty text. */
export const NO_OUTPUT = "(no output)";

/** The name that every request with an output schema uses. */
export const SCHEMA_NAME = "codex_output_schema";

/** Wires without freeform tools offer them as functions that take one text. */
export const FREEFORM_SCHEMA: Json = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
  additionalProperties: false,
};
