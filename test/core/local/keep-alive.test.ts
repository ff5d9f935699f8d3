import { expect, test } from "bun:test";
import { keepAlive } from "../../../src/core/local/keep-alive.ts";

test("what OLLAMA_KEEP_ALIVE says is sent in a form that a request takes", () => {
  const values = ["300", "-1", "10m", "1h30m", ' "2h" ', "0"].map(keepAlive);
  expect(values).toEqual([300, -1, "10m", "1h30m", "2h", 0]);
});

test("without the variable, or with one that the server would not read, a model stays for half an hour", () => {
  expect([undefined, "", "soon", "5 m"].map(keepAlive)).toEqual(["30m", "30m", "30m", "30m"]);
});
