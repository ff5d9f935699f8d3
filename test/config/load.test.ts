import { expect, test } from "bun:test";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { overridesFrom, RUN_OPTIONS } from "../../src/config/flags.ts";
import { ConfigShape } from "../../src/config/schema.ts";
import type { Problem } from "../../src/config/shape.ts";
import { parseArgs } from "../../src/util/args.ts";
import { tempHome } from "../support/home.ts";
import { load, refusal } from "./support.ts";

test("without any file all values are the defaults, and none has an origin", async () => {
  await using home = await tempHome();
  const { values, warnings, originOf, trust } = await load(home);
  expect({ ...values, ...{} }).toMatchObject({
    model_provider: "openai",
    project_doc_max_bytes: 32_768,
    sandbox_workspace_write: { writable_roots: [], network_access: false },
    history: { persistence: "save-all" },
    tools: { update_plan: { enabled: true } },
    features: {},
  });
  expect([values.model, values.sandbox_mode, originOf("model_provider"), trust]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(warnings).toEqual([]);
});

test("each layer wins over the ones below it: machine, user, profile, project, -c, other options", async () => {
  await using home = await tempHome();
  const systemFile = await home.write("~/system.toml", keys("system", 6));
  await home.write(
    "~/config.toml",
    `${keys("user", 5)}${keys("table", 4, "[profiles.fast]")}${trusted(home.cwd)}`,
  );
  await home.write("~/fast.config.toml", keys("file", 3));
  await home.write(".openinterpreter/config.toml", keys("project", 2));
  const parsed = parseArgs({ name: "x", summary: "", options: RUN_OPTIONS }, ["-c", "k=1", "-m", "flag"]);
  const flags = overridesFrom(parsed, home.cwd).filter(({ path }) => path[0] !== "k");
  const set = ["instructions=-c", "model=-c"].flatMap((text) => ["-c", text]);
  const overrides = overridesFrom(parseArgs({ name: "x", summary: "", options: RUN_OPTIONS }, set), home.cwd);
  const { values } = await load(home, { systemFile, profile: "fast", overrides: [...overrides, ...flags] });
  expect(KEYS.map((key) => values[key])).toEqual([
    "flag",
    "-c",
    "project",
    "file",
    "table",
    "user",
    "system",
  ]);
});

const KEYS = [
  "model",
  "instructions",
  "developer_instructions",
  "review_model",
  "compact_prompt",
  "harness",
  "service_tier",
] as const;

/** The first `count + 1` keys, all with the same value. */
function keys(value: string, count: number, header = ""): string {
  const lines = KEYS.slice(0, count + 1).map((key) => `${key} = "${value}"`);
  return `${header}\n${lines.join("\n")}\n`;
}

function trusted(folder: string, level = "trusted"): string {
  return `[projects.${JSON.stringify(folder)}]\ntrust_level = "${level}"\n`;
}

test("tables are merged key by key, lists are replaced", async () => {
  await using home = await tempHome();
  await home.write(
    "~/config.toml",
    `project_doc_fallback_filenames = ["A.md", "B.md"]
[model_providers.mock]
name = "Mock"
base_url = "http://127.0.0.1:1/v1"
[profiles.p]
project_doc_fallback_filenames = ["C.md"]
[profiles.p.model_providers.mock]
base_url = "http://127.0.0.1:2/v1"
`,
  );
  const { values } = await load(home, { profile: "p" });
  expect(values.project_doc_fallback_filenames).toEqual(["C.md"]);
  expect(values.model_providers["mock"]).toEqual({ name: "Mock", base_url: "http://127.0.0.1:2/v1" });
});

test("every value knows the file and line, or the option, that it came from", async () => {
  await using home = await tempHome();
  await home.write(
    "~/config.toml",
    `# settings\nmodel = "a"\nmodel_providers.x.name = "X"\n\n[history]\n  persistence = "none"\n[profiles.p]\nharness = "h"\n`,
  );
  const { originOf } = await load(home, { profile: "p", set: ["model=b"] });
  const file = join(home.path, "config.toml");
  expect(
    ["model", "model_providers.x.name", "history.persistence", "harness", "log_dir"].map(originOf),
  ).toEqual([
    { kind: "option", option: "-c" },
    { kind: "file", file, line: 3, column: 1 },
    { kind: "file", file, line: 6, column: 3 },
    { kind: "file", file, line: 8, column: 1 },
    undefined,
  ]);
});

test("the key `profile` chooses a profile too, and --profile wins over it", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", `profile = "a"\n[profiles.a]\nmodel = "A"\n[profiles.b]\nmodel = "B"\n`);
  expect((await load(home)).values.model).toBe("A");
  expect((await load(home, { profile: "b" })).values.model).toBe("B");
  expect((await load(home, { set: ["profile=b"] })).values.model).toBe("B");
});

