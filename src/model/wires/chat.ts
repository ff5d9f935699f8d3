import { makeWire, type Protocol } from "../converse.ts";
import type { Wire } from "../types.ts";
import { chatBody } from "./chat-request.ts";
import { ChatReader } from "./chat-stream.ts";

/** The Chat Completions API, which nearly every host and local server speaks. */
export const CHAT: Protocol = {
  id: "chat",
  path: () => "/chat/completions",
  headers: { accept: "text/event-stream" },
  body: chatBody,
  reader: (request) => new ChatReader(request),
};

export function chatWire(): Wire {
  return makeWire(CHAT);
}
