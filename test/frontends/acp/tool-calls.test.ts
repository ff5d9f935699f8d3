import { expect, test } from "bun:test";
import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import { ToolCalls } from "../../../src/frontends/acp/tool-calls.ts";

const command = {
  id: "item-1",
  type: "command_execution",
  command: "/bin/bash -lc 'sleep 9'",
  cwd: "/w",
  output: "",
  durationMs: 0,
} as const;
const call = {
  type: "tool_call",
  callId: "c1",
  name: "exec_command",
  input: { kind: "json", raw: '{"cmd":"sleep 9"}' },
} as const;

function recorded(asTerminal = false) {
  const sent: SessionUpdate[] = [];
  const calls = new ToolCalls({ cwd: "/w", send: (update) => sent.push(update), asTerminal });
  const statuses = () => sent.flatMap((update) => ("status" in update ? [update.status] : []));
  return { calls, sent, statuses };
}

test("a call that was stopped is not left open", () => {
  const { calls, statuses } = recorded();
  calls.called(call);
  calls.started({ ...command, status: "in_progress" }, "c1");
  calls.answered({ type: "tool_result", callId: "c1", ok: false, content: [] });
  calls.turnEnded();
  expect(statuses()).toEqual(["pending", "in_progress", "failed"]);
});

test("a command that goes on in the background ends when it ends, after its turn", () => {
  const { calls, statuses } = recorded();
  calls.called(call);
  calls.started({ ...command, status: "in_progress" }, "c1");
  calls.answered({ type: "tool_result", callId: "c1", ok: true, content: [] });
  calls.turnEnded();
  expect(statuses()).toEqual(["pending", "in_progress"]);
  calls.ended({ ...command, status: "completed", exitCode: 0 });
  expect(statuses()).toEqual(["pending", "in_progress", "completed"]);
});

test("a call without an item is shown by what the model reads of it", () => {
  const { calls, sent } = recorded();
  calls.called({ ...call, name: "read_file", input: { kind: "json", raw: '{"path":"a"}' } });
  calls.answered({
    type: "tool_result",
    callId: "c1",
    ok: false,
    content: [{ type: "input_text", text: "no such file" }],
  });
  expect(sent.at(-1)).toEqual({
    sessionUpdate: "tool_call_update",
    toolCallId: "c1",
    status: "failed",
    content: [{ type: "content", content: { type: "text", text: "```\nno such file\n```" } }],
  });
});

test("a client with terminals of its own gets output as it comes, each piece once", () => {
  const { calls, sent } = recorded(true);
  calls.started({ ...command, status: "in_progress" }, "c1");
  calls.added("item-1", "one\n");
  calls.added("item-1", "two\n");
  calls.ended({ ...command, status: "completed", exitCode: 0, output: "one\ntwo\n" });
  expect(sent.map((update) => update._meta)).toEqual([
    { terminal_info: { terminal_id: "c1", cwd: "/w" } },
    { terminal_output: { terminal_id: "c1", data: "one\n" } },
    { terminal_output: { terminal_id: "c1", data: "two\n" } },
    { terminal_exit: { terminal_id: "c1", exit_code: 0, signal: null } },
  ]);
});