test("a profile that does not exist is a warning, a name that is a path is refused", async () => {
  await using home = await tempHome();
  const { warnings } = await load(home, { profile: "gone" });
  expect(warnings).toEqual([
    `profile gone is empty: there is neither ${home.path}/gone.config.toml nor a table [profiles.gone]`,
  ]);
  expect((await refusal(home, load(home, { profile: "../x" }))).message).toContain('found "../x"');
});

test("paths in a file are relative to that file, paths of -c to the working folder, and ~ is the person's home", async () => {
  await using home = await tempHome();
  await home.write(
    "~/config.toml",
    `log_dir = "logs"\nmodel_instructions_file = "~/i.md"\n[sandbox_workspace_write]\nwritable_roots = ["out", "/abs"]\n`,
  );
  const { values } = await load(home, { set: ["sqlite_home=db"] });
  expect([
    values.log_dir,
    values.model_instructions_file,
    values.sandbox_workspace_write.writable_roots,
    values.sqlite_home,
  ]).toEqual([
    join(home.path, "logs"),
    join(home.env["HOME"] ?? "", "i.md"),
    [join(home.path, "out"), "/abs"],
    join(home.cwd, "db"),
  ]);
});

test("the user's file can be left out", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", "this is not TOML");
  const { values } = await load(home, { ignoreUserConfig: true, set: ["model=m"] });
  expect(values.model).toBe("m");
});

test("a mistyped key is a warning with its place and the nearest key, and the value is left out", async () => {
  await using home = await tempHome();
  await home.write(
    "~/config.toml",
    `model = "m"\nsandbox_mod = "read-only"\n[histori]\n[history]\npersistance = "none"\n`,
  );
  const { values, warnings } = await load(home, { set: ["zzzzz.y=1"] });
  expect(values.history).toEqual({ persistence: "save-all" });
  expect(warnings.map((warning) => warning.replace(home.path, "~"))).toEqual([
    "~/config.toml:5:1: unrecognized configuration field `history.persistance`; did you mean `persistence`?",
    "~/config.toml:2:1: unrecognized configuration field `sandbox_mod`; did you mean `sandbox_mode`?",
    "~/config.toml:3:1: unrecognized configuration field `histori`; did you mean `history`?",
    "-c/--config override: unrecognized configuration field `zzzzz`",
  ]);
});

test("an unknown feature is a warning too", async () => {
  await using home = await tempHome();
  const { warnings } = await load(home, { set: ["features.shel_tool=true"] });
  expect(warnings).toEqual([
    "-c/--config override: unrecognized configuration field `features.shel_tool`; did you mean `shell_tool`?",
  ]);
});

test("of many unknown keys the first twenty are told", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", Array.from({ length: 30 }, (_, i) => `zzzzzz${i} = 1\n`).join(""));
  const { warnings } = await load(home);
  expect([warnings.length, warnings.at(-1)]).toEqual([21, "and 10 more of this kind"]);
});

test("a near key is looked for only for the unknown keys that are told", () => {
  const problems: Problem[] = [];
  const keys = Array.from({ length: 1000 }, (_, i) => [`sandbox_mod${i}`, 1]);
  ConfigShape.read(Object.fromEntries(keys), [], problems);
  const near = problems.filter((problem) => problem.kind === "unknown" && problem.near === "sandbox_mode");
  expect([problems.length, near.length]).toEqual([1000, 20]);
});

