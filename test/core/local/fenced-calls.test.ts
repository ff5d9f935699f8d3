import { expect, test } from "bun:test";
import { splitCommand, TextBeforeBlock } from "../../../src/core/local/fenced-block.ts";
import { fencedCalls, fencedWhenRefused } from "../../../src/core/local/fenced-calls.ts";
import type { ModelEvent, ModelRequest } from "../../../src/model/types.ts";
import { assistantText, type Item, textOf, userText } from "../../../src/protocol/items.ts";
import { AppError } from "../../../src/util/errors.ts";

const BASH = {
  kind: "function",
  name: "bash",
  description: "Runs a command.",
  parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
} as const;

function requestOf(items: readonly Item[], tools: ModelRequest["tools"] = [BASH]): ModelRequest {
  return {
    model: "m",
    instructions: "Be brief.",
    items,
    tools,
    parallelToolCalls: true,
    layout: {},
    extraBody: {},
    extraHeaders: {},
  };
}

const USAGE = { input: 10, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0 };

/** A model that says these texts, one an answer; what it was asked is kept. */
function scripted(texts: readonly string[], stop: "end" | "length" = "end") {
  const asked: ModelRequest[] = [];
  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const text = texts[asked.length] ?? "";
    asked.push(request);
    yield { type: "text", delta: text };
    yield { type: "item", item: assistantText(text) };
    yield { type: "finished", stop, usage: USAGE };
  }
  return { asked, stream };
}

async function itemsOf(events: AsyncIterable<ModelEvent>): Promise<Item[]> {
  const all = await Array.fromAsync(events);
  return all.flatMap((event) => (event.type === "item" ? [event.item] : []));
}

const SIGNAL = new AbortController().signal;
const block = (text: string, word = "do") => `\`\`\`${word}\n${text}\n\`\`\``;
const callOf = (command: string) => ({
  type: "tool_call",
  callId: expect.stringMatching(/^call_/),
  name: "bash",
  input: { kind: "json", raw: JSON.stringify({ command }) },
});

test("a command in a block becomes a call of the harness's own shell tool", async () => {
  const model = scripted([`I look.\n\n${block("ls\ncat a.txt")}`]);
  const events = await Array.fromAsync(fencedCalls(model.stream)(requestOf([userText("go")]), SIGNAL));
  expect(events.slice(1)).toEqual<unknown[]>([
    { type: "item", item: assistantText("I look.") },
    { type: "item", item: callOf("ls\ncat a.txt") },
    { type: "finished", stop: "tool_calls", usage: USAGE },
  ]);
});

test("the model is told the form, and sees its calls and their results in it", async () => {
  const model = scripted(["done"]);
  const items: Item[] = [
    userText("go"),
    { type: "tool_call", callId: "c1", name: "bash", input: { kind: "json", raw: '{"command":"ls"}' } },
    { type: "tool_result", callId: "c1", ok: true, content: [{ type: "input_text", text: "a.txt" }] },
  ];
  await itemsOf(fencedCalls(model.stream)(requestOf(items), SIGNAL));
  const [asked] = model.asked;
  expect(asked?.tools).toEqual([]);
  expect(asked?.instructions).toStartWith("Be brief.\n");
  expect(asked?.instructions).toContain(block("ls -la"));
  expect(
    asked?.items.map((item) => (item.type === "message" ? [item.role, textOf(item.content)] : item)),
  ).toEqual([
    ["user", "go"],
    ["assistant", block("ls")],
    ["user", "Result of the command:a.txt"],
  ]);
});

test("a model that begins without a block is reminded once, and the turn goes on", async () => {
  const model = scripted(["You should run ls.", block("ls")]);
  const items = await itemsOf(fencedCalls(model.stream)(requestOf([userText("go")]), SIGNAL));
  expect(items.map((item) => item.type)).toEqual(["message", "message", "tool_call"]);
  expect(model.asked[1]?.items).toHaveLength(3);
  const again = scripted(["Still no block."]);
  await itemsOf(fencedCalls(again.stream)(requestOf([...items.slice(0, 2), userText("more")]), SIGNAL));
  expect(again.asked).toHaveLength(1);
});

