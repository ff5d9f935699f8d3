import type { TextProtocolName } from "./schema.ts";
import type { TextProtocol } from "./written-call.ts";

export async function loadTextProtocol(name: TextProtocolName): Promise<TextProtocol> {
  switch (name) {
    case "swe-agent":
      return (await import("./hooks/swe-agent.ts")).sweAgent;
    case "terminus-2":
      return (await import("./hooks/terminus-2.ts")).terminus2;
  }
}
