import { expect, test } from "bun:test";
import type { Harness } from "../../src/harness/compose.ts";
import { loadHarness } from "../../src/harness/load.ts";
import { bindTools } from "../../src/harness/tools.ts";
import type { ToolCall } from "../../src/protocol/items.ts";
import type { ToolResult } from "../../src/tools/types.ts";

const native = await loadHarness("native", "/nowhere");
const ALL = { unified_exec: true, freeform_patch: true, update_plan: true, images: true };

function call(name: string, raw: string, kind: "json" | "text" = "json"): ToolCall {
  return { type: "tool_call", callId: "c1", name, input: { kind, raw } };
}

function translate(one: ToolCall, flags: Record<string, boolean> = ALL) {
  const result = bindTools(native, flags).translate(one);
  if ("problem" in result) return result;
  const { native: tool, input, notes } = result;
  return { native: tool, input, notes };
}

test("exec_command becomes the native exec with the native names", () => {
  const raw = JSON.stringify({
    cmd: "ls",
    workdir: "/w",
    tty: true,
    yield_time_ms: "2000",
    max_output_tokens: 5,
    sandbox_permissions: "require_escalated",
    justification: "why",
    prefix_rule: ["ls"],
    shell: "/bin/sh",
    login: false,
  });
  expect(translate(call("exec_command", raw))).toEqual({
    native: "exec",
    input: {
      command: "ls",
      workdir: "/w",
      tty: true,
      yieldMs: 2000,
      maxOutputTokens: 5,
      escalate: true,
      justification: "why",
      prefixRule: ["ls"],
      shell: "/bin/sh",
      login: false,
    },
    notes: ["the arguments were not quite right and were repaired: field `yield_time_ms` read as a number"],
  });
});

test("only what the model wrote is passed on", () => {
  expect(translate(call("exec_command", '{"cmd":"ls"}'))).toEqual({
    native: "exec",
    input: { command: "ls" },
    notes: [],
  });
  expect(translate(call("write_stdin", '{"session_id":7,"chars":"y\\n"}'))).toEqual({
    native: "exec_stdin",
    input: { sessionId: 7, chars: "y\n" },
    notes: [],
  });
  expect(translate(call("shell_command", '{"command":"ls","timeout_ms":5}'), {})).toEqual({
    native: "shell",
    input: { command: "ls", timeoutMs: 5 },
    notes: [],
  });
});

test("update_plan and view_image pass their fields as they are", () => {
  const plan = { explanation: "why", plan: [{ step: "a", status: "pending" }] };
  expect(translate(call("update_plan", JSON.stringify(plan)))).toEqual({
    native: "plan",
    input: plan,
    notes: [],
  });
  expect(translate(call("view_image", '{"path":"a.png"}'))).toEqual({
    native: "view_image",
    input: { path: "a.png" },
    notes: [],
  });
});

test("a patch is understood as plain text, wrapped in JSON, and when the tool was not offered", () => {
  const wanted: ReturnType<typeof translate> = {
    native: "apply_patch",
    input: { patch: "*** p" },
    notes: [],
  };
  expect(translate(call("apply_patch", "*** p", "text"))).toEqual(wanted);
  expect(translate(call("apply_patch", '{"input":"*** p"}'))).toEqual(wanted);
  expect(translate(call("apply_patch", '{"input":"*** p"}'), {})).toEqual(wanted);
});

const OFFERED =
  "exec_command, write_stdin, apply_patch, update_plan, view_image, spawn_agent, send_input, wait_agent, close_agent, resume_agent";

test("a call of a tool that does not exist is refused by name, and the model hears which there are", () => {
  expect(translate(call("no_such_tool", "{}"))).toEqual({
    problem: `unsupported call: no_such_tool; offered: ${OFFERED}`,
  });
  expect(translate(call("no_such_tool", "x", "text"))).toEqual({
    problem: `unsupported custom tool call: no_such_tool; offered: ${OFFERED}`,
  });
});

test("a tool that is off is refused", () => {
  expect(translate(call("update_plan", '{"plan":[]}'), { unified_exec: true })).toEqual({
    problem: `unsupported call: update_plan; offered: ${OFFERED.replace("update_plan, view_image, ", "")}`,
  });
});

test("a name with tokens of the chat format or a namespace is recognised", () => {
  for (const name of [
    "exec_command<|channel|>commentary",
    "functions.exec_command",
    "exec_command<|constrain|>json",
  ]) {
    expect(translate(call(name, '{"cmd":"ls"}'))).toEqual({
      native: "exec",
      input: { command: "ls" },
      notes: [],
    });
  }
});

test("a tool is found under another spelling, and the model is told", () => {
  for (const name of ["Exec_Command", "execCommand", "exec_comand"]) {
    expect(translate(call(name, '{"cmd":"ls"}'))).toEqual({
      native: "exec",
      input: { command: "ls" },
      notes: [`there is no tool ${name}; exec_command was used`],
    });
  }
});

test("a tool that changes files is not guessed at, neither its name nor its arguments", () => {
  expect(translate(call("Apply-Patch", "*** p", "text"))).toMatchObject({ native: "apply_patch" });
  expect(translate(call("aplpy_patch", "*** p", "text"))).toEqual({
    problem: "unsupported custom tool call: aplpy_patch; did you mean apply_patch?",
  });
  const parameters = {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" }, append: { type: "boolean" } },
    required: ["path", "content"],
  };
  const writes = {
    ...native,
    tools: [{ name: "put", description: "Writes.", native: "write" as const, parameters }],
  };
  const put = (raw: string) => bindTools(writes, ALL).translate(call("put", raw));
  expect(put('{"path": "a", "content": "x"')).toHaveProperty("problem");
  expect(put('{"path": "a", "content": "x", "appemd": true}')).toHaveProperty("problem");
  expect(put("{'path': 'a', 'content': 'x', 'Append': True}")).toMatchObject({
    input: { path: "a", content: "x", append: true },
  });
});

