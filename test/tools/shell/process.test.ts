import { expect, test } from "bun:test";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SpawnSpec } from "../../../src/protocol/policy.ts";
import { startProcess } from "../../../src/tools/shell/process.ts";
import { AppError } from "../../../src/util/errors.ts";
import { gone, isAlive } from "./support.ts";

const { PATH = "/usr/bin:/bin" } = process.env;

function spec(script: string, change: Partial<SpawnSpec> = {}): SpawnSpec {
  return {
    argv: ["/bin/bash", "-c", script],
    cwd: tmpdir(),
    env: { PATH },
    fds: [],
    release: () => {},
    ...change,
  };
}

async function finish(script: string): Promise<{ code: number; text: string }> {
  let text = "";
  const started = startProcess(spec(script), { tty: false }, (more) => {
    text += more;
  });
  const code = await started.ended;
  started.release();
  return { code, text };
}

test("both streams are read to the end and the exit code is told", async () => {
  const { code, text } = await finish("echo out; echo err >&2; exit 3");
  expect(code).toBe(3);
  expect(text.split("\n").sort()).toEqual(["", "err", "out"]);
});

test("a command that was killed by a signal ends with 128 and its number", async () => {
  expect((await finish("kill -SEGV $$")).code).toBe(139);
});

test("standard input is closed", async () => {
  const { text } = await finish("cat; echo cat-$?; read -r x; echo read-$?");
  expect(text).toBe("cat-0\nread-1\n");
});

test("bytes that are not UTF-8 are replaced, NUL and escape codes stay", async () => {
  expect((await finish("printf 'A\\377\\376B\\000C\\033[31mD'")).text).toBe("A\uFFFD\uFFFDB\0C\x1b[31mD");
});

test("a character that arrives in two halves is whole", async () => {
  expect((await finish("printf '\\360\\237'; sleep 0.1; printf '\\231\\202'")).text).toBe("🙂");
});

test("a byte order mark in output stays", async () => {
  expect((await finish("printf '\\357\\273\\277x'")).text).toBe("\uFEFFx");
});

for (const [how, prefix] of [
  ["in the background", ""],
  ["in a session of its own", "setsid "],
] as const) {
  test(`a child ${how} that holds the output does not hold the command`, async () => {
    const { code, text } = await finish(`${prefix}sleep 45 & echo $!`);
    const child = Number(text);
    expect(code).toBe(0);
    expect(isAlive(child)).toBe(true);
    process.kill(child, "SIGKILL");
    await gone(child);
  });
}

test("a child left in the background can go on writing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "background-"));
  const mark = join(folder, "survived");
  // A shell that writes to a pipe which nobody holds any more dies of SIGPIPE.
  let text = "";
  const started = startProcess(
    spec(`(sleep 0.2; echo a; echo b; touch ${mark}; exec sleep 45) & echo $!`),
    { tty: false },
    (more) => {
      text += more;
    },
  );
  expect(await started.ended).toBe(0);
  while (!existsSync(mark)) await Bun.sleep(10);
  started.release();
  process.kill(Number(text.split("\n")[0]), "SIGKILL");
  rmSync(folder, { recursive: true });
});

test("nothing is lost of a large output", async () => {
  const { text } = await finish("seq 1 50000");
  expect(text.length).toBe(288_894);
  expect(text.endsWith("\n49999\n50000\n")).toBe(true);
});

test("killing ends the whole tree", async () => {
  const names = Promise.withResolvers<number[]>();
  let text = "";
  const started = startProcess(
    spec("sleep 60 & echo $!; setsid sleep 60 & echo $!; wait"),
    { tty: false },
    (more) => {
      text += more;
      const found = text.match(/^(\d+)\n(\d+)\n$/);
      if (found) names.resolve([Number(found[1]), Number(found[2])]);
    },
  );
  const children = await names.promise;
  await started.kill();
  expect(await started.ended).toBeGreaterThan(128);
  await Promise.all(children.map(gone));
});

test("on a terminal a command sees one, can be written to, and Ctrl-C interrupts it", async () => {
  const heard = Promise.withResolvers<void>();
  let text = "";
  const started = startProcess(
    spec("test -t 0 && test -t 1 && stty size; read -r name; echo hello $name; exec sleep 60"),
    { tty: true },
    (more) => {
      text += more;
      if (text.includes("hello bob")) heard.resolve();
    },
  );
  expect(started.write("bob\n")).toBe(true);
  await heard.promise;
  started.interrupt();
  expect(await started.ended).toBe(130);
  expect(text).toContain("40 120\r\n");
  expect(started.write("late\n")).toBe(false);
});

test("without a terminal nothing can be written, but an interrupt arrives", async () => {
  const ready = Promise.withResolvers<void>();
  const started = startProcess(spec("echo ready; exec sleep 60"), { tty: false }, () => ready.resolve());
  await ready.promise;
  expect(started.write("x")).toBe(false);
  started.interrupt();
  expect(await started.ended).toBe(130);
});

for (const tty of [false, true]) {
  test(`descriptors of the sandbox begin at 3 and are released once ${tty ? "(terminal)" : "(pipes)"}`, async () => {
    const file = join(tmpdir(), `fd-${process.pid}-${tty}`);
    writeFileSync(file, "from the descriptor\n");
    const fd = openSync(file, "r");
    unlinkSync(file);
    let released = 0;
    let text = "";
    const started = startProcess(
      spec("cat <&3", {
        fds: [fd],
        release: () => {
          released++;
          closeSync(fd);
        },
      }),
      { tty },
      (more) => {
        text += more;
      },
    );
    expect(await started.ended).toBe(0);
    expect(text.trim()).toBe("from the descriptor");
    expect(released).toBe(1);
  });
}

test("a program that can't be started is named, and what it held is released", () => {
  let released = 0;
  const bad = spec("", { argv: ["/no/such/program"], release: () => void released++ });
  expect(() => startProcess(bad, { tty: false }, () => {})).toThrow("/no/such/program could not be started");
  expect(released).toBe(1);
});

test("a command line beyond the system's limit says what to do instead", () => {
  try {
    startProcess(spec(`: ${"x".repeat(200_000)}`), { tty: false }, () => {});
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect({ code: error.code, message: error.message, hint: error.hint }).toEqual({
      code: "tool.failed",
      message: "the command line is too long for this system",
      hint: "write the script to a file and run that file",
    });
  }
});
