import { type Part, textOf } from "../../../protocol/items.ts";
import type { Conversation } from "../conversation.ts";
import { COMMANDS } from "./table.ts";
import type { Command, CommandPort } from "./types.ts";

/** Every command that there is now: ours, and the prompts that MCP servers offer. */
export function commandsIn({ opened }: Conversation): readonly Command[] {
  const prompts = opened?.inside.prompts.list() ?? [];
  if (prompts.length === 0) return COMMANDS;
  const theirs = prompts.map(({ name, about, hint }): Command => {
    const takes = hint === undefined ? about : `${about} · ${hint}`;
    return { name, about: takes, isIdleOnly: true, run: (port, argument) => say(port, name, argument) };
  });
  return [...COMMANDS, ...theirs];
}

async function say(port: CommandPort, name: string, argument: string): Promise<void> {
  let text = "";
  await port.hold(async (signal) => {
    const parts = await port.conversation.opened?.inside.prompts.fill(name, argument, signal);
    text = wordsOf(parts ?? []);
  });
  if (text !== "") port.send({ text, images: [] });
}

/** A message of the user's is text, so that they can read it and go back to it. */
function wordsOf(parts: readonly Part[]): string {
  const texts = parts.map((part) => (part.type === "input_image" ? "(a picture, left out)" : textOf([part])));
  return texts.join("\n\n");
}
