import type { Emit } from "./events.ts";

/** A child agent that was opened: a conversation of its own, for a front end that can show more than one. */
export type ChildAgent = {
  sessionId: string;
  /** Who has started it: the session that the user talks to, or another child. */
  parentId: string;
  name: string;
  description: string;
  subscribe(listener: Emit): Disposable;
  /** Ends what it is at. */
  interrupt(): Promise<void>;
};

/** Told of each child, at any depth, before it does anything. */
export type WatchAgents = (agent: ChildAgent) => void;
