import { expect, test } from "bun:test";
import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { harnessText } from "../../src/harness/load.ts";
import { readHarnessFile } from "../../src/harness/read-file.ts";
import { toErrorInfo } from "../../src/util/errors.ts";
import { tempHome } from "../support/home.ts";

function problemOf(lines: string): string {
  try {
    readHarnessFile("x.yaml", `id: x\nextends: native\n${lines}`);
  } catch (cause) {
    const { code, message } = toErrorInfo(cause);
    return `${code} ${message}`;
  }
  return "";
}

const run = (name: string) =>
  `  - { name: ${name}, description: R., native: shell, parameters: { type: object } }\n`;

test.each([
  ["that holds itself", "request: &r { body: { a: *r } }", /in themselves$/],
  [
    "that grows by its aliases",
    `vars:\n  a: &a [x, x]\n  b: &b [${"*a, ".repeat(20)}]\n  c: [${"*b, ".repeat(20)}]`,
    /alias count/,
  ],
  ["that is nested without end", `vars: ${"[".repeat(20_000)}`, /^config x\.yaml/],
  ["that is nested deeper than a harness is", `vars: ${"[".repeat(100)}${"]".repeat(100)}`, /60 deep/],
  ["with a second harness behind it", "---\nid: y\n", /^config x\.yaml:3:1: wanted one harness in a file/],
  [
    "with a tool twice",
    `tools:\n${run("a")}${run("b")}${run("a")}`,
    /tools\.2\.name: there is a tool a already$/,
  ],
  ["with a name for a path", `tools:\n${run('"../a"')}`, /tools\.0\.name: wanted up to 64 letters/],
  ["with a header of two lines", 'request: { headers: { x-a: "a\\r\\nx-b: b" } }', /x-a: wanted one line$/],
  ["with a header that has no name", 'request: { headers: { "x a": b } }', /wanted the name of a header$/],
])("a file %s is a mistake that is told", (_, lines, problem) => {
  expect(problemOf(lines)).toMatch(problem);
});

test("only an ordinary file of some size is read as a harness", async () => {
  await using home = await tempHome();
  const path = (name: string) => join(home.cwd, name);
  await writeFile(path("large.yaml"), "id: large\n");
  await truncate(path("large.yaml"), 50 * 1024 * 1024);
  await mkdir(path("folder.yaml"));
  Bun.spawnSync(["mkfifo", path("pipe.yaml")]);
  const problems = await Promise.all(
    ["large", "folder", "pipe", "none"].map((name) =>
      harnessText(path(`${name}.yaml`)).then(
        () => "read",
        (cause: unknown) => toErrorInfo(cause).message.replace(home.cwd, ""),
      ),
    ),
  );
  expect(problems).toEqual([
    "/large.yaml could not be read: it is larger than 1 MiB",
    "/folder.yaml could not be read: it is a folder",
    "/pipe.yaml could not be read: it is not an ordinary file",
    expect.stringContaining("/none.yaml could not be read: ENOENT"),
  ]);
});
