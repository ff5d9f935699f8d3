import type { ApprovalSubject } from "../protocol/approvals.ts";
import type { CommandHost } from "../protocol/command-host.ts";
import type { AgentFacts, ToolDetail } from "../protocol/details.ts";
import type { Editor } from "../protocol/editor.ts";
import type { ItemStatus } from "../protocol/events.ts";
import type { Item, Part } from "../protocol/items.ts";
import type { Access, Sandbox, SandboxPolicy } from "../protocol/policy.ts";
import type { Asker } from "../protocol/questions.ts";
import type { Effort } from "../protocol/settings.ts";

export type NativeToolName =
  | "exec"
  | "exec_stdin"
  | "shell"
  | "apply_patch"
  | "read"
  | "write"
  | "edit"
  | "list"
  | "grep"
  | "glob"
  | "plan"
  | "view_image"
  | "task_output"
  | "task_stop"
  | "todo"
  | "todo_read"
  | "ask_user"
  | "web_fetch"
  | "agent"
  | "plan_enter"
  | "plan_exit"
  | "terminal"
  | "shell_session"
  | "evidence"
  | "multi_edit"
  | "todo_change"
  | "file_search"
  | "git"
  | "skill"
  | "agent_spawn"
  | "agent_tell"
  | "agent_wait"
  | "agent_close"
  | "agent_resume"
  | "agents_list"
  | "agent_message"
  | "session_context"
  | "report_findings"
  | "tool_search"
  | "schedule_wakeup"
  | "task_list"
  | "wait_for"
  | "agents"
  | "goal_create"
  | "goal_read"
  | "goal_budget"
  | "goal_update"
  | "cron_create"
  | "cron_delete"
  | "cron_list"
  | "cron_change"
  | "read_media"
  | "notebook_edit"
  | "web_search"
  | "workflow"
  | "task_input"
  | "validate_data";

/**
 * A tool in two steps. `prepare` reads and checks, changes nothing, and says what the call will touch; policy decides on
 * that. A call that can't work is answered by `prepare` with a failed result, before any item is shown. Neither step
 * throws for an expected failure: a throw is a bug.
 */
export interface ToolSpec<I = unknown> {
  readonly name: NativeToolName;
  /** Throws a ZodError for input of the wrong shape. */
  readonly schema: { parse(input: unknown): I };
  /** May run beside other parallel calls of the same answer. */
  readonly parallel: boolean;
  prepare(input: I, ctx: ToolContext): Promise<Prepared>;
}

export type Prepared = { ready: PreparedCall } | { refused: ToolResult };

export type PreparedCall = {
  access: Access;
  /** What a person is asked about, when policy asks. */
  subject: ApprovalSubject;
  /** The model asks to run without the sandbox, and why. */
  escalate?: { justification?: string };
  /** What a person sees while it runs; kind "none" shows nothing. */
  shown: ToolDetail;
  run(ctx: RunContext): Promise<ToolResult>;
};

export type ToolResult = {
  ok: boolean;
  /** What the model reads unless the harness has a result template of its own. */
  content: Part[];
  /** Values for result templates. `case` names the outcome, for tools that have several. */
  fields?: Readonly<Record<string, string | number | boolean>>;
  detail: ToolDetail;
  /** Overrides the status that follows from `ok`. */
  status?: ItemStatus;
  /** The item stays open: the tool goes on and closes it through `RunContext.item`. */
  open?: boolean;
};

export interface ToolContext {
  readonly callId: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly memory: ToolMemory;
  /** Environment of child processes: filtered, without any provider key. */
  readonly env: Readonly<Record<string, string>>;
  /** Programs of ours for commands; their folder goes to the front of PATH. */
  readonly programs?: { path(): string | undefined };
  /** The address of a search server that answers `?q=...&format=json`. */
  readonly searchUrl?: string;
  /** Nothing may leave this machine and its own network, whatever the policy says. */
  readonly isAirGapped?: boolean;
  /** Can the model look at pictures? */
  readonly images: boolean;
  /** Absent where no child agents can be started, e.g. in one of them. */
  readonly agents?: AgentRunner;
  /** Absent where nobody can answer questions. */
  readonly asker?: Asker;
  /** Where the person has files open; absent where nobody has. */
  readonly editor?: Editor;
  readonly skills?: readonly SkillEntry[];
  /** Tools that the model sees only once it has asked for them. */
  readonly catalog?: ToolCatalog;
  /** What was said in this and in earlier sessions of the same folder. */
  readonly sessions?: SessionReader;
  /** Tokens that the session has used so far, as far as servers tell. */
  usedTokens?(): number;
  /** Default budget for one tool output. */
  readonly outputLimit: { unit: "bytes" | "tokens"; limit: number };
}

