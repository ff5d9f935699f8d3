import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionFacts, TurnContext, TurnEvent } from "../../src/protocol/events.ts";
import { type Item, type ToolCall, textOf, userText } from "../../src/protocol/items.ts";
import { NO_USAGE } from "../../src/protocol/usage.ts";
import { uuidV7 } from "../../src/util/ids.ts";

export type TempHome = Disposable & { path: string };

export function tempHome(): TempHome {
  const path = mkdtempSync(join(tmpdir(), "sessions-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function factsOf(changes: Partial<SessionFacts> = {}): SessionFacts {
  return {
    id: uuidV7(),
    cwd: "/home/me/project",
    createdAt: "2026-03-04T05:06:07.089Z",
    provider: "mock",
    model: "mock-1",
    harness: "native",
    originator: "interpreter_exec",
    source: "exec",
    cliVersion: "0.1.0",
    ...changes,
  };
}

function contextOf(changes: Partial<TurnContext> = {}): TurnContext {
  return {
    turnId: "turn-1",
    cwd: "/home/me/project",
    provider: "mock",
    model: "mock-1",
    harness: "native",
    effort: "low",
    approvals: "never",
    sandboxMode: "read-only",
    sandbox: { mode: "restricted", read: "everything", write: [], protect: [], deny: [], network: false },
    ...changes,
  };
}

export function turnStarted(text: string, changes: Partial<TurnContext> = {}): TurnEvent {
  return { type: "turn.started", context: contextOf(changes), input: userText(text).content };
}

export function appended(item: Item): TurnEvent {
  return { type: "history.appended", item };
}

export function turnCompleted(lastMessage: string): TurnEvent {
  return { type: "turn.completed", turnId: "turn-1", usage: NO_USAGE, durationMs: 12, lastMessage };
}

export function callOf(callId: string, name = "exec_command"): ToolCall {
  return { type: "tool_call", callId, name, input: { kind: "json", raw: `{"cmd":"echo ${callId}"}` } };
}

export function resultOf(callId: string, text: string, ok = true): Item {
  return { type: "tool_result", callId, content: [{ type: "input_text", text }], ok };
}

/** A turn as the loop reports it: the user's words, the items, the end. */
export function turn(text: string, items: readonly Item[]): TurnEvent[] {
  const last = items.at(-1);
  return [
    turnStarted(text),
    appended(userText(text)),
    ...items.map(appended),
    turnCompleted(last?.type === "message" ? textOf(last.content) : ""),
  ];
}

/** Paths below the folder, sorted. */
export function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export type Line = { timestamp: string; ordinal: number; type: string; payload: unknown; metadata?: unknown };

export function linesOf(path: string): Line[] {
  const text = readFileSync(path, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** What is wrong with a history as wires see it; empty when nothing is. */
export function flaws(history: readonly Item[]): string[] {
  const found: string[] = [];
  let calls: string[] = [];
  let results: string[] = [];
  const endAnswer = () => {
    // Results may have come in another order than their calls.
    if (calls.toSorted().join() !== results.toSorted().join())
      found.push(`calls ${calls.join()} have results ${results.join()}`);
    calls = [];
    results = [];
  };
  for (const item of history) {
    if (item.type === "tool_result") {
      results.push(item.callId);
      continue;
    }
    const isAnswer =
      item.type === "tool_call" ||
      item.type === "reasoning" ||
      item.type === "opaque" ||
      (item.type === "message" && item.role === "assistant");
    if (!isAnswer || results.length > 0) endAnswer();
    if (item.type === "tool_call") calls.push(item.callId);
  }
  endAnswer();
  return found;
}
