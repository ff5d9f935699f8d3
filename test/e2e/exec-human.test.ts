import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bodyOf, exec, execText, useServer } from "../support/exec.ts";
import { answers, calls, type FakeTurn, refuses, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const OPEN = ["-s", "danger-full-access"];
const ESC = "\u001b";

async function withServer<T>(turns: readonly FakeTurn[], body: (home: TempHome) => Promise<T>): Promise<T> {
  await using home = await tempHome();
  await using server = startFakeServer(turns);
  await useServer(home, server, { provider: "request_max_retries = 0\nstream_max_retries = 0" });
  return await body(home);
}

test("stdout is the last message and nothing else; everything else is on stderr", async () => {
  const turns = [
    answers(
      { type: "text", text: "Looking." },
      { type: "call", name: "exec_command", input: { cmd: "echo out; exit 4" } },
    ),
    says("All done."),
  ];
  const { stdout, stderr, exitCode } = await withServer(turns, (home) => execText(home, [...OPEN, "go"]));
  expect({ stdout, exitCode }).toEqual({ stdout: "All done.\n", exitCode: 0 });
  for (const piece of [
    "Looking.",
    "echo out; exit 4",
    "exited 4",
    "out\n",
    "tokens used\n30\n",
    "All done.",
  ]) {
    expect(stderr).toContain(piece);
  }
});

test("the banner says where, with which model and under which rules the run works", async () => {
  const { stderr, cwd } = await withServer([says("ok")], async (home) => ({
    ...(await execText(home, ["go"])),
    cwd: home.cwd,
  }));
  for (const line of [
    `workdir: ${cwd}`,
    "model: fake-1",
    "provider: fake",
    "approval: never",
    "sandbox: read-only",
  ]) {
    expect(stderr.split("\n")).toContain(line);
  }
  expect(stderr).toMatch(/^session id: [0-9a-f-]{36}$/m);
});

test("a failed turn says why on stderr, with what to do, and prints no answer", async () => {
  const turns = [refuses(404, { error: { message: "no such model" } })];
  const { stdout, stderr, exitCode } = await withServer(turns, (home) => execText(home, ["go"]));
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  expect(stderr).toMatch(/ERROR: .*404.*no such model/);
  expect(stderr).toContain("check base_url");
});

test("text of models and commands can't drive the reader's terminal", async () => {
  const evil = `${ESC}]0;title\u0007${ESC}[2Jtext\u009b31m`;
  const turns = [
    answers(
      { type: "text", text: evil },
      { type: "call", name: "exec_command", input: { cmd: "printf '\\033[2Jx'" } },
    ),
    says("fine"),
  ];
  const { stderr } = await withServer(turns, (home) => execText(home, [...OPEN, "go"]));
  expect([ESC, "\u0007", "\u009b"].filter((character) => stderr.includes(character))).toEqual([]);
});

const COLORS: [title: string, args: string[], env: Record<string, string>, isColored: boolean][] = [
  ["there are no colours where nobody looks", [], {}, false],
  ["--color always paints", ["--color", "always"], {}, true],
  ["--color never wins over FORCE_COLOR", ["--color", "never"], { FORCE_COLOR: "1" }, false],
  ["NO_COLOR wins over FORCE_COLOR", [], { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
];

for (const [title, args, env, isColored] of COLORS) {
  test(title, async () => {
    const { stderr, stdout } = await withServer([says("ok")], (home) =>
      execText(home, [...args, "go"], { env }),
    );
    expect({ stderr: stderr.includes(`${ESC}[`), stdout }).toEqual({ stderr: isColored, stdout: "ok\n" });
  });
}

test("-o writes the answer without a line end, below the folder the program was started in", async () => {
  await withServer([says("All done.")], async (home) => {
    const { stdout } = await execText(home, ["-o", "answer.txt", "go"]);
    expect({ stdout, file: await readFile(join(home.cwd, "answer.txt"), "utf8") }).toEqual({
      stdout: "All done.\n",
      file: "All done.",
    });
  });
});

test("-o does not follow --cd", async () => {
  await withServer([says("ok")], async (home) => {
    await home.write("sub/x", "");
    await exec(home, ["--cd", "sub", "-o", "answer.txt", "go"]);
    expect([existsSync(join(home.cwd, "answer.txt")), existsSync(join(home.cwd, "sub/answer.txt"))]).toEqual([
      true,
      false,
    ]);
  });
});

test("a turn without an answer empties the file of -o and says so", async () => {
  await withServer([answers()], async (home) => {
    await home.write("answer.txt", "of the last run");
    const { exitCode, stderr } = await exec(home, ["-o", "answer.txt", "go"]);
    expect({ exitCode, file: await readFile(join(home.cwd, "answer.txt"), "utf8") }).toEqual({
      exitCode: 0,
      file: "",
    });
    expect(stderr).toContain("there was no final answer");
  });
});

test("a file of -o that can't be written is an error; the answer is still printed", async () => {
  await withServer([says("All done.")], async (home) => {
    const { exitCode, stdout, stderr } = await execText(home, ["-o", "no/such/folder", "go"]);
    expect([exitCode, stdout]).toEqual([1, "All done.\n"]);
    expect(stderr).toContain("could not be written to no/such/folder");
  });
});

test("--output-schema is sent with every request of the turn, and the answer passes as it is", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([calls("exec_command", { cmd: "true" }), says('{"ok":1}')]);
  await useServer(home, server);
  const schema = { type: "object", properties: { ok: { type: "number" } }, required: ["ok"] };
  await home.write("schema.json", JSON.stringify(schema));
  const { stdout } = await execText(home, [...OPEN, "--output-schema", "schema.json", "go"]);
  expect(stdout).toBe('{"ok":1}\n');
  const format = { type: "json_schema", strict: true, schema, name: "codex_output_schema" };
  expect([0, 1].map((index) => bodyOf(server, index)["text"])).toEqual([{ format }, { format }]);
});

for (const [title, content] of [
  ["is missing", undefined],
  ["is not JSON", "{"],
  ["is not an object", "[]"],
] as const) {
  test(`a schema file that ${title} ends the run before anything is sent`, async () => {
    await using home = await tempHome();
    await using server = startFakeServer([]);
    await useServer(home, server);
    if (content !== undefined) await home.write("schema.json", content);
    const { exitCode, stdout, stderr } = await exec(home, ["--output-schema", "schema.json", "go"]);
    expect({ exitCode, stdout, requests: server.requests.length }).toEqual({
      exitCode: 1,
      stdout: "",
      requests: 0,
    });
    expect(stderr).toContain("schema.json");
  });
}
