import type { Json } from "../../util/json.ts";

/** What an empty output is sent as; several servers refuse empty text. */
export const NO_OUTPUT = "(no output)";

/**
 * The name of an earlier call as a server takes it back. Every API refuses a name with other characters or one that is too
 * long, and one such name would end the session; the record keeps what the model wrote.
 */
export function replayName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST_NAME);
  return plain === "" ? "unnamed" : plain;
}

const LONGEST_NAME = 64;

/** The name that every request with an output schema uses. */
export const SCHEMA_NAME = "codex_output_schema";

/** Wires without freeform tools offer them as functions that take one text. */
export const FREEFORM_SCHEMA: Json = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
  additionalProperties: false,
};
