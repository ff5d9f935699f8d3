import { expect, test } from "bun:test";
import { toErrorInfo } from "../../../src/util/errors.ts";
import { callText, start, testServer } from "./support.ts";

const never = new AbortController().signal;
const SEES = { images: true };

test("prompts of servers are commands with names that fit, and say what they take", async () => {
  await using started = await start({ "my.server": testServer(["prompts"]), none: testServer() });
  expect(started.clients.prompts()).toEqual([
    { name: "mcp__my_server__review_code", about: "Reviews code", hint: "file [about]" },
    { name: "mcp__my_server__plain", about: "plain" },
  ]);
  expect(started.clients.statuses().map(({ prompts }) => prompts)).toEqual([["review code", "plain"], []]);
});

const WRITTEN: [string, Record<string, string>][] = [
  ["a.ts", { file: "a.ts" }],
  ["a.ts its errors, please", { file: "a.ts", about: "its errors, please" }],
  ['"my file.ts" errors', { file: "my file.ts", about: "errors" }],
  ["'a b' \"c d\"", { file: "a b", about: "c d" }],
];

test.each(WRITTEN)(
  "what is written behind a command are its arguments in order: %s",
  async (written, values) => {
    await using started = await start({ t: testServer(["prompts"]) });
    expect(await started.clients.fillPrompt("mcp__t__review_code", written, SEES, never)).toEqual([
      { type: "input_text", text: `review code ${JSON.stringify(values)}` },
      { type: "input_text", text: "<assistant>\nWith pleasure.\n</assistant>" },
      { type: "input_image", imageUrl: "data:image/png;base64,iVBORw0KGgo=" },
    ]);
  },
);

test("an argument that is needed and missing is named, and nothing is asked of the server", async () => {
  await using started = await start({ t: testServer(["prompts"]) });
  const filled = started.clients.fillPrompt("mcp__t__review_code", " ", SEES, never);
  expect(toErrorInfo(await filled.catch((cause) => cause))).toMatchObject({
    code: "usage",
    message: "/mcp__t__review_code wants file",
    hint: "write /mcp__t__review_code file [about]",
  });
});

test("prompts that a server adds later are there at the next look, and somebody is told", async () => {
  await using started = await start({ t: testServer(["prompts"]) });
  const { clients } = started;
  const { promise, resolve } = Promise.withResolvers<void>();
  clients.onChange(() => {
    if (clients.prompts().length === 3) resolve();
  });
  expect(await callText(clients, "announce")).toBe("announced");
  await promise;
  expect(clients.prompts().at(-1)?.name).toBe("mcp__t__late");
});