test("wrong arguments are answered with what is wrong", () => {
  expect(translate(call("exec_command", '{"cmd": "echo'))).toEqual({
    problem: "failed to parse function arguments: EOF while parsing a string at line 1 column 13",
  });
  expect(translate(call("exec_command", '{"script": "echo x"}'))).toEqual({
    problem: "failed to parse function arguments: missing field `cmd` (found `script`)",
  });
});

test("a parameter that does not exist is ignored, and the model is told", () => {
  expect(translate(call("exec_command", '{"cmd":"ls","timeout":5}'))).toEqual({
    native: "exec",
    input: { command: "ls" },
    notes: ["exec_command has no parameter `timeout`; it was ignored"],
  });
});

const templated: Harness = {
  ...native,
  tools: [
    {
      name: "run",
      description: "Runs.",
      native: "shell",
      parameters: { type: "object" },
      result: { ok: "{{output}}", error: "code {{exitCode}}\n{{output}}", maxChars: 12 },
    },
  ],
};

function rendered(result: Partial<ToolResult>, harness = templated) {
  const [tool] = harness.tools;
  if (!tool) throw new Error("no tool");
  const whole: ToolResult = {
    ok: true,
    content: [{ type: "input_text", text: "as it is" }],
    detail: { kind: "none" },
    ...result,
  };
  return bindTools(harness, ALL).render(tool, whole);
}

test("a result template is filled with the fields of the result, for success and failure", () => {
  expect(rendered({ fields: { output: "fine", exitCode: 0 } })).toEqual([
    { type: "input_text", text: "fine" },
  ]);
  expect(rendered({ ok: false, fields: { output: "bad", exitCode: 3 } })).toEqual([
    { type: "input_text", text: "code 3\nbad" },
  ]);
});

test("a templated result is cut to its limit, and images stay", () => {
  const image = { type: "input_image", imageUrl: "data:image/png;base64,AA==" } as const;
  expect(rendered({ content: [image], fields: { output: "0123456789abcdef", exitCode: 0 } })).toEqual([
    { type: "input_text", text: "0123456789ab\n[4 more characters were left out]" },
    image,
  ]);
});

test("without fields, or without a template, the model reads the content", () => {
  const content = [{ type: "input_text" as const, text: "as it is" }];
  expect(rendered({})).toEqual(content);
  expect(rendered({ fields: { output: "x" } }, native)).toEqual(content);
});

test("a template that asks for a field that is not there hides nothing of the result", () => {
  expect(rendered({ ok: false, fields: { output: "x" } })).toEqual([
    { type: "input_text", text: "as it is" },
    { type: "input_text", text: "\n(native: the template of this result asks for exitCode)" },
  ]);
});

test("a failure is never worded like a success, but for commands", () => {
  const [tool] = templated.tools;
  if (!tool) throw new Error("no tool");
  const onlyOk: Harness = { ...templated, tools: [{ ...tool, result: { ok: "Written: {{output}}" } }] };
  const content = [{ type: "input_text" as const, text: "as it is" }];
  expect(rendered({ ok: false, fields: { output: "x" } }, onlyOk)).toEqual(content);
  expect(rendered({ ok: false, fields: { output: "x", exitCode: 1 } }, onlyOk)).toEqual([
    { type: "input_text", text: "Written: x" },
  ]);
});

test("a hidden tool is understood, but never offered", async () => {
  const tools = bindTools(await loadHarness("claude-code-bare", "/nowhere"), ALL);
  expect(tools.wireTools().map(({ name }) => name)).toEqual(["Bash", "Edit", "Read"]);
  expect(tools.translate(call("exec_command", '{"cmd":"ls"}'))).toMatchObject({
    native: "shell",
    input: { command: "ls", timeoutMs: 120_000 },
  });
});

test("a problem with arguments can be told in parts, and a field of a result as JSON", () => {
  const harness: Harness = {
    ...native,
    errors: { badArguments: "{{tool}}|{{field}}|{{reason}}|{{arguments}}" },
    tools: [
      {
        name: "run",
        description: "Runs.",
        native: "shell",
        parameters: { type: "object", properties: { cmd: { type: "string" } }, required: ["cmd"] },
        result: { ok: "{{outputJson}}{{#noteJson}}, {{noteJson}}{{/noteJson}}" },
      },
    ],
  };
  const tools = bindTools(harness, ALL);
  expect(tools.translate(call("run", '{"x":1}'))).toEqual({
    problem: 'run|cmd|missing|{\n  "x": 1\n}',
  });
  const [tool] = harness.tools;
  if (!tool) throw new Error("no tool");
  const result = (fields: ToolResult["fields"]): ToolResult => ({
    ok: true,
    content: [],
    fields,
    detail: { kind: "none" },
  });
  expect(tools.render(tool, result({ output: 'a "b"\n' }))).toEqual([
    { type: "input_text", text: '"a \\"b\\"\\n"' },
  ]);
  expect(tools.render(tool, result({ output: "a", note: "n" }))).toEqual([
    { type: "input_text", text: '"a", "n"' },
  ]);
});
