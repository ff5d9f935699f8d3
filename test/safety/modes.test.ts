import { expect, test } from "bun:test";
import { join } from "node:path";
import { type PolicyRequest, resolvePolicy } from "../../src/safety/modes.ts";
import { tempFolder } from "../sandbox/temp-folder.ts";

const NAMES = [".git", ".agents", ".codex", ".openinterpreter", ".aws"];
const PLAIN: PolicyRequest = { mode: "workspace-write", cwd: "/nowhere/ws", excludeSlashTmp: true };

test("danger-full-access has no sandbox, external-sandbox leaves it to somebody else", () => {
  expect(resolvePolicy({ ...PLAIN, mode: "danger-full-access" })).toEqual({ mode: "off" });
  expect(resolvePolicy({ ...PLAIN, mode: "external-sandbox", network: true })).toEqual({
    mode: "external",
    network: true,
  });
});

test("read-only writes nowhere and has no network, whatever else is set", () => {
  const request = { ...PLAIN, mode: "read-only", addDirs: ["/x"], network: true, deny: ["a.key"] } as const;
  expect(resolvePolicy(request)).toEqual({
    mode: "restricted",
    read: "everything",
    write: [],
    protect: [],
    deny: ["/nowhere/ws/a.key"],
    network: false,
  });
});

test("workspace-write opens the workspace and added folders, and protects the same names in each", () => {
  const request = { ...PLAIN, addDirs: ["../lib", "/nowhere/ws"], writableRoots: ["/nowhere/cache"] };
  expect(resolvePolicy({ ...request, network: true })).toEqual({
    mode: "restricted",
    read: "everything",
    write: ["/nowhere/ws", "/nowhere/lib", "/nowhere/cache"],
    protect: ["ws", "lib", "cache"].flatMap((root) => NAMES.map((name) => `/nowhere/${root}/${name}`)),
    deny: [],
    network: true,
  });
});

test("links are followed once, at the start", async () => {
  await using temp = await tempFolder();
  const real = await temp.folder("real");
  const link = await temp.link("link", "real");
  expect(written({ ...PLAIN, cwd: link })).toEqual([real]);
});

test("temporary folders are open unless they are excluded", async () => {
  await using temp = await tempFolder();
  const request = { ...PLAIN, excludeSlashTmp: false, tmpdir: temp.path };
  expect(written(request)).toEqual(["/nowhere/ws", "/tmp", temp.path]);
  expect(written({ ...request, excludeTmpdir: true })).toEqual(["/nowhere/ws", "/tmp"]);
  expect(written({ ...request, excludeSlashTmp: true })).toEqual(["/nowhere/ws", temp.path]);
});

test("a TMPDIR that is relative or the whole disk is not believed", () => {
  for (const tmpdir of ["tmp", "/", "/tmp/..", ""]) {
    expect(written({ ...PLAIN, tmpdir })).toEqual(["/nowhere/ws"]);
  }
});

test("in a temporary folder only the protected names that exist are kept", async () => {
  await using temp = await tempFolder();
  const git = await temp.folder(".git");
  expect(protectedIn({ ...PLAIN, tmpdir: temp.path }).filter((path) => path.startsWith(temp.path))).toEqual([
    git,
  ]);
  expect(protectedIn({ ...PLAIN, cwd: temp.path, tmpdir: temp.path })).toEqual(
    NAMES.map((name) => join(temp.path, name)),
  );
});

test("our own folder is protected where it lies in a writable one", () => {
  expect(protectedIn({ ...PLAIN, stateDir: "/nowhere/ws/state" }).at(-1)).toBe("/nowhere/ws/state");
});

test("the keys in our own folder are unreadable, also where the folder or a file of it is a link", async () => {
  await using temp = await tempFolder();
  const real = await temp.folder("dotfiles/home");
  const keys = await temp.file("dotfiles/keys.env", "KEY=1\n");
  await temp.link("dotfiles/home/.env", "../keys.env");
  const stateDir = await temp.link("home", "dotfiles/home");
  for (const mode of ["read-only", "workspace-write"] as const)
    expect(resolvePolicy({ ...PLAIN, mode, stateDir, deny: ["a.key"] })).toMatchObject({
      deny: ["/nowhere/ws/a.key", keys, join(real, "mcp-tokens.json")],
    });
});

test("a protected name that is asked for as a writable folder is writable", () => {
  const request = { ...PLAIN, addDirs: ["/nowhere/ws/.codex"] };
  expect(protectedIn(request)).not.toContain("/nowhere/ws/.codex");
});

test("rules of what to deny start in the workspace, whose name never acts as a pattern", () => {
  const request = { ...PLAIN, cwd: "/nowhere/[id]", deny: ["a.key", "**/*.env", "/etc/*.key"] };
  const policy = resolvePolicy(request);
  expect(policy.mode === "restricted" && policy.deny).toEqual([
    "/nowhere/[id]/a.key",
    "/nowhere/\\[id\\]/**/*.env",
    "/etc/*.key",
  ]);
});

function written(request: PolicyRequest): string[] {
  const policy = resolvePolicy(request);
  return policy.mode === "restricted" ? policy.write : [];
}

function protectedIn(request: PolicyRequest): string[] {
  const policy = resolvePolicy(request);
  return policy.mode === "restricted" ? policy.protect : [];
}
