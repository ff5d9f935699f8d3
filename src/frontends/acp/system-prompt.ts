import type { SystemPrompt } from "@agentclientprotocol/sdk/unstable";
import type { Instructions } from "../../core/prompt-context/instructions.ts";
import { invalidParams } from "./errors.ts";

/** The client's own words for the system prompt: beside ours, or in their place. Throws RequestError. */
export function instructionsOf(prompt: SystemPrompt | null | undefined): Instructions {
  if (!prompt) return {};
  const texts = prompt.content.map((block) => {
    if (block.type === "text") return block.text;
    throw invalidParams(`the system prompt must be text, found ${block.type}`);
  });
  const text = texts.join("\n\n").trim();
  if (text === "") throw invalidParams("the system prompt is empty");
  if (prompt.mode === "append") return { extra: text };
  if (prompt.mode === "override") return { base: text };
  throw invalidParams(`the mode of the system prompt must be append or override, found ${prompt.mode}`);
}