/** Other model conversations that work on tasks by themselves and answer with their last messages. */
export interface AgentRunner {
  /** Works on a task to its end. Never rejects for a failure of the child; throws when the signal fires. */
  run(task: AgentTask, signal: AbortSignal): Promise<AgentOutcome>;
  /** Starts a child that works beside its parent. A problem is a text for the model. */
  spawn(task: AgentTask): Promise<AgentState | { problem: string }>;
  /** The children of this session, the oldest first. */
  list(): readonly AgentState[];
  /** A child that is at work reads the message with its next request; one that has ended goes on with it. */
  send(id: string, message: string, signal: AbortSignal): Promise<AgentReply>;
  /**
   * The same without waiting for it. `interrupt`: it leaves what it is at. Undefined when there is no such child; one that
   * is closed hears nothing.
   */
  tell(id: string, message: string, interrupt: boolean): Promise<AgentState | undefined>;
  /** Until one of the children is no longer at work, for `timeoutMs` at most. Undefined for those that don't exist. */
  wait(ids: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<(AgentState | undefined)[]>;
  /** Ends what it does and frees what it holds. Returns the state before. */
  close(id: string): Promise<AgentState | undefined>;
  /** Opens a child again that was closed, or that an earlier run of this session has started. */
  resume(id: string): Promise<AgentState | { problem: string }>;
  /** Resolves as soon as the child is no longer at work. */
  ended(id: string): Promise<void>;
}
/** `kind` is one of the agents that the harness or the configuration knows; the usual one when it is left out. */
export type AgentTask = {
  /** How it is called from now on; the id of its session when it is left out. */
  id?: string;
  kind?: string | undefined;
  description?: string | undefined;
  prompt: string;
  /** Another model of the same provider. */
  model?: string | undefined;
  effort?: Effort | undefined;
  /** It knows what was said so far. */
  fork?: boolean | undefined;
};
export type AgentState = AgentFacts & {
  /** How its parent calls it. */
  id: string;
  kind: string;
  description: string;
};
export type AgentReply = { kind: "unknown" } | { kind: "delivered" } | ({ kind: "answered" } & AgentOutcome);
export type AgentOutcome = {
  ok: boolean;
  text: string;
  toolCalls: number;
  tokens: number;
  durationMs: number;
};

/** Instructions for one kind of work; `path` is the absolute path of its SKILL.md. */
export type SkillEntry = {
  name: string;
  description: string;
  path: string;
  /** It comes with the program. */
  isBundled?: boolean;
  /** For the user to name; the model is not told of it. */
  isUnlisted?: boolean;
};

/** The tools that are kept back, to save what their schemas cost. */
export interface ToolCatalog {
  all(): readonly CatalogTool[];
  /** They are offered from the next request on. */
  load(names: readonly string[]): void;
}
export type CatalogTool = {
  name: string;
  description: string;
  parameters: Readonly<Record<string, unknown>>;
};

export interface SessionReader {
  /** Undefined when there is no such session, or when it is not for this folder. */
  read(id: string): Promise<readonly Item[] | undefined>;
}

export interface RunContext extends ToolContext {
  readonly signal: AbortSignal;
  /** What policy decided for this very call; mode "off" when it may run unsandboxed. */
  readonly policy: SandboxPolicy;
  readonly sandbox: Sandbox;
  /** Runs commands in our place; absent where nobody does, and in a session that has a sandbox. */
  readonly host?: CommandHost;
  readonly item: ItemHandle;
}

/** The thread item of a call. Deltas and the closing event go through it, also after `run` has returned. */
export interface ItemHandle {
  delta(chunk: string): void;
  close(detail: ToolDetail, status: ItemStatus): void;
}

/** Typed state of one session for tools (files read, background processes). Never module-level. */
export interface ToolMemory {
  get<T>(key: MemoryKey<T>): T;
  /** Runs every `onDispose` of the values that were made, newest first. */
  dispose(): Promise<void>;
}
export type MemoryKey<T> = { readonly name: string; init(): T; dispose?(value: T): void | Promise<void> };
