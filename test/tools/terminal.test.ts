import { expect, setDefaultTimeout, test } from "bun:test";
import { shellSession } from "../../src/tools/shell-session.ts";
import { terminal } from "../../src/tools/terminal.ts";
import { workbench } from "./files/workbench.ts";

setDefaultTimeout(120_000);

const typing = (keystrokes: string, duration = 10) => ({ commands: [{ keystrokes, duration }] });

test("folder and variables last from call to call", async () => {
  await using bench = await workbench({ "sub/a.txt": "alpha" });
  const first = await bench.call(terminal, typing("cd sub; WORD=plum\n"));
  const second = await bench.call(terminal, typing('echo "[$WORD]"; pwd\n'));
  expect([first.fields?.["isNew"], second.fields?.["isNew"]]).toEqual([true, false]);
  expect(String(second.fields?.["output"])).toContain(`\n[plum]\n${bench.path("sub")}\n`);
  await bench.ctx.memory.dispose();
});

test("a program that waits for input gets what is typed next", async () => {
  await using bench = await workbench();
  await bench.call(terminal, typing("read -r NAME\n", 0.2));
  expect(await bench.ask(terminal, typing('plum\necho "<$NAME>"\n'))).toMatch(/(?:^|[$#\s])<plum>\n/);
  await bench.ctx.memory.dispose();
});

test("Ctrl-C ends what runs, and a shell that has ended is replaced", async () => {
  await using bench = await workbench();
  const stopped = await bench.call(terminal, {
    commands: [
      { keystrokes: "read -r NAME\n", duration: 0.2 },
      { keystrokes: "C-c" },
      { keystrokes: "echo $?\n" },
    ],
  });
  expect(String(stopped.fields?.["output"])).toContain("\n130\n");
  const left = await bench.call(terminal, typing("exit\n"));
  expect(left.fields?.["ended"]).toBe(true);
  expect((await bench.call(terminal, typing("echo hi\n"))).fields?.["isNew"]).toBe(true);
  await bench.ctx.memory.dispose();
});

test("a shell that was opened under another policy is not used on", async () => {
  await using bench = await workbench();
  await bench.call(terminal, typing("WORD=plum\n"));
  const policy = { mode: "external", network: false } as const;
  const result = await bench.call(terminal, typing('echo "[$WORD]"\n'), { policy });
  expect([result.fields?.["isNew"], String(result.fields?.["output"]).includes("\n[]\n")]).toEqual([
    true,
    true,
  ]);
  await bench.ctx.memory.dispose();
});

test("long output loses its middle, and a line that no terminal takes is refused", async () => {
  await using bench = await workbench();
  const long = await bench.call(terminal, {
    ...typing("for i in {1..5000}; do echo $i; done\n"),
    maxBytes: 200,
  });
  expect(String(long.fields?.["output"])).toMatch(/done\n[\s\S]+chars truncated[\s\S]+5000\n/);
  expect(await bench.ask(terminal, typing(`echo ${"x".repeat(5000)}\n`))).toContain("more than 4000 bytes");
  expect(await bench.ask(shellSession, { action: "run", command: "x".repeat(5000) })).toContain("4000 bytes");
  await bench.ctx.memory.dispose();
});

test("what is typed is what policy and the user decide about", async () => {
  await using bench = await workbench();
  const { access, shown } = await bench.ready(terminal, typing("rm -r x\n"));
  expect(access.argv?.slice(1)).toEqual(["-c", "rm -r x\n"]);
  expect(shown).toMatchObject({ kind: "command", command: "rm -r x" });
});

test("a command that writes without end is left running, and only a part of it is kept", async () => {
  await using bench = await workbench();
  const flood = typing("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done\n", 0.5);
  const result = await bench.call(terminal, flood);
  expect(String(result.fields?.["output"]).length).toBeLessThan(11_000);
  const stopped = await bench.call(terminal, {
    commands: [{ keystrokes: "C-c" }, { keystrokes: "echo $?\n" }],
  });
  expect(String(stopped.fields?.["output"])).toContain("\n130\n");
  await bench.ctx.memory.dispose();
});