test("a file that is far larger than settings can be is refused with both sizes", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", `# ${"x".repeat(3 * 2 ** 20)}\n`);
  expect(await refusal(home, load(home))).toEqual({
    message: "~/config.toml: wanted settings of at most 1 MiB, found 3.0 MiB",
    hint: "check whether another file was put in its place, or move it away",
  });
});

test("a key of a thousand parts is refused in words", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", `${"a.".repeat(50_000)}b = 1\n`);
  expect((await refusal(home, load(home))).message).toBe(
    "~/config.toml: tables or lists are nested more than 100 levels deep",
  );
});

test("under strict reading an unknown key is an error", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", `model = "m"\nsandbox_mod = "read-only"\n`);
  expect(await refusal(home, load(home, { strict: true, set: ["x=1"] }))).toEqual({
    message:
      "~/config.toml:2:1: unrecognized configuration field `sandbox_mod`; did you mean `sandbox_mode`?\n-c/--config override: unrecognized configuration field `x`",
  });
});

test("a value of the wrong type names its place, what is wanted and what was found", async () => {
  await using home = await tempHome();
  const cases: [string, string][] = [
    [
      `project_doc_max_bytes = "big"`,
      'project_doc_max_bytes: wanted an integer of at least 0, found the string "big"',
    ],
    [`project_doc_max_bytes = -1`, "project_doc_max_bytes: wanted an integer of at least 0, found -1"],
    [`model = 4`, "model: wanted a string, found 4"],
    [`hide_agent_reasoning = "yes"`, 'hide_agent_reasoning: wanted true or false, found the string "yes"'],
    [`notify = "sh"`, "notify: wanted a list, found a string"],
    [`notify = ["sh", 1]`, "notify.1: wanted a string, found 1"],
    [`history = ["x"]`, "history: wanted a table, found a list"],
    [`model = 1979-05-27`, "model: wanted a string, found a date"],
    [
      `sandbox_mode = "bogus"`,
      'sandbox_mode: wanted one of "read-only", "workspace-write", "danger-full-access", found the string "bogus"',
    ],
    [
      `approval_policy = "sometimes"`,
      'approval_policy: wanted one of "untrusted", "on-request", "never", or a table with granular, found the string "sometimes"',
    ],
  ];
  for (const [line, message] of cases) {
    await home.write("~/config.toml", `# one\n  ${line}\n`);
    expect((await refusal(home, load(home))).message).toBe(`~/config.toml:2:3: ${message}`);
  }
});

test("a wrong value is told also where an option of the run hides it, and `-c` repairs it", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", `sandbox_mode = "bogus"\n`);
  const set = (option: string) => ({ path: ["sandbox_mode"], option, set: "read-only" });
  expect((await refusal(home, load(home, { overrides: [set("--sandbox")] }))).message).toStartWith(
    "~/config.toml:1:1: sandbox_mode: wanted one of",
  );
  expect((await load(home, { overrides: [set("-c")] })).values.sandbox_mode).toBe("read-only");
});

test("a wrong value of an option names the option", async () => {
  await using home = await tempHome();
  expect((await refusal(home, load(home, { set: ["model=3"] }))).message).toBe(
    "-c/--config override: model: wanted a string, found 3",
  );
});

test("a secret in the wrong place is not repeated", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", `[model_providers.x]\nhttp_headers = "Bearer abcdef"\n`);
  expect((await refusal(home, load(home))).message).toBe(
    "~/config.toml:2:1: model_providers.x.http_headers: wanted a table, found a string",
  );
});

test("a provider refuses keys that it does not know and pairs that exclude each other", async () => {
  await using home = await tempHome();
  const cases: [string, string][] = [
    [`bas_url = "x"`, "bas_url: unknown key; did you mean base_url?"],
    [
      `wire_api = "grpc"`,
      'wire_api: wanted one of "responses", "chat", "messages", "ollama", found the string "grpc"',
    ],
    [`env_key = "K"\nauth = { command = "c" }`, "env_key: auth and env_key cannot be used together"],
    [
      `aws = { region = "r" }\nsupports_websockets = true`,
      "supports_websockets: aws and supports_websockets cannot be used together",
    ],
    [`auth = { command = " " }`, "auth.command: wanted a command, found an empty string"],
  ];
  for (const [lines, message] of cases) {
    await home.write("~/config.toml", `[model_providers.x]\n${lines}\n`);
    expect((await refusal(home, load(home))).message.replace(/^\S+ /, "")).toBe(
      `model_providers.x.${message}`,
    );
  }
  await home.write(
    "~/config.toml",
    `[model_providers.x]\naws = { region = "r" }\nsupports_websockets = false\n`,
  );
  expect((await load(home)).warnings).toEqual([]);
});

