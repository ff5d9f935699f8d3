import { isAbsolute, relative, resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk/unstable";
import { agentLine, agentMessages } from "../../protocol/agent-text.ts";
import type { ApprovalRequest } from "../../protocol/approvals.ts";
import type { FileChange, McpResult } from "../../protocol/details.ts";
import type { ThreadItem } from "../../protocol/events.ts";
import type { ToolCall } from "../../protocol/items.ts";
import { isRecord } from "../../util/json.ts";
import { scriptOf, shownCommand } from "../../util/shown-command.ts";
import { diffsOf, firstLineOf } from "./file-diffs.ts";
import { fenced, textContent, titleText } from "./texts.ts";

/** What a client shows of a call before it has run. */
export type CallView = {
  title: string;
  kind: ToolKind;
  locations?: ToolCallLocation[];
  content?: ToolCallContent[];
  rawInput?: unknown;
};

/** Arguments above this size are not sent a second time, beside the diff that they make. Characters. */
const MOST_INPUT = 16 * 1024;

/**
 * A call as the model wrote it. Each harness has names of its own, so the kind is read from them and from the arguments.
 * Undefined for the tools that keep a plan: they are shown as a plan.
 */
export function viewOfCall({ name, input }: ToolCall, cwd: string): CallView | undefined {
  if (/plan|todo/i.test(name)) return undefined;
  const args = input.kind === "json" ? argumentsOf(input.raw) : {};
  const rawInput =
    input.raw.length > MOST_INPUT ? undefined : input.kind === "json" ? args : { input: input.raw };
  const path = input.kind === "text" ? patchedFile(input.raw) : firstText(args, PATHS);
  const kind = kindOf(name, args);
  const line = kind === "read" ? firstNumber(args, LINES) : undefined;
  return {
    title: titleOf(name, kind, args, path && shortPath(path, cwd)),
    kind,
    ...(path && kind !== "execute"
      ? { locations: [{ path: resolve(cwd, path), ...(line ? { line } : {}) }] }
      : {}),
    ...(rawInput === undefined ? {} : { rawInput }),
  };
}

/** What a session shows of a call that runs; undefined for items that are not calls. */
export function viewOfItem(item: ThreadItem, cwd: string): CallView | undefined {
  switch (item.type) {
    case "command_execution": {
      const command = shownCommand(item.command);
      return { title: titleText(command), kind: "execute", rawInput: { command, cwd: item.cwd } };
    }
    case "file_change":
      return viewOfChanges(item.changes, cwd);
    case "mcp_tool_call":
      return { title: titleText(`${item.server}: ${item.tool}`), kind: "other", rawInput: item.input };
    case "web_search":
      return {
        title: titleText(`Search the web: ${item.query}`),
        kind: "fetch",
        rawInput: { query: item.query },
      };
    case "agent_call":
      return {
        title: titleText(agentLine(item)),
        kind: "other",
        content: agentMessages(item).map(textContent),
      };
    case "agent_message":
    case "reasoning":
    case "todo_list":
    case "error":
      return undefined;
  }
}

/** What a person is asked about. */
export function viewOfRequest(request: ApprovalRequest, cwd: string): CallView {
  const reasons = [request.reason, request.leavesSandbox ? "It runs without the sandbox." : undefined];
  const why = reasons.filter((reason) => reason !== undefined).map((reason) => textContent(reason));
  switch (request.kind) {
    case "command": {
      const command = scriptOf(request.argv);
      return {
        title: titleText(command),
        kind: "execute",
        content: [textContent(fenced(command, "sh")), ...why],
        rawInput: { command, cwd: request.cwd },
      };
    }
    case "patch": {
      const view = viewOfChanges(request.changes, cwd);
      return { ...view, content: [...(view.content ?? []), ...why] };
    }
    case "permissions": {
      const { writes = [], reads = [] } = request.access;
      const paths = writes.length > 0 ? writes : reads;
      const verb = writes.length > 0 ? "Write" : "Read";
      const title = titleText(`${verb} ${paths.map((path) => shortPath(path, cwd)).join(", ")}`);
      return { title, kind: "other", content: why, locations: paths.map((path) => ({ path })) };
    }
    case "mcp":
      return {
        title: titleText(`${request.server}: ${request.tool}`),
        kind: "other",
        content: [textContent(fenced(JSON.stringify(request.input, null, 2) ?? "", "json")), ...why],
        rawInput: request.input,
      };
  }
}

/** What a server's tool answered, as far as a client can show it. */
export function contentOfMcp(result: McpResult | undefined, error: string | undefined): ToolCallContent[] {
  if (error !== undefined) return [textContent(error)];
  return (result?.content ?? []).flatMap((part): ToolCallContent[] => {
    if (!isRecord(part)) return [];
    const { type, text, data, mimeType } = part;
    if (type === "text" && typeof text === "string") return [textContent(text)];
    if (type === "image" && typeof data === "string" && typeof mimeType === "string")
      return [{ type: "content", content: { type: "image", data, mimeType } }];
    return [textContent(fenced(JSON.stringify(part), "json"))];
  });
}

function viewOfChanges(changes: readonly FileChange[], cwd: string): CallView {
  const kinds = new Set(changes.map(({ kind, movedTo }) => (movedTo === undefined ? kind : "move")));
  const only = kinds.size === 1 ? [...kinds][0] : undefined;
  const verb = only === "add" ? "Write" : only === "delete" ? "Delete" : only === "move" ? "Move" : "Edit";
  const names = changes.map(({ path, movedTo }) => shortPath(movedTo ?? path, cwd));
  return {
    title: titleText(`${verb} ${names.join(", ")}`),
    kind: only === "delete" || only === "move" ? only : "edit",
    locations: changes.map((change) => {
      const line = firstLineOf(change);
      return { path: change.movedTo ?? change.path, ...(line === undefined ? {} : { line }) };
    }),
    content: changes.flatMap(diffsOf),
  };
}

const PATHS = [
  "path",
  "file_path",
  "filePath",
  "absolute_path",
  "filename",
  "target_file",
  "dir_path",
] as const;
const PATTERNS = ["pattern", "query", "regex", "q"] as const;
const LINES = ["offset", "line", "start_line", "view_range"] as const;

const KINDS: readonly [RegExp, ToolKind][] = [
  [/stdin|output|bash|shell|exec|command|terminal/, "execute"],
  [/delete|remove/, "delete"],
  [/patch|edit|write|replace|create/, "edit"],
  [/fetch|web|browse|url/, "fetch"],
  [/grep|glob|search|find|list|^ls$/, "search"],
  [/read|view|open|cat/, "read"],
  [/think/, "think"],
];

function kindOf(name: string, args: Readonly<Record<string, unknown>>): ToolKind {
  if (commandOf(args) !== undefined && !/edit/i.test(name)) return "execute";
  return KINDS.find(([words]) => words.test(name.toLowerCase()))?.[1] ?? "other";
}

function titleOf(
  name: string,
  kind: ToolKind,
  args: Readonly<Record<string, unknown>>,
  path: string | undefined,
): string {
  const command = commandOf(args);
  if (kind === "execute" && command !== undefined) return titleText(command);
  const pattern = firstText(args, PATTERNS);
  if (kind === "search" && pattern !== undefined)
    return titleText(`Search ${pattern}${path === undefined ? "" : ` in ${path}`}`);
  if (kind === "fetch") return titleText(`Fetch ${firstText(args, ["url"]) ?? pattern ?? ""}`);
  const verb = { read: "Read", edit: "Edit", delete: "Delete", search: "List" }[String(kind)];
  return path === undefined || verb === undefined ? titleText(name) : titleText(`${verb} ${path}`);
}

function commandOf({ cmd, command }: Readonly<Record<string, unknown>>): string | undefined {
  const value = cmd ?? command;
  if (typeof value === "string") return value;
  return Array.isArray(value) ? scriptOf(value.map(String)) : undefined;
}

function patchedFile(patch: string): string | undefined {
  return /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(patch)?.[1]?.trim();
}

function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, resolve(cwd, path));
  return short === "" || short.startsWith("..") || isAbsolute(short) ? path : short;
}

function argumentsOf(raw: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(raw);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function firstText(args: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  const values = names.map((name) => args[name]);
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

function firstNumber(args: Readonly<Record<string, unknown>>, names: readonly string[]): number | undefined {
  const values = names.map((name) => args[name]).map((value) => (Array.isArray(value) ? value[0] : value));
  return values.find((value): value is number => typeof value === "number" && value > 0);
}
