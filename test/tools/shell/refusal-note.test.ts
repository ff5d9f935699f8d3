import { expect, test } from "bun:test";
import type { SandboxPolicy } from "../../../src/protocol/policy.ts";
import { exec } from "../../../src/tools/exec.ts";
import { refusalNote } from "../../../src/tools/shell/refusal-note.ts";
import { bench, openSandbox, outputIn } from "./support.ts";

const restricted: SandboxPolicy = {
  mode: "restricted",
  read: "everything",
  write: ["/w", "/tmp"],
  protect: [],
  deny: [],
  network: false,
};
const strict = { ...openSandbox, denied: ({ exitCode }: { exitCode: number }) => exitCode !== 0 };

test("a refused write names the line, what is writable and how to allow more", () => {
  const output = "start\nmkdir: cannot create directory '/h/.npm': Read-only file system\nnpm-rc=1\n";
  const note =
    "(the sandbox refused: mkdir: cannot create directory '/h/.npm': Read-only file system; writable are /w, /tmp; --add-dir FOLDER or sandbox_workspace_write.writable_roots allows more, or the user can approve running the command outside the sandbox)";
  expect(refusalNote({ exitCode: 1, output }, restricted, strict)).toBe(note);
  expect(refusalNote({ exitCode: 0, output }, restricted, strict)).toBe(note);
});

test("in read-only mode the note says so", () => {
  const output = "touch: cannot touch 'x': Read-only file system";
  expect(refusalNote({ exitCode: 1, output }, { ...restricted, write: [] }, strict)).toContain(
    "nothing is writable in read-only mode",
  );
});

test("a network that is off is named when a command fails for want of it", () => {
  const output = "curl: (6) Could not resolve host: example.org\n";
  expect(refusalNote({ exitCode: 6, output }, restricted, strict)).toContain(
    "(the sandbox refused: curl: (6) Could not resolve host: example.org; network access is off,",
  );
  expect(refusalNote({ exitCode: 0, output }, restricted, strict)).toBeUndefined();
  expect(refusalNote({ exitCode: 6, output }, { ...restricted, network: true }, openSandbox)).toBeUndefined();
});

test("a denial that may have another reason is told as a possibility", () => {
  expect(refusalNote({ exitCode: 1, output: "x: Permission denied" }, restricted, strict)).toStartWith(
    "(the sandbox may have refused this: x: Permission denied; ",
  );
  expect(refusalNote({ exitCode: 159, output: "" }, restricted, strict)).toStartWith(
    "(the sandbox may have refused this: exit code 159; ",
  );
});

test("nothing is said when the sandbox has no part in it", () => {
  const denied = "./run.sh: Permission denied";
  expect(refusalNote({ exitCode: 126, output: denied }, restricted, strict)).toBeUndefined();
  expect(refusalNote({ exitCode: 0, output: denied }, restricted, strict)).toBeUndefined();
  expect(refusalNote({ exitCode: 1, output: denied }, { mode: "off" }, strict)).toBeUndefined();
  expect(refusalNote({ exitCode: 1, output: "1 test failed" }, restricted, openSandbox)).toBeUndefined();
});

test("the note stands on a line of its own after the output", async () => {
  await using b = bench({ policy: restricted });
  const result = await b.call(exec, { command: "printf 'x: Read-only file system'" });
  expect(outputIn(result)).toMatch(/^x: Read-only file system\n\(the sandbox refused: x: .*\)$/);
});
