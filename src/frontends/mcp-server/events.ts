import type { ThreadItem, TurnEvent } from "../../protocol/events.ts";
import { textOf } from "../../protocol/items.ts";
import type { Usage } from "../../protocol/usage.ts";
import { changesByPath } from "./approver.ts";
import type { CodexMessage } from "./call.ts";

/** An event of the session as the messages that clients of `codex/event` know. */
export function codexMessages(event: TurnEvent): CodexMessage[] {
  switch (event.type) {
    case "session.started": {
      const { id, model, provider, cwd } = event.session;
      return [
        {
          type: "session_configured",
          session_id: id,
          thread_id: id,
          model,
          model_provider_id: provider,
          cwd,
        },
      ];
    }
    case "turn.started":
      return [
        { type: "task_started", turn_id: event.context.turnId },
        { type: "user_message", message: textOf(event.input) },
      ];
    case "item.started":
      return started(event.item);
    case "item.updated":
      return event.item.type === "todo_list" ? ended(event.item) : [];
    case "item.completed":
      return ended(event.item);
    case "item.delta":
      return [delta(event)];
    case "approval.requested":
      return event.request.kind === "command"
        ? [
            {
              type: "exec_approval_request",
              call_id: event.request.callId,
              command: event.request.argv,
              cwd: event.request.cwd,
              reason: event.request.reason ?? null,
            },
          ]
        : [];
    case "usage":
      return [
        {
          type: "token_count",
          info: {
            total_token_usage: tokens(event.total),
            last_token_usage: tokens(event.last),
            model_context_window: event.contextWindow,
          },
        },
      ];
    case "retrying":
      return [{ type: "stream_error", message: event.error.message }];
    case "compacted":
      return [{ type: "context_compacted" }];
    case "warning":
      return [{ type: "warning", message: event.message }];
    case "turn.completed":
      return [
        { type: "task_complete", turn_id: event.turnId, last_agent_message: event.lastMessage ?? null },
      ];
    case "turn.failed":
      return failed(event.turnId, event.error.message);
    case "budget.reached":
      return failed(event.turnId, event.message);
    case "turn.aborted":
      return [{ type: "turn_aborted", turn_id: event.turnId, reason: event.reason }];
    case "history.appended":
    case "approval.resolved":
    case "model.loading":
      return [];
  }
}

function failed(turnId: string, message: string): CodexMessage[] {
  return [
    { type: "error", message },
    { type: "task_complete", turn_id: turnId, last_agent_message: null },
  ];
}

function delta({ id, field, delta: text }: Extract<TurnEvent, { type: "item.delta" }>): CodexMessage {
  switch (field) {
    case "text":
      return { type: "agent_message_content_delta", item_id: id, delta: text };
    case "reasoning":
      return { type: "reasoning_content_delta", item_id: id, delta: text };
    case "output":
      return {
        type: "exec_command_output_delta",
        call_id: id,
        stream: "stdout",
        chunk: Buffer.from(text).toString("base64"),
      };
  }
}

function started(item: ThreadItem): CodexMessage[] {
  switch (item.type) {
    case "command_execution":
      return [{ type: "exec_command_begin", ...commandFields(item) }];
    case "file_change":
      return [{ type: "patch_apply_begin", call_id: item.id, changes: changesByPath(item.changes) }];
    case "mcp_tool_call":
      return [{ type: "mcp_tool_call_begin", call_id: item.id, invocation: invocation(item) }];
    case "web_search":
      return [{ type: "web_search_begin", call_id: item.id }];
    case "agent_call":
      return [{ type: `collab_${WORDS[item.action]}_begin`, call_id: item.id, prompt: item.prompt ?? null }];
    case "todo_list":
      return ended(item);
    case "agent_message":
    case "reasoning":
    case "error":
      return [];
  }
}

function ended(item: ThreadItem): CodexMessage[] {
  switch (item.type) {
    case "agent_message":
      return [{ type: "agent_message", message: item.text }];
    case "reasoning":
      return [{ type: "agent_reasoning", text: item.text }];
    case "command_execution":
      return [
        {
          type: "exec_command_end",
          ...commandFields(item),
          stdout: item.output,
          stderr: "",
          aggregated_output: item.output,
          exit_code: item.exitCode ?? null,
          duration: { secs: Math.floor(item.durationMs / 1000), nanos: (item.durationMs % 1000) * 1e6 },
          status: item.status,
        },
      ];
    case "file_change":
      return [
        {
          type: "patch_apply_end",
          call_id: item.id,
          success: item.status === "completed",
          changes: changesByPath(item.changes),
        },
      ];
    case "mcp_tool_call":
      return [
        {
          type: "mcp_tool_call_end",
          call_id: item.id,
          invocation: invocation(item),
          result: item.error === undefined ? { Ok: item.result ?? null } : { Err: item.error },
        },
      ];
    case "web_search":
      return [{ type: "web_search_end", call_id: item.id, query: item.query }];
    case "agent_call": {
      const agents = item.agents.map(({ sessionId, name, status }) => ({
        id: sessionId,
        nickname: name,
        status,
      }));
      return [
        {
          type: `collab_${WORDS[item.action]}_end`,
          call_id: item.id,
          agents,
          success: item.status === "completed",
        },
      ];
    }
    case "todo_list":
      return [{ type: "plan_update", plan: item.steps.map(({ text, status }) => ({ step: text, status })) }];
    case "error":
      return [{ type: "error", message: item.message }];
  }
}

const WORDS = { spawn: "agent_spawn", send: "agent_interaction", wait: "waiting", close: "close" } as const;

function commandFields({ id, command, cwd }: Extract<ThreadItem, { type: "command_execution" }>) {
  return { call_id: id, command: [command], cwd, parsed_cmd: [] };
}

function invocation({ server, tool, input }: Extract<ThreadItem, { type: "mcp_tool_call" }>) {
  return { server, tool, arguments: input ?? null };
}

function tokens(usage: Usage): Record<string, number> {
  const { input, cachedInput, output, reasoning } = usage;
  return {
    input_tokens: input,
    cached_input_tokens: cachedInput,
    output_tokens: output,
    reasoning_output_tokens: reasoning,
    total_tokens: input + output,
  };
}
