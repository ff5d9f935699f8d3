import type { CommandPort } from "../commands/types.ts";
import type { Message } from "../input/composer.ts";

/** The conversation in lines, as what is typed sees it. */
export type PlainPort = CommandPort & {
  /** A turn runs. */
  readonly isWorking: boolean;
  say(text: string): void;
  /** Says something to the turn that runs. */
  steer(message: Message): void;
};
