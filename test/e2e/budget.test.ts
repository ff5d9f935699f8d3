import { expect, setDefaultTimeout, test } from "bun:test";
import { type FakeTurn, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { execHuman, execJson, useModel } from "./fake-model.ts";

// Each test starts the program several times, on machines that may be busy.
setDefaultTimeout(120_000);

/** A call that writes one more line, with what the answer used. */
function works(input: number, output: number): FakeTurn {
  const part = { type: "call", name: "exec_command", input: { cmd: "echo line >> work.txt" } } as const;
  return { kind: "answer", parts: [part], usage: { input, output } };
}
const done = says("all done");
const errors = (events: Record<string, unknown>[]) =>
  events.flatMap(({ type, message }) => (type === "error" ? [message] : []));

test("--max-turns ends the run after the calls of the last answer, with exit code 3", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([works(10, 5), works(10, 5), done]);
  await useModel(home, server);
  const { exitCode, events, stderr } = await execJson(home, ["--max-turns", "2", "go"]);
  const message = "stopped: the budget of this run is used up: 2 of 2 model requests (--max-turns)";
  expect({ exitCode, requests: server.requests.length, errors: errors(events) }).toEqual({
    exitCode: 3,
    requests: 2,
    errors: [message],
  });
  expect(events.at(-1)).toEqual({ type: "turn.failed", error: { message } });
  expect(stderr).toContain(message);
  expect(await Bun.file(`${home.cwd}/work.txt`).text()).toBe("line\nline\n");
});

test("an answer that ends the task within the budget is a success", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([works(10, 5), done]);
  await useModel(home, server);
  const { exitCode } = await execJson(home, ["--max-turns", "2", "--max-tokens", "30", "go"]);
  expect(exitCode).toBe(0);
});

test("where the budget is used up, an answer is not checked once more", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([done]);
  await useModel(home, server);
  const { exitCode, events } = await execJson(home, ["--max-turns", "1", "--verify", "go"]);
  expect([exitCode, events.at(-1)?.["type"], server.requests.length]).toEqual([0, "turn.completed", 1]);
});

test("at four fifths of --max-tokens the user is warned and the model is told", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([works(800, 10), works(80, 5), works(100, 5), done]);
  await useModel(home, server);
  const { exitCode, events } = await execJson(home, ["--max-tokens", "1_000", "go"]);
  expect([exitCode, errors(events)]).toEqual([
    3,
    ["stopped: the budget of this run is used up: 1,000 of 1,000 tokens (--max-tokens)"],
  ]);
  const warning = "the budget of this run is nearly used up: 810 of 1,000 tokens";
  const items = events.flatMap(({ item }) => (typeof item === "object" && item !== null ? [item] : []));
  expect(items.filter((item) => "type" in item && item.type === "error")).toMatchObject([
    { message: warning },
  ]);
  expect(JSON.stringify(server.requests[1]?.body)).toContain(`<budget_left>${warning}`);
});

test("--max-cost counts by the configured prices", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([works(1_000_000, 100_000), done]);
  await useModel(home, server, { tables: '[model_prices."fake-1"]\ninput = 0.5\noutput = 2' });
  const { exitCode, stderr } = await execHuman(home, ["--max-cost", "0.60", "go"]);
  expect([exitCode, server.requests.length]).toEqual([3, 1]);
  expect(stderr).toContain(
    "ERROR: stopped: the budget of this run is used up: 0.7 of 0.6 cost (--max-cost)\n" +
      "the work so far is kept; resume the session with a larger budget to continue\n" +
      "tokens used\n1,100,000\ninput 1,000,000 (cached 0), output 100,000\n",
  );
});

test("--max-cost without prices names the model and what to write", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([done]);
  await useModel(home, server);
  const { exitCode, stderr } = await execJson(home, ["--max-cost", "1", "go"]);
  expect([exitCode, server.requests.length]).toEqual([1, 0]);
  expect(stderr).toContain("--max-cost needs the prices of fake-1, and none are configured");
  expect(stderr).toContain('model_prices."fake-1" = { input = ');
});

for (const [option, value] of [
  ["--max-turns", "0"],
  ["--max-turns", "1.5"],
  ["--max-tokens", "many"],
  ["--max-cost", "-1"],
] as const) {
  test(`${option} ${value} is a wrong command line`, async () => {
    await using home = await tempHome();
    const { exitCode, stderr } = await execJson(home, [`${option}=${value}`, "go"]);
    expect([exitCode, stderr.split("\n")[0]]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^error: invalid value '${value}' for '${option} <.*number above 0`)),
    ]);
  });
}

test("the budget of a session counts its earlier runs", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([works(10, 5), done, works(10, 5), done]);
  await useModel(home, server, { tables: "[budget]\nmax_turns = 3" });
  const first = await execJson(home, ["go"]);
  const second = await execJson(home, ["resume", "--last", "go on"]);
  const third = await execJson(home, ["resume", "--last", "go on"]);
  expect([first.exitCode, second.exitCode, third.exitCode, server.requests.length]).toEqual([0, 3, 3, 3]);
  expect(errors(third.events)).toEqual([
    "stopped: the budget of this session is used up: 3 of 3 model requests (budget.max_turns)",
  ]);
});

test("after a budget has ended a turn, the session goes on with a valid history", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([works(10, 5), done]);
  await useModel(home, server);
  await execJson(home, ["--max-turns", "1", "go"]);
  const { exitCode } = await execJson(home, ["resume", "--last", "go on"]);
  const { messages } = Object(server.requests[1]?.body);
  expect(exitCode).toBe(0);
  expect(messages.slice(-3).map(({ role }: { role: string }) => role)).toEqual(["assistant", "tool", "user"]);
});

test("the progress of a run ends with its tokens, cached ones apart", async () => {
  await using home = await tempHome();
  const usage = { prompt_tokens: 1200, completion_tokens: 34, prompt_tokens_details: { cached_tokens: 900 } };
  const chunk = { choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }], usage };
  await using server = startFakeServer([
    { kind: "raw", chunks: [`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`] },
  ]);
  await useModel(home, server);
  const { stderr } = await execHuman(home, ["go"]);
  expect(stderr).toEndWith("tokens used\n334\ninput 1,200 (cached 900), output 34\n");
});
