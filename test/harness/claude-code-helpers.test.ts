import { expect, setDefaultTimeout, test } from "bun:test";
import { asObject, bodyOf, completed, exec, type Json, listIn, useServer } from "../support/exec.ts";
import { calls, type FakeServer, type FakeTurn, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

type Run = { server: FakeServer; events: Json[]; exitCode: number };

async function play(turns: FakeTurn[], look: (run: Run) => void, harness = "claude-code"): Promise<void> {
  await using home = await tempHome();
  await using server = startFakeServer(turns);
  await useServer(home, server, { wire: "messages", more: `harness = "${harness}"` });
  const { events, exitCode } = await exec(home, ["--dangerously-bypass-approvals-and-sandbox", "go"]);
  look({ server, events, exitCode });
}

/** The text of the newest result or words of the user in that request. */
function newest(server: FakeServer, index: number): string {
  const last = listIn(bodyOf(server, index), "messages").at(-1);
  const { content } = asObject(last);
  if (!Array.isArray(content)) return String(content);
  const { content: result, text } = asObject(content.at(-1));
  return Array.isArray(result) ? String(asObject(result[0])["text"]) : String(result ?? text);
}

const toolNames = (server: FakeServer, index: number) =>
  listIn(bodyOf(server, index), "tools").map((tool) => String(asObject(tool)["name"]));

test("a tool that is kept back is named, can be looked for, and is offered from then on", async () => {
  const turns = [
    calls("ToolSearch", { query: "select:TodoWrite" }),
    calls("TodoWrite", { todos: [{ content: "one", status: "pending", activeForm: "doing one" }] }),
    says("done"),
  ];
  await play(turns, ({ server, events }) => {
    expect(JSON.stringify(bodyOf(server, 0)["messages"])).toContain("\\nTodoWrite\\n");
    expect(toolNames(server, 0)).not.toContain("TodoWrite");
    expect(newest(server, 1)).toContain("TodoWrite: Replaces your todo list");
    expect(toolNames(server, 1)).toEqual([...toolNames(server, 0), "TodoWrite"]);
    expect(completed(events, "todo_list")).toHaveLength(1);
  });
});

test("a tool that is kept back works for a model that knows it by heart", async () => {
  const turns = [calls("Glob", { pattern: "*.none" }), says("done")];
  await play(turns, ({ server }) => {
    expect(newest(server, 1)).not.toContain("tool_use_error");
    expect(toolNames(server, 1)).toContain("Glob");
  });
});

test("what was called by heart can still be looked for, and a search lists files unless told otherwise", async () => {
  const turns = [
    calls("Bash", { command: "echo needle > hay.txt" }),
    calls("Grep", { pattern: "needle" }),
    calls("ToolSearch", { query: "select:Grep" }),
    says("done"),
  ];
  await play(turns, ({ server }) => {
    expect(newest(server, 2)).toBe("hay.txt");
    expect(newest(server, 3)).toContain("Grep: Finds lines by a regular expression.");
  });
});

test("the placeholder is sent as one that the server keeps back, and names the others when it is called", async () => {
  await play([calls("DeferredToolPlaceholder", {}), says("done")], ({ server }) => {
    const placeholder = listIn(bodyOf(server, 0), "tools")
      .map(asObject)
      .find(({ defer_loading }) => defer_loading);
    expect(placeholder?.["name"]).toBe("DeferredToolPlaceholder");
    expect(newest(server, 1)).toStartWith("Tools that can be loaded: EnterPlanMode, ");
  });
});

test("a helper that has reported goes on when it gets a message, with all that it knew", async () => {
  const turns = [
    calls("Agent", { description: "look", prompt: "find it", subagent_type: "Explore" }, "toolu_helper"),
    says("found it"),
    calls("ListAgents", {}),
    calls("SendMessage", { to: "toolu_helper", message: "where exactly?" }),
    says("in line 3"),
    says("done"),
  ];
  await play(turns, ({ server }) => {
    expect(newest(server, 2)).toBe("found it");
    expect(newest(server, 3)).toBe("toolu_helper [done] Explore: look");
    const child = listIn(bodyOf(server, 4), "messages").map((one) =>
      JSON.stringify(asObject(one)["content"]),
    );
    expect(child.map((text) => /find it|found it|where exactly/.exec(text)?.[0])).toEqual([
      "find it",
      "found it",
      "where exactly",
    ]);
    expect(newest(server, 5)).toBe("in line 3");
  });
});

test("a turn with a wake-up goes on with its prompt before it ends", async () => {
  const turns = [
    calls("ScheduleWakeup", { delaySeconds: 1, prompt: "look again", reason: "the build" }),
    says("I wait"),
    says("it is done"),
  ];
  await play(turns, ({ server, events, exitCode }) => {
    expect(newest(server, 2)).toBe("look again");
    expect(completed(events, "agent_message").map(({ text }) => text)).toEqual(["I wait", "it is done"]);
    expect(exitCode).toBe(0);
  });
});

test("findings are shown as a message", async () => {
  const findings = [{ file: "a.ts", line: 1, summary: "Wrong.", failure_scenario: "Always." }];
  await play([calls("ReportFindings", { findings }), says("done")], ({ server, events }) => {
    expect(newest(server, 1)).toBe("1 finding was shown to the user.");
    expect(completed(events, "agent_message").map(({ text }) => text)).toEqual([
      "Findings:\n\n1. Wrong. (`a.ts:1`)\n   Always.",
      "done",
    ]);
  });
});

test("zcode: passages of this session and of a helper can be read again", async () => {
  let own = "";
  const turns = [
    calls("Agent", { description: "look", prompt: "find the lexer" }, "helper1"),
    says("the lexer is in a.ts"),
    calls("ReadSessionContext", { sessionId: "sess_helper1", query: "lexer" }),
    says("done"),
  ];
  await play(
    turns,
    ({ server }) => {
      own = /sess_[0-9a-f-]{36}/.exec(JSON.stringify(server.requests[0]?.body))?.[0] ?? "";
      expect(newest(server, 3)).toBe("user: find the lexer\n\nassistant: the lexer is in a.ts");
    },
    "zcode",
  );
  expect(own).not.toBe("");
});

test("a workflow's agents do their work, and its report is told before the turn ends", async () => {
  const script =
    "export const meta = { name: 'two', description: 'd' }\nreturn [await agent('one'), await agent('two')];";
  const turns = [
    calls("Workflow", { script }),
    says("I wait"),
    says("first answer"),
    says("second answer"),
    says("done"),
  ];
  await play(turns, ({ server, events }) => {
    expect(newest(server, 1)).toStartWith("The workflow runs in the background as task ");
    expect(newest(server, 4)).toContain("<status>exit code 0</status>");
    expect(newest(server, 4)).toContain("workflow two");
    expect(completed(events, "agent_message").map(({ text }) => text)).toEqual(["I wait", "done"]);
  });
});
