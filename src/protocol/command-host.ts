import type { CommandSpec } from "./policy.ts";

/**
 * Somebody outside of this program who runs commands where a person sees them, such as an editor with terminals. It is only
 * for commands that no sandbox of ours would hold, and that read nothing and need no terminal.
 */
export interface CommandHost {
  /**
   * Starts a command with this environment and no other. Undefined when the host can't, and then it is for us to run it; a
   * problem when it was not to be run. Never rejects. The signal only counts until the command has begun.
   */
  start(command: HostedSpec, signal: AbortSignal): Promise<HostedCommand | { problem: string } | undefined>;
}

/** `callId`: the call of the model that the command is for. */
export type HostedSpec = CommandSpec & { callId: string };

export type HostedCommand = {
  /** 0 when its process is not on this machine. */
  readonly pid: number;
  /** The exit code (128+N after signal N), once the command has ended and what it wrote was read. */
  readonly ended: Promise<number>;
  /** What it writes from now on, as it comes; to be called once. */
  listen(onText: (text: string) => void): void;
  /** Reads what it has written by now. */
  catchUp(): Promise<void>;
  /** Ends it with its children, within a second. */
  kill(): Promise<void>;
  /** The host may forget it; what still runs is ended. */
  release(): void;
};
