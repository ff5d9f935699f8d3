import type { Around } from "../../harness/speech.ts";
import type { TextProtocol } from "../../harness/written-call.ts";
import type { JsonSchema, MessageLayout, ModelEvent, ModelRequest, WireTool } from "../../model/types.ts";
import type { Item, Part, ToolCall } from "../../protocol/items.ts";
import type { SandboxPolicy } from "../../protocol/policy.ts";
import type { ApprovalPolicy, Effort, SandboxMode } from "../../protocol/settings.ts";

import type { ModelInfo } from "../../providers/types.ts";
import type { TaskEnd } from "../../tools/shell/task-ends.ts";
import type { Limits } from "./budget.ts";
import type { BoundCall } from "./calls.ts";

/** What a session runs under. Changing one of these between turns keeps history valid. */
export type SessionSettings = {
  cwd: string;
  approvals: ApprovalPolicy;
  sandboxMode: SandboxMode;
  sandbox: SandboxPolicy;
  effort?: Effort;
  summary?: "auto" | "concise" | "detailed" | "none";
  verbosity?: "low" | "medium" | "high";
  outputSchema?: JsonSchema;
  maxOutputTokens?: number;
  hideReasoning: boolean;
  /** Run the tool calls that a model printed as text. */
  rescueToolCalls: boolean;
  /** Tokens at which history is compacted. */
  compactAt: number;
  /** Tokens of the user's newest messages that survive a compaction. */
  keptUserTokens: number;
  compactPrompt: string;
};

/** The model behind a session: how to ask it, and how often again. */
export type ModelLink = {
  provider: string;
  info: ModelInfo;
  streamRetries: number;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
};

/** The harness of a session, bound to its tools. */
export type HarnessLink = {
  id: string;
  instructions: string;
  /** The same in blocks, for wires that have them. */
  instructionBlocks?: readonly string[];
  /** In a stable order. MCP servers may add to it between requests. */
  tools(): readonly WireTool[];
  layout: MessageLayout;
  extraBody: Readonly<Record<string, unknown>>;
  extraHeaders: Readonly<Record<string, string | null>>;
  extraQuery?: Readonly<Record<string, string>>;
  keyHeader?: string;
  /** The field of the body that says how long an answer may be, and the most that it says. */
  answerLimit?: { field: string; most: number };
  /** What the harness says after the user's first message. */
  afterFirst?: readonly Item[];
  /** What stands around the user's first message. */
  firstUser?: Around;
  /** The calls that an answer makes as text, where models do without tool calls. */
  textProtocol?: TextProtocol;
  /** What to say to an answer without calls; undefined when it ends the turn. */
  reply?(items: readonly Item[]): string | undefined;
  /** Do the newest results end the turn? */
  isOver?(items: readonly Item[]): boolean;
  /** What the model must hear before the next request, if anything. */
  reminder?(items: readonly Item[]): Item | undefined;
  /** What it is told of a command in the background that has ended. */
  endNotice?(end: TaskEnd): Item | undefined;
  compaction?: { keepTools?: boolean; tag?: string };
  bind(call: ToolCall): Promise<BoundCall | { problem: string }>;
};

/** What is said to get a name for the session. */
export type TitleRequest = { system: string; instruction: string; body: Readonly<Record<string, unknown>> };

/** Things that shape single turns; used by exec. */
export type TurnExtras = {
  /** Said once to the model when it thinks it is done. */
  verifyPrompt?: Part[];
  /** The turn is stopped at this moment (ms since the epoch); the model is told how much time is left. */
  deadline?: { startedAt: number; endsAt: number };
  /** What this run may use. */
  budget?: Limits;
};

export type FreshContext = () => readonly Item[];
