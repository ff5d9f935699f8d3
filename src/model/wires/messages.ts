import { makeWire, type Protocol } from "../converse.ts";
import type { Wire } from "../types.ts";
import { messagesBody } from "./messages-request.ts";
import { MessagesReader } from "./messages-stream.ts";

/** Anthropic's Messages API. */
export const MESSAGES: Protocol = {
  id: "messages",
  path: (baseUrl) => (/\/v1\/*$/.test(baseUrl) ? "/messages" : "/v1/messages"),
  headers: { accept: "application/json", "anthropic-version": "2023-06-01" },
  body: messagesBody,
  reader: (request) => new MessagesReader(request),
};

export function messagesWire(): Wire {
  return makeWire(MESSAGES);
}
