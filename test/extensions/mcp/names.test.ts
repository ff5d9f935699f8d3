import { expect, test } from "bun:test";
import { modelName } from "../../../src/extensions/mcp/names.ts";
import { callText, start, testServer } from "./support.ts";

test("every name a model sees is short, plain and its own, and leads back to the server's name", async () => {
  await using started = await start({ t: testServer(["odd"]) });
  const tools = started.clients.tools();
  const names = tools.map(({ wire }) => wire.name);
  expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(4);
  expect(tools.map(({ tool }) => tool)).toEqual(["no.dots/or slashes", "x".repeat(80), "a b", "a.b"]);
  expect(names.slice(0, 3)).toEqual([
    "mcp__t__no_dots_or_slashes",
    expect.stringMatching(/^mcp__t__x{43}_[0-9a-f]{12}$/),
    "mcp__t__a_b",
  ]);
  expect(await callText(started.clients, tools[0]?.tool ?? "")).toBe("called no.dots/or slashes");
});

test("two names that only differ in replaced characters stay apart", () => {
  const first = modelName("s", "a.b", new Set());
  expect(modelName("s", "a b", new Set([first]))).toMatch(/^mcp__s__a_b_[0-9a-f]{12}$/);
});

test("a tool that is listed again and again gets another name each time", () => {
  const taken = new Set<string>();
  for (let time = 0; time < 5; time += 1) taken.add(modelName("s", "a", taken));
  expect([...taken]).toEqual([
    "mcp__s__a",
    ...Array(4).fill(expect.stringMatching(/^mcp__s__a_[0-9a-f]{12}$/)),
  ]);
});

test("a description that would fill a window is cut", async () => {
  await using started = await start({ t: testServer(["wordy"]) });
  expect(started.clients.tools().map(({ wire }) => wire.description)).toEqual(["w".repeat(16_384)]);
});

test("enabled_tools and disabled_tools choose by the server's own names", async () => {
  const config = testServer([], { enabled_tools: ["echo", "env"], disabled_tools: ["env"] });
  await using started = await start({ t: config });
  expect(started.clients.tools().map(({ tool }) => tool)).toEqual(["echo"]);
});
