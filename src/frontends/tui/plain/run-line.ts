import { nearest } from "../../../util/nearest.ts";
import { commandsIn } from "../commands/prompts.ts";
import { refusalAside } from "../commands/table.ts";
import type { Message } from "../input/composer.ts";
import type { PlainPort } from "./plain-port.ts";

/** A command, a command of the user's own shell, or a message. */
export async function runLine(port: PlainPort, text: string): Promise<void> {
  const command = /^\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/.exec(text);
  if (command) {
    await runCommand(port, command[1] ?? "", (command[2] ?? "").trim());
    return;
  }
  if (text.startsWith("!")) {
    const script = text.slice(1).trim();
    const user = port.conversation.opened?.user;
    if (script !== "" && user) await port.hold((signal) => user.run(script, signal));
    return;
  }
  const message: Message = { text, images: [] };
  if (port.isWorking) port.steer(message);
  else port.send(message);
}

async function runCommand(port: PlainPort, name: string, argument: string): Promise<void> {
  const commands = commandsIn(port.conversation).filter(({ run }) => run !== undefined);
  const found = commands.find((one) => one.name === name || one.aliases?.includes(name));
  if (!found) {
    const near = nearest(
      name,
      commands.map((one) => one.name),
      3,
    );
    port.say(
      `There is no command /${name}. ${near === undefined ? "/help lists them." : `Did you mean /${near}?`}`,
    );
    return;
  }
  if (found.isIdleOnly && port.isWorking) {
    port.say(`/${name} can't be used while a turn runs; ctrl+c stops it.`);
    return;
  }
  const refusal = refusalAside(found, port.isAside);
  if (refusal === undefined) await found.run?.(port, argument);
  else port.say(refusal);
}
