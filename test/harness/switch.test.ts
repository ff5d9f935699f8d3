import { expect, setDefaultTimeout, test } from "bun:test";
import { asObject, bodyOf, exec, type Json, listIn, useServer } from "../support/exec.ts";
import { answers, calls, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

type Wire = "chat" | "messages" | "responses";
const STEPS: readonly (readonly [string, Wire, string])[] = [
  ["native", "responses", "exec_command"],
  ["claude-code", "messages", "Bash"],
  ["kimi-code", "chat", "Bash"],
  ["swe-agent", "chat", ""],
  ["minimal", "messages", "bash"],
  ["opencode", "chat", "bash"],
  ["deepseek-tui", "responses", "exec_shell"],
  ["pi", "chat", "bash"],
];

test("a session goes on with every other harness and wire, and each call keeps its one result", async () => {
  await using home = await tempHome();
  for (const [at, [harness, wire, shell]] of STEPS.entries()) {
    const command = shell === "exec_command" ? { cmd: `echo ${harness}` } : { command: `echo ${harness}` };
    const turn =
      shell === ""
        ? [
            says("I look.\n```\necho swe-agent\n```"),
            says("x\n```\nsubmit\n```"),
            says("x\n```\nsubmit\n```"),
          ]
        : [
            answers({ type: "text", text: "Look." }, { type: "call", name: shell, input: command }),
            calls("no_such_tool", { a: 1 }),
            says(`done ${harness}`),
          ];
    await using server = startFakeServer(turn);
    await useServer(home, server, { wire, more: `harness = "${harness}"` });
    const flags = ["--dangerously-bypass-approvals-and-sandbox"];
    const args = at === 0 ? [...flags, "go 0"] : ["resume", "--last", ...flags, `go ${at}`];
    const { exitCode, stderr } = await exec(home, args);
    expect([harness, exitCode, exitCode === 0 ? "" : stderr]).toEqual([harness, 0, ""]);
    const last = bodyOf(server, server.requests.length - 1);
    expect([harness, unpaired(last, wire)]).toEqual([harness, []]);
    const text = JSON.stringify(last);
    for (let before = 0; before <= at; before++) expect(text).toContain(`go ${before}`);
  }
});

/** Ids that stand for more calls than results, or the other way. */
function unpaired(body: Json, wire: Wire): string[] {
  const list = listIn(body, wire === "responses" ? "input" : "messages").map(asObject);
  const blocks = list.flatMap((one) => (Array.isArray(one["content"]) ? one["content"].map(asObject) : []));
  const made = [
    ...list.flatMap((one) =>
      Array.isArray(one["tool_calls"]) ? one["tool_calls"].map((call) => asObject(call)["id"]) : [],
    ),
    ...list.flatMap((one) => (/_call$/.test(String(one["type"])) ? [one["call_id"]] : [])),
    ...blocks.flatMap((one) => (one["type"] === "tool_use" ? [one["id"]] : [])),
  ].map(String);
  const answered = [
    ...list.flatMap((one) => (one["role"] === "tool" ? [one["tool_call_id"]] : [])),
    ...list.flatMap((one) => (/_call_output$/.test(String(one["type"])) ? [one["call_id"]] : [])),
    ...blocks.flatMap((one) => (one["type"] === "tool_result" ? [one["tool_use_id"]] : [])),
  ].map(String);
  // Servers may give the same ids again in another session, so ids are counted.
  const count = (ids: string[], id: string) => ids.filter((one) => one === id).length;
  return [...made, ...answered].filter((id) => count(made, id) !== count(answered, id));
}
