import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setKey } from "../../src/config/edit.ts";
import { editToml, tomlLiteral } from "../../src/config/toml-edit.ts";
import { tempHome } from "../support/home.ts";

const edits: { title: string; before: string; path: string[]; value: unknown; after: string }[] = [
  {
    title: "a value is replaced and the comment behind it stays",
    before: '# head\nmodel = "a" # mine\nx = 1\n',
    path: ["model"],
    value: "b",
    after: '# head\nmodel = "b" # mine\nx = 1\n',
  },
  {
    title: "a value over several lines is replaced as a whole",
    before: "notify = [\n  'a', # one\n]\nx = 1\n",
    path: ["notify"],
    value: ["b", "c"],
    after: 'notify = ["b", "c"]\nx = 1\n',
  },
  {
    title: "a new key goes behind the last of its table",
    before: "[features]\na = true # one\n\n# next\n[history]\n",
    path: ["features", "b"],
    value: false,
    after: "[features]\na = true # one\nb = false\n\n# next\n[history]\n",
  },
  {
    title: "a new key goes below an empty header",
    before: "[features]\n[history]\n",
    path: ["features", "b"],
    value: true,
    after: "[features]\nb = true\n[history]\n",
  },
  {
    title: "a new key joins its dotted neighbours",
    before: "features.a = true\n[history]\n",
    path: ["features", "b"],
    value: true,
    after: "features.a = true\nfeatures.b = true\n[history]\n",
  },
  {
    title: "a new key goes into an inline table",
    before: "features = { a = true } # all\n",
    path: ["features", "b"],
    value: true,
    after: "features = { a = true, b = true } # all\n",
  },
  {
    title: "a new table is added at the end",
    before: 'model = "a"',
    path: ["projects", "/x y", "trust_level"],
    value: "trusted",
    after: 'model = "a"\n\n[projects."/x y"]\ntrust_level = "trusted"\n',
  },
  {
    title: "a first top-level key goes in front of the tables",
    before: "[history]\n",
    path: ["model"],
    value: "m",
    after: 'model = "m"\n[history]\n',
  },
  {
    title: "a whole table is written as a section, and replaces an earlier one",
    before: "[mcp_servers.s]\ncommand = 'old'\n[mcp_servers.s.env]\nA = '1'\n[history]\n",
    path: ["mcp_servers", "s"],
    value: { command: "new", args: ["-x"], env: { B: "2" }, cwd: undefined },
    after: '[history]\n\n[mcp_servers.s]\ncommand = "new"\nargs = ["-x"]\nenv = { B = "2" }\n',
  },
  {
    title: "a key is removed with its line",
    before: "a = 1\nb = 2 # two\nc = 3\n",
    path: ["b"],
    value: undefined,
    after: "a = 1\nc = 3\n",
  },
  {
    title: "a table is removed with its parts",
    before: "a = 1\n[t]\nx = 1\n[t.u]\ny = 2\n# about v\n[v]\nz = 1\n",
    path: ["t"],
    value: undefined,
    after: "a = 1\n# about v\n[v]\nz = 1\n",
  },
  {
    title: "a key is removed from an inline table",
    before: "t = { x = 1, y = 2 }\n",
    path: ["t", "x"],
    value: undefined,
    after: "t = { y = 2 }\n",
  },
  {
    title: "line ends stay as they are in the file",
    before: "a = 1\r\n[t]\r\nx = 1\r\n",
    path: ["t", "y"],
    value: 2,
    after: "a = 1\r\n[t]\r\nx = 1\r\ny = 2\r\n",
  },
];
for (const { title, before, path, value, after } of edits) {
  test(title, () => expect(editToml(before, path, value, "f")).toBe(after));
}

test("an edit that would not say what was wanted is refused and explained", () => {
  expect(() => editToml("[[t]]\nx = 1\n", ["t", "y"], 2, "f")).toThrow(
    "f:1: t.y cannot be changed by the program",
  );
});

test("any string survives being written and read", () => {
  const odd = 'a"b\\c\n\t\u0000\u007f\u2028é😀';
  expect(editToml("", ["k"], odd, "f")).toBe(`k = ${tomlLiteral(odd)}\n`);
});

test("a new file and its folder are private, and its text is what was asked for", async () => {
  await using home = await tempHome();
  const file = join(home.cwd, "new", "config.toml");
  await setKey(file, ["features", "hooks"], false);
  expect(await readFile(file, "utf8")).toBe("[features]\nhooks = false\n");
  expect([(await stat(file)).mode & 0o777, (await stat(join(home.cwd, "new"))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
});

test("an existing file keeps its mode, its mark and the link that leads to it", async () => {
  await using home = await tempHome();
  await mkdir(join(home.cwd, "dotfiles"));
  const real = join(home.cwd, "dotfiles", "config.toml");
  await writeFile(real, '\ufeffmodel = "a"\n', { mode: 0o640 });
  const link = join(home.path, "config.toml");
  await symlink(real, link);
  await setKey(link, ["model"], "b");
  expect(await readFile(real, "utf8")).toBe('\ufeffmodel = "b"\n');
  expect((await stat(real)).mode & 0o777).toBe(0o640);
});

test("a file that is broken is not touched", async () => {
  await using home = await tempHome();
  const file = await home.write("~/config.toml", "model = \n");
  await expect(setKey(file, ["model"], "b")).rejects.toThrow("config.toml:1:");
  expect(await readFile(file, "utf8")).toBe("model = \n");
});

test("changes at the same time are all kept, and no lock is left", async () => {
  await using home = await tempHome();
  const file = await home.write("~/config.toml", "[features]\n");
  const names = ["a", "b", "c", "d"];
  await Promise.all(names.map((name) => setKey(file, ["features", name], true)));
  const text = await readFile(file, "utf8");
  expect(text.trim().split("\n").slice(1).sort()).toEqual(names.map((name) => `${name} = true`));
  expect(await readdir(home.path)).toEqual(["config.toml"]);
});

test("a lock that a killed program left behind does not block for ever", async () => {
  await using home = await tempHome();
  const file = await home.write("~/config.toml", "");
  await home.write("~/config.toml.lock", "");
  await utimes(`${file}.lock`, 0, 0);
  await setKey(file, ["model"], "m");
  expect(await readFile(file, "utf8")).toBe('model = "m"\n');
});
