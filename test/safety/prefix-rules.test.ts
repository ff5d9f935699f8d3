import { expect, test } from "bun:test";
import { ApprovalMemory } from "../../src/safety/approvals.ts";
import { offeredRule } from "../../src/safety/prefix-rules.ts";

const argv = (script: string) => ["/bin/bash", "-lc", script];

test.each([
  ["npm install left-pad", [], ["npm", "install"]],
  ["pytest tests/a.py", [], ["pytest"]],
  ["cargo build --release", [], ["cargo", "build"]],
  ["cargo build --release", ["cargo"], ["cargo", "build"]],
  ["terraform plan -out x y", ["terraform", "plan", "-out"], ["terraform", "plan", "-out"]],
  ["terraform plan x", ["rm"], ["terraform", "plan"]],
])("%j with the model's proposal %j offers %j", (script, proposed, rule) => {
  expect(offeredRule(argv(script), proposed)).toEqual(rule);
});

test.each([
  "make",
  "./build.sh fast",
  "tools/check a b",
  "/tmp/made a b",
  "cp a b",
  "gradle build x",
  "rm -rf build",
  "sudo apt install x",
  "bash script.sh",
  "python3 -c 1",
  "python3.12 a.py",
  "npm run build it",
  "npx thing x",
  "git push origin",
  "curl https://example.invalid x",
  "env npm install x",
  "npm install x | tee log",
  "npm install x; rm y",
])("%j offers nothing", (script) => {
  expect(offeredRule(argv(script))).toBeUndefined();
  expect(offeredRule(argv(script), [script.split(" ")[0] ?? ""])).toBeUndefined();
});

test("a rule covers plain commands of its folder that begin so, and no others", () => {
  const memory = new ApprovalMemory();
  const asks = (script: string, cwd = "/w") => memory.covers({ kind: "command", argv: argv(script), cwd });
  const subject = { kind: "command", argv: argv("npm install a"), cwd: "/w" } as const;
  memory.note(
    { ...subject, argv: [...subject.argv] },
    { decision: "approved_with_rule", rule: ["npm", "install"] },
  );
  expect(asks("npm install b")).toBe(true);
  expect(asks("npm install b", "/other")).toBe(false);
  expect(asks("npm ci")).toBe(false);
  expect(asks("npm install b && rm -rf /")).toBe(false);
  expect(asks("npm install $(rm x)")).toBe(false);
});

test("what can't be a rule is none, whoever says so", () => {
  const memory = new ApprovalMemory();
  const subject = { kind: "command", argv: argv("rm a"), cwd: "/w" } as const;
  memory.note({ ...subject, argv: [...subject.argv] }, { decision: "approved_with_rule", rule: ["rm"] });
  expect(memory.covers({ ...subject, argv: argv("rm b") })).toBe(false);
});