test("a tool server is a program or an address, and keeps its token out of the file", async () => {
  await using home = await tempHome();
  const cases: [string, string][] = [
    [`args = ["x"]`, "command: wanted command (a program) or url (a server), found neither"],
    [`url = "http://x"\ncommand = "y"`, "command: command cannot be used together with url"],
    [`command = "y"\nhttp_headers = {}`, "http_headers: http_headers cannot be used together with command"],
    [
      `url = "http://x"\nbearer_token = "t"`,
      "bearer_token: bearer_token is not read; put the token in an environment variable and name it in bearer_token_env_var",
    ],
  ];
  for (const [lines, message] of cases) {
    await home.write("~/config.toml", `[mcp_servers.s]\n${lines}\n`);
    expect((await refusal(home, load(home))).message.replace(/^\S+ /, "")).toBe(`mcp_servers.s.${message}`);
  }
  await home.write("~/config.toml", `[mcp_servers.s]\ncommand = "y"\ncwd = "work"\n`);
  expect((await load(home)).values.mcp_servers["s"]).toEqual({
    command: "y",
    cwd: join(home.path, "work"),
    enabled: true,
    required: false,
    supports_parallel_tool_calls: false,
  });
});

test("a file that can't be read is an error that says why", async () => {
  await using home = await tempHome();
  await mkdir(join(home.path, "config.toml"));
  expect(await refusal(home, load(home))).toEqual({
    message: "~/config.toml: cannot be read (EISDIR)",
    hint: "make the file readable, or move it away",
  });
});

test("a pipe in the place of a file is refused at once, a link to /dev/null is an empty file", async () => {
  await using home = await tempHome();
  const file = join(home.path, "config.toml");
  Bun.spawnSync(["mkfifo", file]);
  expect((await refusal(home, load(home))).message).toBe(
    "~/config.toml: wanted a file, found a pipe, a socket or a device",
  );
  await rm(file);
  await symlink("/dev/null", file);
  expect((await load(home)).values.model).toBeUndefined();
});

const isRoot = process.getuid?.() === 0;
if (isRoot) process.stderr.write("skipped: unreadable file, as root may read every file\n");

test.skipIf(isRoot)("a file of somebody else is an error that says why", async () => {
  await using home = await tempHome();
  await chmod(await home.write("~/config.toml", ""), 0);
  expect((await refusal(home, load(home))).message).toBe("~/config.toml: cannot be read (EACCES)");
});

test("INTERPRETER_HOME must be a folder that exists, CODEX_HOME is not looked at", async () => {
  await using home = await tempHome();
  const file = join(home.path, "file");
  await writeFile(file, "");
  const at = (path: string) =>
    load(home, { env: { ...home.env, INTERPRETER_HOME: path, CODEX_HOME: home.path } });
  expect((await refusal(home, at(join(home.path, "gone")))).message).toBe(
    'INTERPRETER_HOME points to "~/gone", but that path does not exist',
  );
  expect((await refusal(home, at(file))).message).toBe(
    'INTERPRETER_HOME points to "~/file", but that path is not a directory',
  );
});

test("without INTERPRETER_HOME the settings live in the person's home, which is not created by reading", async () => {
  await using home = await tempHome();
  const { home: found } = await load(home, { env: { HOME: join(home.cwd, "nobody") } });
  expect(found).toBe(join(home.cwd, "nobody", ".openinterpreter"));
  expect(await Bun.file(found).exists()).toBe(false);
});

test("a key named like a property of every object is an ordinary key", async () => {
  await using home = await tempHome();
  await home.write(
    "~/config.toml",
    `[model_providers.constructor]\nname = "c"\n[model_providers.__proto__]\nname = "p"\n`,
  );
  const { values } = await load(home);
  expect(Object.keys(values.model_providers)).toEqual(["constructor", "__proto__"]);
});
