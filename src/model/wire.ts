import type { WireApi } from "../protocol/items.ts";
import type { Wire } from "./types.ts";

/**
 * Loads a wire. Keep it for the session: it remembers which parameters a server has refused, by base URL and model.
 */
export async function loadWire(id: WireApi): Promise<Wire> {
  switch (id) {
    case "responses":
      return (await import("./wires/responses.ts")).responsesWire();
    case "chat":
      return (await import("./wires/chat.ts")).chatWire();
    case "messages":
      return (await import("./wires/messages.ts")).messagesWire();
    case "ollama":
      return (await import("./wires/ollama.ts")).ollamaWire();
  }
}
