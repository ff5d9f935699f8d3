import { expect, test } from "bun:test";
import { viewOfCall } from "../../../src/frontends/acp/call-view.ts";

function view(name: string, args: Record<string, unknown>) {
  const input = { kind: "json", raw: JSON.stringify(args) } as const;
  const { title, kind, locations } = viewOfCall({ type: "tool_call", callId: "c", name, input }, "/w") ?? {};
  return { title, kind, locations };
}

test("whatever a harness calls its tools, a call has a kind, a title and its place", () => {
  const seen = [
    view("exec_command", { cmd: "ls -l" }),
    view("shell", { command: ["bash", "-lc", "make test"] }),
    view("write_stdin", { session_id: 3, chars: "y\n" }),
    view("Read", { file_path: "/w/src/a.ts", offset: 10 }),
    view("read_file", { path: "src/a.ts" }),
    view("Edit", { file_path: "/w/src/a.ts", old_string: "a", new_string: "b" }),
    view("str_replace_editor", { command: "view", path: "/w/src/a.ts" }),
    view("Grep", { pattern: "TODO", path: "/w/src" }),
    view("webfetch", { url: "https://example.com" }),
    view("anything", {}),
  ];
  const file = [{ path: "/w/src/a.ts" }];
  expect(seen).toEqual([
    { title: "ls -l", kind: "execute", locations: undefined },
    { title: "make test", kind: "execute", locations: undefined },
    { title: "write_stdin", kind: "execute", locations: undefined },
    { title: "Read src/a.ts", kind: "read", locations: [{ path: "/w/src/a.ts", line: 10 }] },
    { title: "Read src/a.ts", kind: "read", locations: file },
    { title: "Edit src/a.ts", kind: "edit", locations: file },
    { title: "Edit src/a.ts", kind: "edit", locations: file },
    { title: "Search TODO in src", kind: "search", locations: [{ path: "/w/src" }] },
    { title: "Fetch https://example.com", kind: "fetch", locations: undefined },
    { title: "anything", kind: "other", locations: undefined },
  ]);
});

test("tools that keep a plan are not calls for the client", () => {
  const input = { kind: "json", raw: "{}" } as const;
  expect(viewOfCall({ type: "tool_call", callId: "c", name: "TodoWrite", input }, "/w")).toBeUndefined();
});

test("a patch in its own form names its file", () => {
  const input = {
    kind: "text",
    raw: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch",
  } as const;
  expect(viewOfCall({ type: "tool_call", callId: "c", name: "apply_patch", input }, "/w")).toEqual({
    title: "Edit src/a.ts",
    kind: "edit",
    locations: [{ path: "/w/src/a.ts" }],
    rawInput: { input: input.raw },
  });
});
