import { isRecord, type Json, listOf, recordOf } from "../util/json.ts";
import { simpleSchema } from "./simple-schema.ts";
import type { MessageLayout, ModelRequest } from "./types.ts";

/** How a request is written for a server that has refused its usual form. */
export type Forms = {
  layout: Pick<MessageLayout, "callsWithoutText" | "system">;
  toolCallIdPattern?: string;
  /** Tools have only the part of JSON Schema that every server knows. */
  hasSimpleSchemas: boolean;
};

const NO_TEXT =
  /content.{0,80}(<nil>|null|none|required|missing|valid string|must be (a )?string)|(missing|required).{0,30}content/is;
const NO_SYSTEM =
  /(system|developer).{0,20}(role|messages?|prompt|instructions?).{0,30}(not supported|unsupported|not allowed|not enabled)|only user and assistant roles/is;
const SCHEMA =
  /schema|function_declarations|additionalProperties|function\.parameters|"tools",\d+,"function"|tools.{0,30}strict/i;
const NINE_LETTERS = /tool call id.{0,80}length of 9/is;
const LONG_ID = /\bid\b.{0,40}(too long|maximum length|at most \d+ char)/is;
const ID_LETTERS = /\bid\b.{0,60}(should match|must match|pattern)/is;

export function usualForms(): Forms {
  return { layout: {}, hasSimpleSchemas: false };
}

/** Learns from the words of a refusal which form to use instead. False when they say nothing new of a form. */
export function learnForm(message: string, body: Json, forms: Forms): boolean {
  if (
    forms.layout.callsWithoutText === undefined &&
    NO_TEXT.test(message) &&
    holds(body, { content: null })
  ) {
    forms.layout.callsWithoutText = "empty";
    return true;
  }
  if (forms.layout.system === undefined && NO_SYSTEM.test(message) && holds(body, { role: "system" })) {
    forms.layout.system = "first_user";
    return true;
  }
  const pattern = idPattern(message);
  if (pattern !== undefined && forms.toolCallIdPattern === undefined) {
    forms.toolCallIdPattern = pattern;
    return true;
  }
  if (forms.hasSimpleSchemas || listOf(body["tools"]).length === 0 || !SCHEMA.test(message)) return false;
  // The schema of the answer is another matter.
  if (/response_format|json_schema/.test(message)) return false;
  forms.hasSimpleSchemas = true;
  return true;
}

/** The request in the forms that were not refused. */
export function inForms(request: ModelRequest, { layout, hasSimpleSchemas }: Forms): ModelRequest {
  const tools = hasSimpleSchemas
    ? request.tools.map((tool) =>
        tool.kind === "function"
          ? { ...tool, parameters: simpleSchema(tool.parameters), strict: undefined }
          : tool,
      )
    : request.tools;
  return { ...request, tools, layout: { ...request.layout, ...layout } };
}

function holds(body: Json, wanted: Json): boolean {
  return listOf(body["messages"]).some((message) =>
    Object.entries(wanted).every(([key, value]) => isRecord(message) && recordOf(message)[key] === value),
  );
}

function idPattern(message: string): string | undefined {
  if (NINE_LETTERS.test(message)) return "^[a-zA-Z0-9]{9}$";
  if (!/tool/i.test(message)) return undefined;
  if (LONG_ID.test(message)) return "^.{1,40}$";
  return ID_LETTERS.test(message) ? "^[a-zA-Z0-9_-]{1,40}$" : undefined;
}