test("after a command has run, an answer without a block is the last one", async () => {
  const model = scripted(["All done."]);
  const items: Item[] = [
    userText("go"),
    { type: "tool_call", callId: "c1", name: "bash", input: { kind: "json", raw: '{"command":"ls"}' } },
    { type: "tool_result", callId: "c1", ok: true, content: [] },
  ];
  expect(await itemsOf(fencedCalls(model.stream)(requestOf(items), SIGNAL))).toEqual([
    assistantText("All done."),
  ]);
  expect(model.asked).toHaveLength(1);
});

test("without a tool that runs commands, nothing changes", async () => {
  const model = scripted([block("ls")]);
  await itemsOf(fencedCalls(model.stream)(requestOf([userText("go")], []), SIGNAL));
  expect(model.asked[0]?.instructions).toBe("Be brief.");
});

test("the first block counts: what follows it was made up", () => {
  expect(splitCommand(`${block("ls")}\nOutput: a\n${block("rm a")}`, false)).toEqual({
    command: "ls",
    rest: "",
  });
});

test("a block of another kind is an example, unless it is the whole answer", () => {
  expect(splitCommand(`Run it like this:\n${block("npm start", "bash")}`, false)).toBeUndefined();
  expect(splitCommand(block("x = 1", "python"), false)).toBeUndefined();
  expect(splitCommand(block("ls", "bash"), false)).toEqual({ command: "ls", rest: "" });
  expect(splitCommand(`${block("old", "bash")}\nso:\n${block("ls")}`, false)?.command).toBe("ls");
});

test("an open block is a command, but not when the answer was cut off", () => {
  expect(splitCommand("```do\nls", false)?.command).toBe("ls");
  expect(splitCommand("```do\nrm -r build/ol", true)).toBeUndefined();
});

test("a fence inside a longer fence is part of the script", () => {
  const script = "cat > a.md <<'EOF'\n```js\nx\n```\nEOF";
  expect(splitCommand(`\`\`\`\`do\n${script}\n\`\`\`\``, false)?.command).toBe(script);
});

test("a server that turns out to know no tools is asked in text from then on, and that is said once", async () => {
  const refused = new AppError(
    "model.rejected",
    "registry.ollama.ai/library/x:latest does not support tools",
  );
  let nativeAttempts = 0;
  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    if (request.tools.length > 0) {
      nativeAttempts += 1;
      throw refused;
    }
    yield { type: "item", item: assistantText(block("ls")) };
    yield { type: "finished", stop: "end" };
  }
  const ask = fencedWhenRefused(stream, async () => "x can't call tools");
  const first = await Array.fromAsync(ask(requestOf([userText("go")]), SIGNAL));
  expect(first[0]).toEqual({ type: "notice", message: "x can't call tools" });
  const second = await Array.fromAsync(ask(requestOf([userText("go")]), SIGNAL));
  expect(second[0]?.type).toBe("item");
  expect(nativeAttempts).toBe(1);
});

test("while an answer comes, its text is shown, and its block is not, however it is cut", () => {
  const text = `I use \`ls\`\nand then:\n\n${block("ls")}\nmore`;
  for (const size of [1, 2, 3, 7, 1000]) {
    const shown = new TextBeforeBlock();
    let seen = "";
    for (let at = 0; at < text.length; at += size) seen += shown.push(text.slice(at, at + size));
    expect(seen + shown.end()).toBe("I use `ls`\nand then:\n\n");
  }
  const only = new TextBeforeBlock();
  expect(only.push("```do") + only.end()).toBe("");
  const plain = new TextBeforeBlock();
  expect(plain.push("`code` is") + plain.push(" text") + plain.end()).toBe("`code` is text");
});
