import type { CommandFacts } from "../popup/types.ts";
import type { Port } from "../port.ts";

export type Command = CommandFacts & {
  /** Asks something: keys that follow belong to the question. */
  asks?: boolean;
  /** Runs the command; what it throws is shown. */
  run(port: Port, argument: string): void | Promise<void>;
};
