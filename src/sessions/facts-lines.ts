import type { SessionFacts, TurnContext } from "../protocol/events.ts";
import type { SandboxPolicy } from "../protocol/policy.ts";
import { APPROVAL_POLICIES, EFFORTS, SANDBOX_MODES } from "../protocol/settings.ts";
import { isRecord, type Json } from "../util/json.ts";
import { objectAt, textAt, withoutUndefined, wordAt } from "./json.ts";
import type { Entry } from "./record.ts";
import type { LastContext } from "./types.ts";

const SOURCES = ["exec", "tui", "acp", "mcp", "app-server"] as const;
/** Words of other programs for where a session came from. */
const OTHER_SOURCES: Readonly<Record<string, SessionFacts["source"]>> = { cli: "tui", vscode: "app-server" };
const RECORDED_MODES = [...SANDBOX_MODES, "external-sandbox"] as const;

/** The first line of a session file. */
export function encodeFacts(facts: SessionFacts): Entry {
  const { git } = facts;
  const payload = withoutUndefined({
    id: facts.id,
    session_id: facts.id,
    timestamp: facts.createdAt,
    cwd: facts.cwd,
    originator: facts.originator,
    cli_version: facts.cliVersion,
    source: facts.source,
    model_provider: facts.provider,
    forked_from_id: facts.forkedFrom,
    parent_thread_id: facts.parent,
    git:
      git &&
      withoutUndefined({ commit_hash: git.commit, branch: git.branch, repository_url: git.repository }),
    // Last, as it is long: what a list of sessions needs stands before it.
    base_instructions: facts.instructions === undefined ? undefined : { text: facts.instructions },
  });
  const metadata = withoutUndefined({
    model: facts.model,
    harness: facts.harness,
    harness_reason: facts.harnessReason,
    title: facts.title,
  });
  return { type: "session_meta", payload, metadata };
}

/** Facts that stand in for what the first line does not say. */
export type FactsFallback = Pick<SessionFacts, "id" | "createdAt" | "cwd" | "provider" | "model" | "harness">;

/** What a first line says of its session; `fallback` stands in for what is missing. */
export function decodeFacts(payload: Json, metadata: Json, fallback: FactsFallback): SessionFacts {
  return withoutUndefined({
    id: fallback.id,
    cwd: textAt(payload, "cwd") ?? fallback.cwd,
    createdAt: textAt(payload, "timestamp") ?? fallback.createdAt,
    provider: textAt(payload, "model_provider") ?? fallback.provider,
    model: textAt(metadata, "model") ?? fallback.model,
    harness: textAt(metadata, "harness") ?? fallback.harness,
    harnessReason: textAt(metadata, "harness_reason"),
    originator: textAt(payload, "originator") ?? "unknown",
    source: decodeSource(payload),
    cliVersion: textAt(payload, "cli_version") ?? "unknown",
    instructions: textAt(objectAt(payload, "base_instructions") ?? {}, "text"),
    title: textAt(metadata, "title"),
    forkedFrom: textAt(payload, "forked_from_id"),
    parent: textAt(payload, "parent_thread_id"),
    git: decodeGit(payload),
  });
}

/** The line for the settings of a turn. */
export function encodeContext(context: TurnContext): Entry {
  const payload = withoutUndefined({
    turn_id: context.turnId,
    cwd: context.cwd,
    approval_policy: context.approvals,
    sandbox_policy: encodeSandbox(context),
    model: context.model,
    effort: context.effort,
    summary: "auto",
  });
  return {
    type: "turn_context",
    payload,
    metadata: { provider: context.provider, harness: context.harness },
  };
}

/** Undefined when nothing of it can be used. */
export function decodeContext(payload: unknown, metadata: Json = {}): LastContext | undefined {
  if (!isRecord(payload)) return undefined;
  const context: LastContext = withoutUndefined({
    cwd: textAt(payload, "cwd"),
    provider: textAt(metadata, "provider"),
    model: textAt(payload, "model"),
    harness: textAt(metadata, "harness"),
    effort: wordAt(payload, "effort", EFFORTS),
    approvals: wordAt(payload, "approval_policy", APPROVAL_POLICIES),
    sandboxMode: wordAt(objectAt(payload, "sandbox_policy") ?? {}, "type", RECORDED_MODES),
  });
  return Object.keys(context).length === 0 ? undefined : context;
}

function decodeSource(payload: Json): SessionFacts["source"] {
  const other = OTHER_SOURCES[textAt(payload, "source") ?? ""];
  return wordAt(payload, "source", SOURCES) ?? other ?? "exec";
}

function decodeGit(payload: Json): SessionFacts["git"] {
  // Either an object of its own, or its fields among the others.
  const found = objectAt(payload, "git") ?? payload;
  const git = withoutUndefined({
    commit: textAt(found, "commit_hash"),
    branch: textAt(found, "branch"),
    repository: textAt(found, "repository_url"),
  });
  return Object.keys(git).length === 0 ? undefined : git;
}

function encodeSandbox(context: TurnContext): Json {
  const { sandboxMode, sandbox } = context;
  switch (sandboxMode) {
    case "danger-full-access":
      return { type: sandboxMode };
    case "external-sandbox":
      return { type: sandboxMode, network_access: hasNetwork(sandbox) ? "enabled" : "restricted" };
    case "read-only":
      return { type: sandboxMode, network_access: hasNetwork(sandbox) };
    case "workspace-write":
      return {
        type: sandboxMode,
        writable_roots: sandbox.mode === "restricted" ? sandbox.write : [],
        network_access: hasNetwork(sandbox),
      };
  }
}

function hasNetwork(sandbox: SandboxPolicy): boolean {
  return sandbox.mode === "off" || sandbox.network;
}
