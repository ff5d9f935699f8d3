import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namedShell, shellArgv, userShell } from "../../../src/tools/shell/detect.ts";

function folderWith(...names: string[]) {
  const path = mkdtempSync(join(tmpdir(), "shells-"));
  for (const name of names) {
    writeFileSync(join(path, name), "#!/bin/sh\n");
    chmodSync(join(path, name), 0o755);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

test("the user's own POSIX shell is used", () => {
  using folder = folderWith("zsh");
  const own = join(folder.path, "zsh");
  expect(userShell({ SHELL: own, PATH: "/usr/bin:/bin" })).toEqual({ path: own, kind: "posix" });
});

test("a shell that does not exist, is not executable or is not POSIX gives way to bash", () => {
  using folder = folderWith("fish", "zsh", "bash");
  chmodSync(join(folder.path, "zsh"), 0o644);
  const bash = { path: join(folder.path, "bash"), kind: "posix" as const };
  for (const SHELL of [
    "/usr/bin/fish-not-here",
    "/no/such/bash",
    join(folder.path, "zsh"),
    join(folder.path, "fish"),
  ]) {
    expect(userShell({ SHELL, PATH: folder.path })).toEqual(bash);
  }
});

test("without SHELL and PATH there is still a shell", () => {
  const { path } = userShell({});
  expect(Bun.spawnSync([path, "-c", "echo $((6*7))"]).stdout.toString()).toBe("42\n");
});

test("a shell can be asked for by name, but only one that exists", () => {
  using folder = folderWith("dash");
  expect(namedShell("dash", { PATH: folder.path })).toEqual({
    path: join(folder.path, "dash"),
    kind: "posix",
  });
  expect(namedShell("ksh", { PATH: folder.path })).toBeUndefined();
  expect(namedShell("python3", { PATH: "/usr/bin" })).toBeUndefined();
});

test("a command is one argument, in a login shell unless told otherwise", () => {
  const shell = { path: "/bin/bash", kind: "posix" } as const;
  expect(shellArgv(shell, "a; b", true)).toEqual(["/bin/bash", "-lc", "a; b"]);
  expect(shellArgv(shell, "a; b", false)).toEqual(["/bin/bash", "-c", "a; b"]);
});
