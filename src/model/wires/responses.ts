import { makeWire, type Protocol } from "../converse.ts";
import type { Wire } from "../types.ts";
import { responsesBody } from "./responses-request.ts";
import { ResponsesReader } from "./responses-stream.ts";

/** OpenAI's Responses API. */
export const RESPONSES: Protocol = {
  id: "responses",
  path: () => "/responses",
  headers: { accept: "text/event-stream" },
  body: responsesBody,
  reader: (request) => new ResponsesReader(request),
};

export function responsesWire(): Wire {
  return makeWire(RESPONSES);
}
