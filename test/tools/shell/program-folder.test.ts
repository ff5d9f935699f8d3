import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ProgramFolder } from "../../../src/tools/shell/program-folder.ts";
import { withFolderInScript, withFolderOnPath } from "../../../src/tools/shell/script-path.ts";

function tempState(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "state-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

test("the folder is made when it is first asked for, and nothing is left of it", () => {
  using state = tempState();
  {
    using programs = new ProgramFolder(state.path);
    expect(readdirSync(state.path)).toEqual([]);
    const path = programs.path() ?? "";
    expect({ files: readdirSync(path), again: programs.path() }).toEqual({
      files: ["apply_patch"],
      again: path,
    });
  }
  expect(readdirSync(state.path)).toEqual([]);
});

test("folders of processes that are gone are removed, those of others stay", () => {
  using state = tempState();
  using other = new ProgramFolder(state.path);
  const stays = other.path() ?? "";
  const gone = join(dirname(stays), `${2 ** 22 + 1}-aaaaaaaa`);
  mkdirSync(gone);
  using programs = new ProgramFolder(state.path);
  expect(programs.path()).toBeString();
  expect({ gone: existsSync(gone), stays: existsSync(stays) }).toEqual({ gone: false, stays: true });
});

test("where no folder can be made there is none", () => {
  using state = tempState();
  writeFileSync(join(state.path, "programs"), "in the way");
  using programs = new ProgramFolder(state.path);
  expect(programs.path()).toBeUndefined();
});

test("the folder goes to the front of PATH", () => {
  expect(withFolderOnPath({ PATH: "/bin", A: "1" }, "/p")).toEqual({ PATH: "/p:/bin", A: "1" });
  expect(withFolderOnPath({ A: "1" }, "/p")).toEqual({ PATH: "/p", A: "1" });
  expect(withFolderOnPath({ PATH: "/bin" }, undefined)).toEqual({ PATH: "/bin" });
});

const LOGIN = ["/bin/bash", "-lc"];
const SCRIPTS: [title: string, argv: string[], expected: string[]][] = [
  [
    "a login script that applies a patch gets the folder on its first line",
    [...LOGIN, "apply_patch <<'E'\nx\nE"],
    [...LOGIN, `PATH='/a b':"$PATH"; apply_patch <<'E'\nx\nE`],
  ],
  ["any other script stays as it is", [...LOGIN, "make patch"], [...LOGIN, "make patch"]],
  [
    "a script without a login has its PATH already",
    ["/bin/sh", "-c", "apply_patch x"],
    ["/bin/sh", "-c", "apply_patch x"],
  ],
];

for (const [title, argv, expected] of SCRIPTS) {
  test(title, () => expect(withFolderInScript(argv, "/a b")).toEqual(expected));
}
