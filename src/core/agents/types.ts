import type { WatchAgents } from "../../protocol/child-agent.ts";
import type { Emit } from "../../protocol/events.ts";
import type { Item, Part } from "../../protocol/items.ts";
import type { Effort } from "../../protocol/settings.ts";
import type { Usage } from "../../protocol/usage.ts";
import type { Budget } from "../turn/budget.ts";
import type { SessionSettings } from "../turn/settings.ts";

/** What a session needs to have child agents. */
export type AgentPlan = {
  limits: AgentLimits;
  /** All agents of the session, whoever started them: the limits are for them together. */
  team: Set<{ readonly isAtWork: boolean }>;
  watch?: WatchAgents | undefined;
  open(wish: ChildWish, host: ChildHost): Promise<OpenedChild | { problem: string }>;
};

export type AgentLimits = {
  /** At work at the same time; others wait for their turn. */
  running: number;
  /** Started and not yet done. */
  open: number;
};

/** The child that is wanted. */
export type ChildWish = {
  kind: string | undefined;
  description: string;
  model: string | undefined;
  effort: Effort | undefined;
  /** What it knows from the start. */
  history: readonly Item[];
  /** The id of an earlier child session that goes on. */
  resume?: string;
  /** Names that are taken. */
  taken: ReadonlySet<string>;
};

/** What a child has of its parent. */
export type ChildHost = {
  sessionId: string;
  /** The parent's own, which the user may change while the child works. */
  settings: SessionSettings;
  /** What the parent tells its model of its surroundings. */
  context(): readonly Item[];
  budget: Pick<Budget, "spend" | "reached">;
  newItemId(): string;
};

export type OpenedChild = { session: ChildSession; kind: string; name: string };

/** A conversation of its own, as its parent sees it. */
export interface ChildSession extends AsyncDisposable {
  readonly id: string;
  readonly items: readonly Item[];
  subscribe(listener: Emit): Disposable;
  submit(
    input: Part[],
  ): Promise<{ status: "completed" | "failed" | "aborted" | "over_budget"; lastMessage?: string }>;
  interrupt(): Promise<void>;
}

/** What the parent of children gives them, and hears of them. */
export type AgentHost = ChildHost & {
  emit: Emit;
  /** What has been said so far. */
  items(): readonly Item[];
  /** A child's answer used this much. */
  spend(usage: Usage): void;
};
