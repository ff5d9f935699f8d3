import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInIds } from "../../src/harness/builtin.ts";
import { harnessIds, loadHarness } from "../../src/harness/load.ts";
import { toErrorInfo } from "../../src/util/errors.ts";

const WHOLE = `wires: [chat]
prompt: { system: hello }
tools:
  - { name: a, description: A., native: shell, parameters: { type: object } }
`;

async function homeWith(files: Record<string, string>) {
  const home = await mkdtemp(join(tmpdir(), "harness-"));
  await mkdir(join(home, "harnesses"));
  for (const [id, text] of Object.entries(files))
    await writeFile(join(home, "harnesses", `${id}.yaml`), text);
  return { path: home, [Symbol.asyncDispose]: () => rm(home, { recursive: true }) };
}

async function failureOf(files: Record<string, string>, id = "mine") {
  await using home = await homeWith(files);
  const { code, message, hint } = toErrorInfo(
    await loadHarness(id, home.path).then(
      () => new Error("it worked"),
      (cause: unknown) => cause,
    ),
  );
  return { code, message: message.replaceAll(`${home.path}/harnesses/`, ""), hint };
}

test("a user's file is a harness of its own", async () => {
  await using home = await homeWith({ mine: `id: mine\n${WHOLE}` });
  expect(await loadHarness("mine", home.path)).toEqual({
    id: "mine",
    wires: ["chat"],
    title: "",
    prompt: { system: "hello", context: {}, setup: [], afterFirst: [] },
    vars: {},
    layout: {},
    request: { body: {}, headers: {}, query: {} },
    models: [],
    compaction: undefined,
    errors: {},
    reminders: [],
    agents: {},
    routing: undefined,
    tools: [{ name: "a", description: "A.", native: "shell", parameters: { type: "object" } }],
  });
});

test("a file that extends another changes only what it names", async () => {
  const base = `id: base\n${WHOLE}  - { name: b, description: B., native: list, parameters: {} }
  - { name: c, description: C., native: glob, parameters: {} }
layout: { system: one, compactArguments: true }
request: { body: { temperature: 1, top_p: 0.9 }, headers: { X-A: a } }
compaction: { prompt: shorter }
`;
  const mine = `id: mine
extends: base
wires: [messages]
prompt:
  setup: [{ role: user, text: hi }]
layout: { compactArguments: false }
request: { body: { temperature: 0 }, headers: { X-A: null } }
dropTools: [c]
tools:
  - { name: a, description: Another A., native: grep, parameters: {} }
`;
  await using home = await homeWith({ base, mine });
  expect(await loadHarness("mine", home.path)).toEqual({
    id: "mine",
    wires: ["messages"],
    title: "",
    prompt: { system: "hello", context: {}, setup: [{ role: "user", text: "hi" }], afterFirst: [] },
    vars: {},
    layout: { system: "one", compactArguments: false },
    request: { body: { temperature: 0, top_p: 0.9 }, headers: { "X-A": null }, query: {} },
    models: [],
    compaction: { prompt: "shorter" },
    errors: {},
    reminders: [],
    agents: {},
    routing: undefined,
    tools: [
      { name: "a", description: "Another A.", native: "grep", parameters: {} },
      { name: "b", description: "B.", native: "list", parameters: {} },
    ],
  });
});

test("a user's file may take the name of a built-in harness and extend it", async () => {
  await using home = await homeWith({ native: "id: native\nextends: native\nprompt: { system: short }\n" });
  const [mine, original] = [await loadHarness("native", home.path), await loadHarness("native", "/nowhere")];
  expect(mine).toEqual({ ...original, prompt: { ...original.prompt, system: "short" } });
});

test("harnesses that extend each other are refused", async () => {
  const error = await failureOf({ mine: "id: mine\nextends: other\n", other: "id: other\nextends: mine\n" });
  expect(error).toEqual({
    code: "config",
    message: "mine.yaml: these harnesses extend each other: mine, other",
    hint: "let one of them extend a built-in harness",
  });
});

