import { expect, test } from "bun:test";
import { editorCall } from "../../../src/harness/hooks/editor-command.ts";
import { sweAgent } from "../../../src/harness/hooks/swe-agent.ts";

const command = (text: string) => sweAgent.callsIn(text, []);
const bash = (text: string) => [{ name: "bash", parameters: { command: text } }];

const FORMS: readonly [title: string, answer: string, command: string][] = [
  ["a block without a name", "so\n```\nls -la\n```", "ls -la"],
  ["a block named after a shell", "so\n```bash\nls\npwd\n```\n", "ls\npwd"],
  ["the last of several blocks", "like\n```\nfalse\n```\nbut\n```\ntrue\n```", "true"],
  ["a tag", "so <execute_bash>\nls\n</execute_bash>", "ls"],
  ["an invoke tag", '<invoke name="bash"><parameter name="command">a &lt; b</parameter></invoke>', "a < b"],
  ["a tool_invoke tag", '<tool_invoke name="execute_bash"><code>ls</code></tool_invoke>', "ls"],
  ["entities of entities", "<execute_bash>echo &amp;lt;</execute_bash>", "echo &lt;"],
];
for (const [title, answer, expected] of FORMS)
  test(`${title} is a command`, () => {
    expect(command(answer)).toEqual(bash(expected));
  });

const NONE = [
  "only words",
  "```python\nprint()\n```",
  "```\n\n```",
  "<execute_bash></execute_bash>",
  "```\nls",
];
for (const answer of NONE)
  test(`no command: ${JSON.stringify(answer)}`, () => {
    expect(command(answer)).toEqual([]);
  });

test("words of the editor are read as a shell would, and ranges become lines", () => {
  expect(editorCall("str_replace_editor view '/a b.txt' --view_range 10 12")).toEqual({
    name: "view",
    parameters: { path: "/a b.txt", view_range: ["10", "12"], offset: 10, limit: 3 },
  });
  expect(editorCall(`str_replace_editor create /a --file_text "say \\"hi\\" \\$x"`)).toEqual({
    name: "create",
    parameters: { path: "/a", file_text: 'say "hi" $x' },
  });
  expect(editorCall("str_replace_editor str_replace /a --old_str '' --new_str 'x'\\''y'")).toEqual({
    name: "str_replace",
    parameters: { path: "/a", old_str: "", new_str: "x'y" },
  });
});

test("other commands, and such with an open quote, are left to the shell", () => {
  expect(editorCall("echo str_replace_editor view /a")).toBeUndefined();
  expect(editorCall("str_replace_editor create /a --file_text 'open")).toBeUndefined();
});
