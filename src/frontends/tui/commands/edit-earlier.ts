import { turnsToChoose } from "../../../core/choices/turns.ts";
import { composerOf } from "../input/composer.ts";
import type { Port } from "../port.ts";
import type { CommandPort } from "./types.ts";

/** An earlier message, and how many turns are dropped to get back before it. */
type Earlier = { text: string; dropTurns: number };

/** Goes back before an earlier message, which is then in the composer to be changed. */
export async function editEarlier(port: Port): Promise<void> {
  const text = await goBack(port);
  if (text !== undefined) port.change({ composer: composerOf(text) });
}

/** The same in lines, where nothing can be put into the line that is typed. */
export async function goBackBefore(port: CommandPort): Promise<void> {
  const text = await goBack(port);
  if (text !== undefined) port.notice({ level: "info", text: `The message was: ${text}` });
}

/** Asks before which message, and goes on in a copy that ends there. Gives back the text of the message. */
async function goBack(port: CommandPort): Promise<string | undefined> {
  const { config, conversation, progress, transcript } = port;
  const id = conversation.opened?.session.id;
  const hasBegun = progress.turnCount > 0 || (conversation.opened?.history.length ?? 0) > 0;
  if (!config || id === undefined || !hasBegun) {
    port.hint("there is no earlier message to change");
    return undefined;
  }
  const turns = await turnsToChoose(config.home, id);
  const earlier = turns.map((text, i): Earlier => ({ text, dropTurns: turns.length - i }));
  const wanted = await port.ask((asker) =>
    asker.choose({
      message: "Change an earlier message; what came after it is left out",
      choices: earlier
        .toReversed()
        .map((value) => ({ value, label: value.text.trim().replace(/\s+/g, " ") || "(no text)" })),
      initial: 0,
    }),
  );
  if (!wanted) return undefined;
  await port.reopen({ kind: "fork", id, dropTurns: wanted.dropTurns });
  // What went wrong has been said.
  if (!conversation.opened || conversation.opened.session.id === id) return undefined;
  for (const { text } of earlier.slice(-wanted.dropTurns).toReversed()) transcript.dropFrom(text);
  port.notice({
    level: "info",
    text: "This is a copy that ends before that message. Files are as they are now; the conversation before is kept.",
    hint: `interpreter resume ${id}`,
  });
  return wanted.text;
}