test("an unknown harness is refused with the nearest name", async () => {
  expect(await failureOf({}, "natve")).toEqual({
    code: "config",
    message: "harness `natve` not found",
    hint: "did you mean `native`?",
  });
});

test("an id never leads out of the folder", async () => {
  await using home = await homeWith({});
  await writeFile(join(home.path, "secret.yaml"), `id: ../secret\n${WHOLE}`);
  await expect(loadHarness("../secret", home.path)).rejects.toThrow("harness `../secret` not found");
});

test("the user's harnesses are listed with the built-in ones", async () => {
  await using home = await homeWith({ mine: "", native: "" });
  expect(await harnessIds(home.path)).toEqual([...builtInIds(), "mine"].sort());
  expect(await harnessIds("/nowhere")).toEqual(builtInIds().sort());
});

const WRONG = [
  ["broken YAML", "id: mine\nprompt: {\n", "mine.yaml:3:1: "],
  ["a repeated key", "id: mine\nid: mine\n", "mine.yaml:2:1: Map keys must be unique"],
  ["an unknown key", `id: mine\n${WHOLE}colour: red\n`, "mine.yaml:6:1: unknown key colour"],
  ["a misspelt key", "id: mine\npromt: 3\n", "mine.yaml:2:1: unknown key promt; did you mean prompt?"],
  [
    "an unknown key inside",
    "id: mine\nlayout:\n  system: one\n  size: 3\n",
    "mine.yaml:4:3: layout: unknown key size",
  ],
  ["a wrong value", "id: mine\nwires: [chat, telex]\n", "mine.yaml:2:15: wires.1: Invalid option"],
  [
    "a tool without parameters",
    "id: mine\ntools:\n  - { name: a, description: A., native: shell }\n",
    "mine.yaml:3:5: tools.0: wanted either parameters or freeform",
  ],
  [
    "an unknown native tool",
    "id: mine\ntools:\n  - name: a\n    description: A.\n    native: shelf\n    parameters: {}\n",
    "mine.yaml:5:5: tools.0.native: Invalid option",
  ],
  [
    "an unknown flag",
    "id: mine\ntools:\n  - { name: a, description: A., native: shell, parameters: {}, when: tuesday }\n",
    "mine.yaml:3:64: tools.0.when: wanted one or several of unified_exec",
  ],
  ["a list as the whole file", "- id: mine\n", "mine.yaml:1:1: Invalid input"],
  ["an empty file", "", "mine.yaml:1:1: Invalid input"],
  ["something missing", "id: mine\nwires: [chat]\ntools: []\n", "mine.yaml: prompt.system is missing"],
  [
    "another id than the file's name",
    `id: yours\n${WHOLE}`,
    'mine.yaml: id must be the name of the file, found "yours"',
  ],
] as const;

for (const [title, text, message] of WRONG) {
  test(`${title} is refused with its place in the file`, async () => {
    const error = await failureOf({ mine: text });
    expect({ code: error.code, message: error.message.slice(0, message.length) }).toEqual({
      code: "config",
      message,
    });
  });
}

test("further problems of a file are counted", async () => {
  expect((await failureOf({ mine: "id: mine\nwires: []\nlayout: { system: none }\n" })).message).toEndWith(
    " (and 1 more)",
  );
});

test("of several folders the last one that has the file counts, and all of them are listed", async () => {
  await using home = await homeWith({ mine: `id: mine\n${WHOLE}`, other: `id: other\n${WHOLE}` });
  await using project = await homeWith({ mine: `id: mine\nextends: other\ntitle: ours\n` });
  const folders = [home.path, project.path];
  const { title, prompt } = await loadHarness("mine", folders);
  expect([title, prompt.system]).toEqual(["ours", "hello"]);
  expect(await harnessIds(folders)).toEqual([...builtInIds(), "mine", "other"].sort());
});
