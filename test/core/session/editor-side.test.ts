import { expect, test } from "bun:test";
import { editorBeside } from "../../../src/core/session/editor-side.ts";
import type { Sandbox, SandboxPolicy } from "../../../src/protocol/policy.ts";

const plain: Sandbox = {
  id: "none",
  available: async () => ({ ok: true }),
  wrap: async (command) => ({ ...command, fds: [], release() {} }),
  denied: () => false,
};
const CLOSED: SandboxPolicy = {
  mode: "restricted",
  read: "everything",
  write: [],
  protect: [],
  deny: [],
  network: false,
};

test("while a confined command runs, which could bend a path, the editor writes nothing", async () => {
  const { sandbox, editor } = editorBeside(plain, { write: async () => true });
  const command = { argv: ["sleep"], cwd: "/", env: {} };
  const wrap = (policy: SandboxPolicy) => sandbox.wrap(command, policy, { tty: false });
  expect(await editor.write?.("/a", "text")).toBe(true);
  const confined = await wrap(CLOSED);
  const free = await wrap({ mode: "off" });
  expect(await editor.write?.("/a", "text")).toBe(false);
  confined.release();
  expect(await editor.write?.("/a", "text")).toBe(true);
  free.release();
});

test("an editor that only reads only reads", () => {
  const { editor } = editorBeside(plain, { read: async () => "text" });
  expect(Object.keys(editor)).toEqual(["read"]);
});
