import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import {
  asObject,
  bodyOf,
  completed,
  exec,
  execText,
  listIn,
  outline,
  promptOf,
  useServer,
} from "../support/exec.ts";
import { checkProtocol } from "../support/exec-protocol.ts";
import { answers, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

const FINDING = {
  title: "Close the file",
  body: "The handle stays open.\n\nIt leaks when reading fails.",
  confidence_score: 0.9,
  priority: 1,
  code_location: { absolute_file_path: "/src/a.py", line_range: { start: 3, end: 5 } },
};
const review = (findings: unknown[]) =>
  JSON.stringify({
    findings,
    overall_correctness: "patch is incorrect",
    overall_explanation: "One leak.",
    overall_confidence_score: 0.8,
  });
const COMMENT = `- Close the file — /src/a.py:3-5
  The handle stays open.

  It leaks when reading fails.`;

async function reviewed(answer: string, args: readonly string[] = ["review", "--uncommitted"]) {
  await using home = await tempHome();
  await using server = startFakeServer([says(answer)]);
  await useServer(home, server);
  const result = await exec(home, args);
  return { ...result, body: server.requests.length > 0 ? bodyOf(server, 0) : {} };
}

test("a review is one message: the explanation, then each finding with its place", async () => {
  const { stdout, events, exitCode } = await reviewed(review([FINDING]));
  checkProtocol(stdout);
  expect(completed(events)).toEqual([
    { type: "agent_message", text: `One leak.\n\nReview comment:\n\n${COMMENT}` },
  ]);
  expect(exitCode).toBe(0);
});

test("several findings are all shown, in the model's order", async () => {
  const other = { ...FINDING, title: "Name it" };
  const { events } = await reviewed(review([FINDING, other]));
  const text = String(completed(events)[0]?.["text"]);
  expect(text.startsWith("One leak.\n\nFull review comments:\n\n- Close the file")).toBe(true);
  expect(text.indexOf("- Name it")).toBeGreaterThan(text.indexOf("- Close the file"));
});

test("a review without findings is its explanation", async () => {
  const { events } = await reviewed(review([]));
  expect(completed(events)).toEqual([{ type: "agent_message", text: "One leak." }]);
});

test("JSON in a fence is understood, and an answer that is not JSON is shown as it is", async () => {
  const fenced = await reviewed(`\`\`\`json\n${review([])}\n\`\`\``);
  expect(completed(fenced.events)).toEqual([{ type: "agent_message", text: "One leak." }]);
  const plain = await reviewed("I could not look.");
  expect(completed(plain.events)).toEqual([{ type: "agent_message", text: "I could not look." }]);
});

test("a review reports no usage", async () => {
  const { events } = await reviewed(review([]));
  expect(events.at(-1)).toEqual({
    type: "turn.completed",
    usage: {
      input_tokens: 0,
      cached_input_tokens: 0,
      cache_write_input_tokens: 0,
      output_tokens: 0,
      reasoning_output_tokens: 0,
    },
  });
});

test("what the model says on the way to a review is not shown, its commands are", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([
    answers(
      { type: "text", text: "Let me look." },
      { type: "call", name: "exec_command", input: { cmd: "true" } },
    ),
    says(review([])),
  ]);
  await useServer(home, server);
  const { events } = await exec(home, ["-s", "danger-full-access", "review", "--uncommitted"]);
  expect(outline(events)).toEqual([
    "thread.started",
    "turn.started",
    "item.started command_execution",
    "item.completed command_execution",
    "item.completed agent_message",
    "turn.completed",
  ]);
});

test("a review offers only tools that look", async () => {
  const { body } = await reviewed(review([]));
  const names = listIn(body, "tools").map((tool) => asObject(tool)["name"]);
  expect(names.filter((name) => ["apply_patch", "update_plan"].includes(String(name)))).toEqual([]);
  expect(names).toContain("exec_command");
});

const TARGETS: [args: string[], asks: RegExp][] = [
  [["--uncommitted"], /uncommitted changes/],
  [["--base", "main"], /against main/],
  [["--commit", "abc123", "--title", "Fix it"], /abc123.*Fix it/],
  [["only the tests"], /^only the tests$/],
];

for (const [args, asks] of TARGETS) {
  test(`review ${args.join(" ")} asks for just that`, async () => {
    const { body } = await reviewed(review([]), ["review", ...args]);
    expect(promptOf(body)).toMatch(asks);
  });
}

test("what to review can come through stdin", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says(review([]))]);
  await useServer(home, server);
  await exec(home, ["review", "-"], { stdin: "the parser" });
  expect(promptOf(bodyOf(server, 0))).toBe("the parser");
});

test("a review without a target sends nothing", async () => {
  const { exitCode, stdout, stderr, body } = await reviewed("", ["review"]);
  expect({ exitCode, stdout, body }).toEqual({ exitCode: 1, stdout: "", body: {} });
  expect(stderr).toContain("--uncommitted");
});

test("two targets are a wrong command line", async () => {
  const { exitCode, stderr } = await reviewed("", ["review", "--uncommitted", "--base", "main"]);
  expect({ exitCode, names: /--uncommitted|--base/.test(stderr) }).toEqual({ exitCode: 2, names: true });
});

test("for a person the review is the answer on stdout, also as a command of its own", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says(review([FINDING])), says(review([FINDING]))]);
  await useServer(home, server);
  await Bun.$`git init -q ${home.cwd}`.quiet();
  const text = `One leak.\n\nReview comment:\n\n${COMMENT}\n`;
  expect((await execText(home, ["review", "--uncommitted"])).stdout).toBe(text);
  const own = await run(home, ["review", "--uncommitted", "-o", "review.txt"]);
  expect({ stdout: own.stdout, file: await Bun.file(join(home.cwd, "review.txt")).text() }).toEqual({
    stdout: text,
    file: text.trimEnd(),
  });
});
