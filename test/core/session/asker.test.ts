import { expect, setDefaultTimeout, test } from "bun:test";
import { loadConfig } from "../../../src/config/load.ts";
import { openSession } from "../../../src/core/runtime.ts";
import type { Asker } from "../../../src/protocol/questions.ts";
import { asObject, bodyOf, listIn, useServer } from "../../support/exec.ts";
import { calls, says, startFakeServer } from "../../support/fake-server.ts";
import { tempHome } from "../../support/home.ts";

setDefaultTimeout(120_000);

const QUESTION = {
  question: "Which?",
  header: "Choice",
  options: [
    { label: "A", description: "one" },
    { label: "B", description: "two" },
  ],
  multiSelect: false,
};

async function play(asker: Asker | undefined) {
  await using home = await tempHome();
  await using server = startFakeServer([calls("AskUserQuestion", { questions: [QUESTION] }), says("done")]);
  await useServer(home, server, { wire: "messages", more: 'harness = "claude-code"' });
  const config = await loadConfig({ env: home.env, cwd: home.cwd, overrides: [] });
  await using opened = await openSession({
    config,
    env: home.env,
    cwd: home.cwd,
    source: "tui",
    thread: { kind: "new" },
    isEphemeral: true,
    extras: {},
    ...(asker ? { asker } : {}),
    signal: AbortSignal.timeout(60_000),
  });
  await opened.session.submit([{ type: "input_text", text: "go" }]);
  const tools = listIn(bodyOf(server, 0), "tools").map((tool) => asObject(tool)["name"]);
  return { tools, after: JSON.stringify(listIn(bodyOf(server, 1), "messages").at(-1)) };
}

test("where somebody answers, the model may ask, and reads the answer", async () => {
  const { tools, after } = await play({ ask: async () => [{ labels: ["B"] }] });
  expect(tools.slice(0, 3)).toEqual(["Agent", "AskUserQuestion", "Bash"]);
  expect(after).toContain("The user answered:\\n- Which?\\n  B");
});

test("where nobody does, the tool is not offered", async () => {
  const { tools, after } = await play(undefined);
  expect(tools).not.toContain("AskUserQuestion");
  expect(after).toContain("AskUserQuestion");
  expect(after).toContain("tool_use_error");
});
