import { expect, test } from "bun:test";
import { environmentWithHome, parseDotEnv } from "../../src/cli/env.ts";
import { tempHome } from "../support/home.ts";

test("lines of .env may have export, quotes and comments", () => {
  expect(
    parseDotEnv(`# comment
A=1
export B = two words # why
C="x # y\\n\\"z\\""
D='raw \\n'
E=
not a line
`),
  ).toEqual({ A: "1", B: "two words", C: 'x # y\n"z"', D: "raw \\n", E: "" });
});

test("names of the program's own switches are left out", () => {
  expect(parseDotEnv("CODEX_API_KEY=1\nINTERPRETER_HOME=/x\ncodex_x=1\nOK=1\n")).toEqual({ OK: "1" });
});

test("the file in the settings folder completes the environment and never replaces it", async () => {
  await using home = await tempHome();
  await home.write("~/.env", "MY_KEY=file\nLANG=file\n");
  expect(environmentWithHome(home.env)).toEqual({ ...home.env, MY_KEY: "file" });
});

test("without the file the environment is what it was", async () => {
  await using home = await tempHome();
  expect(environmentWithHome(home.env)).toBe(home.env);
});
