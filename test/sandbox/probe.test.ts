import { expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { executablesNamed, explain, probeBwrap } from "../../src/sandbox/probe.ts";
import { tempFolder } from "./temp-folder.ts";

const UID_MAP = "bwrap: setting up uid map: Permission denied";

test("AppArmor's restriction is named, with what to do", () => {
  const settings = { "kernel/apparmor_restrict_unprivileged_userns": "1" };
  const probe = explain(UID_MAP, (name) => Object.entries(settings).find(([key]) => key === name)?.[1]);
  expect(probe).toEqual({
    ok: false,
    reason: `the sandbox can't start: ${UID_MAP} (AppArmor keeps unprivileged programs from user namespaces)`,
    hint: expect.stringContaining("bwrap-userns-restrict"),
  });
});

test("a kernel setting that forbids namespaces is named, with its remedy", () => {
  const remedies = ["kernel/unprivileged_userns_clone", "user/max_user_namespaces"].map((key) => {
    const probe = explain("bwrap: No permissions to create new namespace", (name) =>
      name === key ? "0" : undefined,
    );
    return probe.ok ? "" : probe.hint;
  });
  expect(remedies).toEqual([
    "set sysctl kernel.unprivileged_userns_clone=1",
    "set sysctl user.max_user_namespaces to a number such as 10000",
  ]);
});

test("without a known cause bwrap's own last line is shown", () => {
  const probe = explain("warning\nbwrap: Creating new namespace failed: Operation not permitted", () => "");
  expect(probe.ok ? "" : probe.reason).toBe(
    "the sandbox can't start: bwrap: Creating new namespace failed: Operation not permitted (user namespaces are not available here)",
  );
});

test("a bwrap that can mount no /proc is used without", async () => {
  await using temp = await tempFolder();
  const bwrap = await script(
    temp,
    `case "$*" in *--proc*) echo "bwrap: Can't mount proc on /newroot/proc: Operation not permitted" >&2; exit 1;; esac`,
  );
  expect(await probeBwrap(bwrap)).toEqual({ ok: true, ownProc: false });
});

test("a bwrap that fails is not usable, and says why", async () => {
  await using temp = await tempFolder();
  const probe = await probeBwrap(await script(temp, `echo "${UID_MAP}" >&2; exit 1`));
  expect(probe.ok ? "" : probe.reason).toContain(UID_MAP);
});

test("a program is looked for in absolute folders of PATH only, in their order", async () => {
  await using temp = await tempFolder();
  const first = await script(temp, "exit 0", "a/some-tool");
  const second = await script(temp, "exit 0", "b/some-tool");
  await temp.file("c/some-tool");
  const path = ["a", "b", "c"].map((name) => join(temp.path, name)).join(":");
  expect(executablesNamed("some-tool", `.:bin::${path}`)).toEqual([first, second]);
});

async function script(temp: Awaited<ReturnType<typeof tempFolder>>, body: string, name = "bwrap") {
  const file = await temp.file(name, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
  return file;
}
