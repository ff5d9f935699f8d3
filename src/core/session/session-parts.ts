import type { SessionFacts } from "../../protocol/events.ts";
import type { Item, Part } from "../../protocol/items.ts";
import type { SandboxPolicy } from "../../protocol/policy.ts";
import type { Usage } from "../../protocol/usage.ts";
import type { TaskEnd } from "../../tools/shell/task-ends.ts";
import type { SessionReader } from "../../tools/types.ts";
import type { AgentPlan } from "../agents/types.ts";
import type { Budget } from "../turn/budget.ts";
import type { CallDeps } from "../turn/calls.ts";
import type { LastWordsParts } from "../turn/last-words.ts";
import type { FreshContext, HarnessLink, ModelLink, SessionSettings, TurnExtras } from "../turn/settings.ts";
import type { WakeupState } from "../turn/wakeup-wait.ts";

/** What a session is made of. */
export type SessionParts = {
  facts: SessionFacts;
  history: readonly Item[];
  usage: Usage;
  budget: Pick<Budget, "spend" | "reached" | "takeWarnings">;
  settings: SessionSettings;
  model: ModelLink;
  harness: HarnessLink;
  freshContext: FreshContext;
  /** What the tools need; the session adds approvals, policy, plan and ids. */
  calls: Omit<CallDeps, "approvals" | "policy" | "isPlanning" | "plan" | "newId" | "bind">;
  extras: TurnExtras;
  /** Commands in the background that have ended since it was asked last. */
  takeTaskEnds?(): readonly TaskEnd[];
  /** Prompts that the model wanted to hear at this time. */
  takeWakeups?(now: number): readonly string[];
  /** What the model must hear about planning, when it does not know yet. */
  planNews?(items: readonly Item[]): Item | undefined;
  /** What calls may touch at this moment. */
  policy(): SandboxPolicy;
  /** May the model only look around? */
  isPlanning(): boolean;
  unfinished?: LastWordsParts["unfinished"];
  wakeup?: WakeupState;
  /** What the model must read because the user's words name it, such as a skill. */
  mentioned?(input: readonly Part[]): Promise<readonly Item[]>;
  /** Where it may have child agents. */
  agents?: AgentPlan;
  /** Ids of items, where they must differ from those of another session. */
  newItemId?(): string;
  /** Other sessions, for tools that look into them. */
  sessions?: SessionReader;
  newTurnId(): string;
  now(): number;
  onBug(cause: unknown): void;
  /** Something that only a person who looks into a problem needs to know. */
  log(message: string): void;
};
