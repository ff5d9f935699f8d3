import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { helperHeaders } from "../../../src/extensions/mcp/headers-helper.ts";

const run = (command: string | string[], env: Record<string, string> = {}) =>
  helperHeaders({ command, cwd: tmpdir(), env: { PATH: process.env["PATH"] ?? "", ...env } });

test("headers come as lines or as JSON, from a script or a program", async () => {
  expect(await run("echo X-Key: $KEY; echo; echo 'X-Time:  now '", { KEY: "k:1" })).toEqual({
    "X-Key": "k:1",
    "X-Time": "now",
  });
  expect(await run(["printf", '{"Authorization": "Bearer t"}'])).toEqual({ Authorization: "Bearer t" });
  expect(await run("true")).toEqual({});
});

test.each([
  ["exit 3", "ended with code 3"],
  ["echo secret words", "printed something that is not a header"],
  ["echo '{\"A\": 1}'", "printed something that is not a header"],
  ["head -c 70000 /dev/zero | tr '\\\\0' a", "printed more than 64 KiB"],
])("what is not a list of headers is refused without being shown: %s", async (command, problem) => {
  const message = await run(command).catch((cause: Error) => cause.message);
  expect(message).toBe(`the program of http_headers_helper should print headers but ${problem}`);
});

test("a program that can't be started is told", async () => {
  const message = await run(["/nowhere/helper"]).catch((cause: Error) => cause.message);
  expect(message).toStartWith(
    "the program of http_headers_helper should print headers but could not be started",
  );
});
