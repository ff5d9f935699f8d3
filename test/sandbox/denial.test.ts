import { expect, test } from "bun:test";
import { denial } from "../../src/sandbox/denial.ts";

test("success is never a refusal, whatever was printed", () => {
  expect(denial({ exitCode: 0, output: "Permission denied" })).toBeUndefined();
});

test("a failure without a telling word is the command's own", () => {
  for (const exitCode of [1, 2, 126, 127]) {
    expect(denial({ exitCode, output: "no such file or directory" })).toBeUndefined();
  }
});

test("a call that the filter ends is a refusal without words", () => {
  expect(denial({ exitCode: 159, output: "" })).toEqual({ snippet: "" });
});

const MESSAGES: [line: string, path: string | undefined][] = [
  ["cp: cannot create regular file '/etc/x y': Read-only file system", "/etc/x y"],
  ["mkdir: cannot create directory ‘/root/.npm’: Read-only file system", "/root/.npm"],
  ["sh: 1: cannot create /home/me/no.txt: Read-only file system", "/home/me/no.txt"],
  ["bash: line 1: ../out/x: Permission denied", "../out/x"],
  ["fatal: Unable to create '/r/.git/index.lock': Read-only file system", "/r/.git/index.lock"],
  ["PermissionError: [Errno 1] Operation not permitted: '/a/b'", "/a/b"],
  ["Error: EROFS: read-only file system, open '/a/b.txt'", "/a/b.txt"],
  ["touch: cannot touch 'x': Read-only file system", undefined],
  ["socket: Operation not permitted", undefined],
  ["thread panicked: seccomp filter", undefined],
];

for (const [line, path] of MESSAGES) {
  test(`the refusal is recognised in: ${line}`, () => {
    const output = `starting\n${line}\r\nstopping\n`;
    expect(denial({ exitCode: 2, output })).toEqual({
      ...(path === undefined ? {} : { path }),
      snippet: line,
    });
  });
}

test("of several lines the last one counts, and a long one is cut", () => {
  const output = `a: permission denied\nb: permission denied ${"x".repeat(600)}\n`;
  expect(denial({ exitCode: 1, output })?.snippet).toBe(`b: permission denied ${"x".repeat(491)}`);
});
