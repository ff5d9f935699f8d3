import { expect, test } from "bun:test";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileIndex } from "../../../src/frontends/tui/file-index.ts";
import { InputHistory } from "../../../src/frontends/tui/input-history.ts";
import { readRequest } from "../../../src/frontends/tui/options.ts";
import { isLightBackground, themeOptions } from "../../../src/frontends/tui/theme-options.ts";
import { tempHome } from "../../support/home.ts";

test("files are found by scattered letters of their name or path, ignored ones are not", async () => {
  await using home = await tempHome();
  for (const name of [
    "src/util/fuzzy-finder.ts",
    "src/main.ts",
    "node_modules/x/fuzzy-finder.ts",
    "docs/a b.md",
  ]) {
    await mkdir(dirname(join(home.cwd, name)), { recursive: true });
    await writeFile(join(home.cwd, name), "");
  }
  const index = new FileIndex(home.cwd, new AbortController().signal);
  await index.whole;
  expect(index.find("fzfind")).toEqual(["src/util/fuzzy-finder.ts"]);
  expect(index.find("util/fuz")).toEqual(["src/util/fuzzy-finder.ts"]);
  expect(index.find("main.ts:10-20")).toEqual(["src/main.ts:10-20"]);
  expect(index.find("nothing")).toEqual([]);
});

test("a file's own name goes before its path", async () => {
  await using home = await tempHome();
  for (const name of ["model/wire.ts", "model.ts", "deep/er/model.ts"]) await home.write(name, "");
  const index = new FileIndex(home.cwd, new AbortController().signal);
  await index.whole;
  expect(index.find("model")).toEqual(["model.ts", "deep/er/model.ts", "model/wire.ts"]);
});

test("earlier input of this folder comes first, each text once, broken lines are left out", async () => {
  await using home = await tempHome();
  const line = (text: string, ts: number, cwd?: string) => JSON.stringify({ session_id: "s", ts, text, cwd });
  const lines = [
    line("old here", 1, "/here"),
    line("elsewhere", 2, "/there"),
    "{broken",
    line("old here", 3, "/here"),
  ];
  await home.write("~/history.jsonl", `${lines.join("\n")}\n`);
  const history = new InputHistory();
  const entries = await history.open({ home: home.path, isOn: true, maxBytes: undefined }, "/here");
  expect(entries.map(({ text, at }) => [text, at])).toEqual([
    ["old here", 3000],
    ["elsewhere", 2000],
  ]);
});

test("input is kept in a private file, the oldest dropped above the limit", async () => {
  await using home = await tempHome();
  const history = new InputHistory();
  await history.open({ home: home.path, isOn: true, maxBytes: 400 }, "/w");
  for (let i = 0; i < 10; i++) await history.add({ sessionId: "s", text: `entry ${i}`, cwd: "/w", at: 5000 });
  const file = join(home.path, "history.jsonl");
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  expect(lines.at(-1)).toBe('{"session_id":"s","ts":5,"text":"entry 9","cwd":"/w"}');
  expect(lines.length).toBeLessThan(8);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("of a giant history the newest entries are offered", async () => {
  await using home = await tempHome();
  const line = (n: number) =>
    JSON.stringify({ session_id: "s", ts: n, text: `${n} ${"x".repeat(1_000_000)}` });
  await home.write("~/history.jsonl", [1, 2, 3, 4, 5, 6].map((n) => `${line(n)}\n`).join(""));
  const entries = await new InputHistory().open({ home: home.path, isOn: true, maxBytes: undefined }, "/w");
  expect(entries.map(({ at }) => at)).toEqual([6000, 5000, 4000, 3000]);
});

test("a pipe in the place of the history is neither read nor written", async () => {
  await using home = await tempHome();
  Bun.spawnSync(["mkfifo", join(home.path, "history.jsonl")]);
  const history = new InputHistory();
  expect(await history.open({ home: home.path, isOn: true, maxBytes: undefined }, "/w")).toEqual([]);
  await history.add({ sessionId: "s", text: "new", cwd: "/w", at: 1 });
});

test("history that is switched off is neither read nor written", async () => {
  await using home = await tempHome();
  await home.write("~/history.jsonl", `${JSON.stringify({ session_id: "s", ts: 1, text: "x" })}\n`);
  const history = new InputHistory();
  expect(await history.open({ home: home.path, isOn: false, maxBytes: undefined }, "/w")).toEqual([]);
  await history.add({ sessionId: "s", text: "new", cwd: "/w", at: 1 });
  expect((await readFile(join(home.path, "history.jsonl"), "utf8")).trim().split("\n")).toHaveLength(1);
});

test.each([
  ["new", ["hello"], { thread: { kind: "new" }, prompt: "hello" }],
  ["new", [], { thread: { kind: "new" }, prompt: undefined }],
  ["resume", ["abc", "go on"], { thread: { kind: "resume", id: "abc" }, prompt: "go on" }],
  ["resume", ["--last", "go on"], { thread: { kind: "last", all: false }, prompt: "go on" }],
  ["resume", ["--all"], { thread: { kind: "pick", purpose: "resume", all: true }, prompt: undefined }],
  ["fork", ["abc"], { thread: { kind: "fork", id: "abc" }, prompt: undefined }],
] as const)("%s %p is understood", (start, argv, wanted) => {
  const request = readRequest(start, argv);
  if ("help" in request) throw new Error("help was not asked for");
  const { options: _, ...rest } = request;
  expect<unknown>(rest).toEqual(wanted);
});

test.each([
  [{ NO_COLOR: "1", COLORTERM: "truecolor" }, 0],
  [{ FORCE_COLOR: "2", TERM: "dumb" }, 2],
  [{ TERM: "xterm-256color" }, 2],
  [{ TERM: "screen" }, 1],
  [{ COLORTERM: "truecolor", TERM: "xterm" }, 3],
  [{ TERM: "dumb" }, 0],
] as const)("%p has colour level %p", (env, level) => {
  expect(themeOptions(env).level).toBe(level);
});

test.each([
  ["\u001b]11;rgb:ffff/ffff/f0f0\u0007", true],
  ["\u001b]11;rgb:1c1c/1c1c/1c1c\u001b\\\\", false],
  ["\u001b]11;rgb:ff/ff/ff\u0007", true],
  ["\u001b[?1u", undefined],
])("the answer %j says whether the background is light: %p", (reply, isLight) => {
  expect(isLightBackground(reply)).toBe(isLight);
});

test("marks are plain ASCII in a locale that has nothing else", () => {
  expect(
    [{ LANG: "C.UTF-8" }, { LC_ALL: "POSIX", LANG: "C.UTF-8" }, {}].map((env) => themeOptions(env).isUnicode),
  ).toEqual([true, false, true]);
});
