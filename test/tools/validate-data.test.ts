import { expect, test } from "bun:test";
import { validateData } from "../../src/tools/validate-data.ts";
import { workbench } from "./files/workbench.ts";

test("a file is checked as what its name says, a text as anything that fits", async () => {
  await using bench = await workbench({ "a.json": "[1]", "a.toml": "a = 1\n", "b.json": "a = 1\n" });
  const ask = (input: object) => bench.ask(validateData, input);
  expect(await ask({ path: "a.json" })).toBe("valid JSON");
  expect(await ask({ path: "a.toml" })).toBe("valid TOML");
  expect(await ask({ path: "b.json" })).toStartWith("not valid as JSON: ");
  expect(await ask({ path: "b.json", format: "toml" })).toBe("valid TOML");
  expect(await ask({ content: "a = 1" })).toBe("valid TOML");
  expect(await ask({ path: "none.json" })).toContain("can't be read");
  expect(await ask({})).toBe("wanted a path or a content");
});

test.skipIf(process.platform === "win32")("a pipe is not read: it might never end", async () => {
  await using bench = await workbench({});
  Bun.spawnSync(["mkfifo", bench.path("a.json")]);
  expect(await bench.ask(validateData, { path: "a.json" })).toBe(
    `${bench.path("a.json")} can't be read: it is not an ordinary file`,
  );
});
