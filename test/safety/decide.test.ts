import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalSubject } from "../../src/protocol/approvals.ts";
import type { SandboxPolicy } from "../../src/protocol/policy.ts";
import type { ApprovalPolicy } from "../../src/protocol/settings.ts";
import { decide } from "../../src/safety/decide.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "decide-")));
afterAll(() => rmSync(root, { recursive: true }));
const work = join(root, "work");
const outside = join(root, "outside");
for (const folder of [work, outside, join(work, ".git")]) mkdirSync(folder);
writeFileSync(join(outside, "kept.txt"), "kept\n");
symlinkSync(outside, join(work, "way-out"));

const workspace: SandboxPolicy = {
  mode: "restricted",
  read: "everything",
  write: [work],
  protect: [join(work, ".git")],
  deny: [join(work, "secret")],
  network: false,
};
const readOnly: SandboxPolicy = { ...workspace, write: [], protect: [] };
const patch: ApprovalSubject = { kind: "patch", changes: [] };
const command: ApprovalSubject = { kind: "command", argv: ["true"], cwd: work };

const writes = (path: string, policy: SandboxPolicy, approvals: ApprovalPolicy) =>
  decide({ access: { writes: [path] }, subject: patch, approvals, policy });

test("a patch inside the workspace runs, also for a file that does not exist yet", () => {
  expect(writes(join(work, "a/b/new.txt"), workspace, "never")).toEqual({
    verdict: "run",
    policy: workspace,
  });
});

test.each([
  ["outside", join(outside, "new.txt")],
  ["through a link that leads out", join(work, "way-out", "new.txt")],
  ["over dots that lead out", `${work}/../outside/new.txt`],
  ["inside a protected folder", join(work, ".git", "hooks", "pre-commit")],
  ["at a denied path", join(work, "secret")],
])("a patch %s is refused when nobody can be asked", (_, path) => {
  const verdict = writes(path, workspace, "never");
  expect(verdict).toMatchObject({ verdict: "refuse" });
  expect(verdict.verdict === "refuse" && verdict.text).toContain(
    "patch rejected: writing outside of the project; rejected by user approval settings",
  );
});

test("the repository that a .git file leads to is protected, and what it shares with another one", () => {
  const linked = join(root, "linked");
  const settings = join(linked, "store", "worktrees", "linked");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(linked, ".git"), "gitdir: store/worktrees/linked\n");
  writeFileSync(join(settings, "commondir"), "../..\n");
  const policy: SandboxPolicy = { ...workspace, write: [linked], protect: [join(linked, ".git")] };
  const verdicts = [
    join(settings, "config"),
    join(linked, "store/hooks/pre-commit"),
    join(linked, "a.txt"),
  ].map((path) => writes(path, policy, "never").verdict);
  expect(verdicts).toEqual(["refuse", "refuse", "run"]);
});

test("a patch in a read-only session says that it is read-only", () => {
  const verdict = writes(join(work, "a.txt"), readOnly, "never");
  expect(verdict.verdict === "refuse" && verdict.text).toContain("writing is blocked by read-only sandbox");
});

test("a patch outside is asked about where somebody can be asked, and a yes lifts the sandbox for it", () => {
  expect(writes(join(outside, "x"), workspace, "on-request")).toMatchObject({
    verdict: "ask",
    policy: { mode: "off" },
  });
});

test("a command stays in the sandbox, whoever asks for it", () => {
  const question = { access: {}, subject: command, policy: workspace };
  expect(decide({ ...question, approvals: "never" })).toEqual({ verdict: "run", policy: workspace });
  expect(decide({ ...question, approvals: "on-request" })).toEqual({ verdict: "run", policy: workspace });
  expect(decide({ ...question, approvals: "untrusted" })).toMatchObject({
    verdict: "ask",
    policy: workspace,
  });
});

test("leaving the sandbox is refused when nobody can be asked, else asked with the model's reason", () => {
  const question = {
    access: {},
    subject: command,
    policy: workspace,
    escalate: { justification: "needs npm" },
  };
  expect(decide({ ...question, approvals: "never" })).toMatchObject({ verdict: "refuse" });
  expect(decide({ ...question, approvals: "on-request" })).toEqual({
    verdict: "ask",
    reason: "needs npm",
    policy: { mode: "off" },
  });
});

test("a denied file is not read by our own tools either", () => {
  const subject: ApprovalSubject = { kind: "permissions", access: {} };
  const read = (path: string) =>
    decide({ access: { reads: [path] }, subject, approvals: "never", policy: readOnly });
  expect(read(join(work, "secret"))).toMatchObject({ verdict: "refuse" });
  expect(read(join(work, "open.txt"))).toEqual({ verdict: "run", policy: readOnly });
});

test("an MCP tool with side effects needs somebody's yes, or no sandbox at all", () => {
  const subject: ApprovalSubject = { kind: "mcp", server: "s", tool: "t", input: {} };
  const question = { access: {}, subject, policy: workspace };
  expect(decide({ ...question, approvals: "never" })).toEqual({
    verdict: "refuse",
    text: "MCP tool call requires approval, but approval policy is never",
  });
  expect(decide({ ...question, approvals: "on-request" })).toMatchObject({ verdict: "ask" });
  expect(decide({ ...question, approvals: "never", isTrustedMcpTool: true })).toMatchObject({
    verdict: "run",
  });
  expect(decide({ ...question, approvals: "never", policy: { mode: "off" } })).toMatchObject({
    verdict: "run",
  });
});

test("while the model plans, what may change something is refused, also what was allowed before", () => {
  const mcp: ApprovalSubject = { kind: "mcp", server: "s", tool: "t", input: {} };
  const planning = { access: {}, approvals: "on-request", policy: readOnly, isPlanning: true } as const;
  const verdicts = [
    decide({ ...planning, subject: mcp, isTrustedMcpTool: true }),
    decide({ ...planning, subject: mcp, policy: { mode: "off" } }),
    decide({ ...planning, subject: mcp, isTrustedMcpTool: true, isReadingMcpTool: true }),
    decide({ ...planning, subject: command, escalate: {} }),
    decide({ ...planning, subject: command }),
    decide({
      ...planning,
      subject: patch,
      access: { writes: [join(work, "a.txt")] },
      policy: { mode: "off" },
    }),
  ];
  expect(verdicts.map(({ verdict }) => verdict)).toEqual([
    "refuse",
    "refuse",
    "run",
    "refuse",
    "run",
    "refuse",
  ]);
});
