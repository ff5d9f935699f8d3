import { expect, setDefaultTimeout, test } from "bun:test";
import { builtInIds } from "../../src/harness/builtin.ts";
import { loadHarness } from "../../src/harness/load.ts";
import { estimateTokens } from "../../src/model/tokens.ts";
import { tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { type ChatTurn, calls, says } from "../support/ollama-server/types.ts";
import { run } from "../support/run.ts";

// Each test starts the program, some of them let it run a dozen commands, on a machine that may be busy.
setDefaultTimeout(120_000);

type Body = Readonly<Record<string, unknown>>;
type Tool = { function: { name: string; parameters?: { required?: string[] } } };

const OPEN = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--oss"];
/** All but those that need another wire than a local server speaks. */
const HARNESSES: string[] = [];
for (const id of builtInIds()) if ((await loadHarness(id, [])).wires.includes("chat")) HARNESSES.push(id);

async function exec(id: string, window: number, turns: (body: Body) => ChatTurn) {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ name: "m", contextLength: 131_072 }], turns });
  const args = [...OPEN, "--harness", id, "-c", `model_context_window=${window}`, "--json", "go"];
  const result = await run(home, args, { env: { OLLAMA_HOST: server.host } });
  return { ...result, chats: server.chats(), overflows: server.overflows(), loads: server.loads() };
}

/** Tokens of prompt and tools, as the refusal of a window that is far too small tells them. */
async function staticTokens(id: string): Promise<number> {
  const { stderr } = await exec(id, 200, () => says("unasked"));
  return Number(new RegExp(`the harness ${id} takes about (\\d+) tokens`).exec(stderr)?.[1]);
}

const sizes = new Map<string, number>();
for (const id of HARNESSES) sizes.set(id, await staticTokens(id));

for (const [id, size] of sizes) {
  test(`${id} is refused where it would fill more than half of the window, with the names of those that fit`, async () => {
    const refused = await exec(id, 2 * size - 2, () => says("unasked"));
    const fitting = [...sizes].filter(([, other]) => other < size).map(([other]) => other);
    expect([refused.exitCode, refused.chats]).toEqual([1, []]);
    expect(refused.stderr).toContain(
      `the harness ${id} takes about ${size} tokens, more than half of the context window of ${2 * size - 2}`,
    );
    const named = /(?:these fit: (.*); or|none fits;) raise model_context_window/.exec(refused.stderr);
    expect(named?.[1]?.split(", ") ?? []).toEqual(fitting);
    const taken = await exec(id, 2 * size + 2, () => says("unasked"));
    expect(taken.stderr).not.toContain("takes about");
    expect(taken.chats.length).toBeGreaterThan(0);
  });
}

const TEXT_PROTOCOLS = ["swe-agent", "terminus-2"];
const COMMANDS = 10;
const NOISE = "filler ".repeat(3000);

/** A model that reads large files one after another, in whatever form the harness wants its commands. */
function hungryModel(id: string): (body: Body) => ChatTurn {
  let count = 0;
  return (body) => {
    const last = JSON.stringify(Array.isArray(body["messages"]) ? body["messages"].at(-1) : "");
    const isSummary = !TEXT_PROTOCOLS.includes(id) && body["tools"] === undefined;
    const isAsked = !isSummary && (count === 0 || last.includes("filler") || last.includes("SUMMARY"));
    if (!isAsked) return says("<summary>SUMMARY of it all</summary>");
    count += 1;
    if (count > COMMANDS) return ending(id, body);
    return command(id, body, `cat noise.txt; echo ${count}`);
  };
}

function command(id: string, body: Body, line: string): ChatTurn {
  if (id === "swe-agent") return says(`I look.\n\n\`\`\`\n${line}\n\`\`\``);
  if (id === "terminus-2")
    return says(
      JSON.stringify({ analysis: "", plan: "", commands: [{ keystrokes: `${line}\n`, duration: 1 }] }),
    );
  const { name, parameter } = shellOf(body);
  return calls(name, { [parameter]: line, description: "look", timeout: 10_000 });
}

function ending(id: string, body: Body): ChatTurn {
  if (id === "swe-agent") return says("Done.\n\n```\nsubmit\n```");
  if (id === "terminus-2")
    return says(JSON.stringify({ analysis: "", plan: "", commands: [], task_complete: true }));
  if (id === "mini-swe-agent") {
    const { name, parameter } = shellOf(body);
    return calls(name, { [parameter]: "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" });
  }
  return says("all done");
}

function shellOf(body: Body): { name: string; parameter: string } {
  const tools: Tool[] = Array.isArray(body["tools"]) ? body["tools"] : [];
  for (const { function: fn } of tools) {
    const parameter = ["cmd", "command"].find((one) => fn.parameters?.required?.includes(one));
    if (parameter !== undefined) return { name: fn.name, parameter };
  }
  throw new Error(`no shell among ${tools.map((tool) => tool.function.name).join(", ")}`);
}

for (const [id, size] of sizes) {
  const window = Math.max(8192, Math.ceil((2 * size) / 1024) * 1024);
  test(`with ${id}, ten large outputs fit into ${window} tokens: they are cut, and history is summarised in time`, async () => {
    await using home = await tempHome();
    await home.write("noise.txt", NOISE);
    await using server = startOllamaServer({
      models: [{ name: "m", contextLength: 131_072 }],
      turns: hungryModel(id),
    });
    const args = [...OPEN, "--harness", id, "-c", `model_context_window=${window}`, "--json", "go"];
    const { exitCode, events } = await run(home, args, { env: { OLLAMA_HOST: server.host } });
    const failures = events.filter(({ type }) => type === "turn.failed" || type === "error");
    expect({ exitCode, failures, overflows: server.overflows(), loads: server.loads() }).toEqual({
      exitCode: 0,
      failures: [],
      overflows: 0,
      loads: 1,
    });
    expect(JSON.stringify(server.chats().at(-1))).toContain("SUMMARY of it all");
    const largest = Math.max(...server.chats().flatMap((body) => outputSizes(body)));
    // A quarter, and what a harness may put around it.
    expect(largest).toBeLessThan((1.2 * window) / 4 + 700);
  });
}

/** Tokens of each message that a command brought. */
function outputSizes(body: Body): number[] {
  const messages: Body[] = Array.isArray(body["messages"]) ? body["messages"] : [];
  return messages
    .map(({ content }) => String(content))
    .filter((text) => text.includes("filler"))
    .map(estimateTokens);
}

test("the first request of the minimal harness is smaller than 6 kB", async () => {
  const { chats } = await exec("minimal", 8192, () => says("all done"));
  expect(JSON.stringify(chats[0]).length).toBeLessThan(6000);
});
