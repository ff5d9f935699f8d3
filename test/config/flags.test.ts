import { expect, test } from "bun:test";
import { imageFiles, overridesFrom, RUN_OPTIONS, workingDirectory } from "../../src/config/flags.ts";
import { parseKeyPath, parseOverride } from "../../src/config/overrides.ts";
import { parseArgs } from "../../src/util/args.ts";
import { tempHome } from "../support/home.ts";
import { load } from "./support.ts";

function options(...argv: string[]) {
  return parseArgs(
    { name: "x", summary: "", options: RUN_OPTIONS, positionals: [{ name: "[P]...", summary: "" }] },
    argv,
  );
}

/** Option texts to `path = value`, as set by `overridesFrom`. */
function set(...argv: string[]): [string, unknown][] {
  return overridesFrom(options(...argv), "/work").map((override) => [
    override.path.join("."),
    "set" in override ? override.set : override,
  ]);
}

test("the value of -c is TOML, or else the text as it is", () => {
  const texts = [
    "a=1",
    "a=true",
    'a="x"',
    "a=x y",
    "a=[1, 'b']",
    'a={b = "c"}',
    "a={}",
    "a=1979-05-27x",
    "a=",
    "a = 'x'",
  ];
  const values = texts
    .map((text) => parseOverride(text))
    .map((override) => ("set" in override ? override.set : null));
  expect(values).toEqual([1, true, "x", "x y", [1, "b"], { b: "c" }, {}, "1979-05-27x", "", "x"]);
});

test("a value with a line break is not taken for two keys", () => {
  expect(parseOverride("a=1\nb=2")).toEqual({ path: ["a"], option: "-c", set: "1\nb=2" });
});

test("a key is a dotted path whose segments may be quoted, also with dots and equals signs inside", () => {
  expect(parseOverride(`projects."/a.b=c".trust_level="trusted"`)).toEqual({
    path: ["projects", "/a.b=c", "trust_level"],
    option: "-c",
    set: "trusted",
  });
  const paths = ["a.b.c", "a.'b.c'", '"a \\" b".c', " a . b ", "a-b_1.c", "mcp_servers.x y.env"].map(
    parseKeyPath,
  );
  expect(paths).toEqual([
    ["a", "b", "c"],
    ["a", "b.c"],
    ['a " b', "c"],
    ["a", "b"],
    ["a-b_1", "c"],
    ["mcp_servers", "x y", "env"],
  ]);
});

test("-c without an equals sign or a key is refused with the text that was given", () => {
  expect(() => parseOverride("model")).toThrow(
    "Error parsing -c overrides: Invalid override (missing '='): model",
  );
  for (const text of ["=x", "a..b=x", "a.=x"]) {
    expect(() => parseOverride(text)).toThrow(`Error parsing -c overrides: Empty key in override: ${text}`);
  }
});

test("options become overrides, and named options stand above -c", () => {
  expect(
    set(
      "-c",
      "model=a",
      "-m",
      "b",
      "--harness",
      "h",
      "--enable",
      "hooks",
      "--disable",
      "apps",
      "-s",
      "read-only",
    ),
  ).toEqual([
    ["model", "a"],
    ["features.hooks", true],
    ["features.apps", false],
    ["model", "b"],
    ["harness", "h"],
    ["sandbox_mode", "read-only"],
  ]);
  expect(set("-a", "never")).toEqual([["approval_policy", "never"]]);
  expect(set("--chat-completions")).toEqual([["force_chat_completions", true]]);
});

test("the options for permissions stand for a pair of settings", () => {
  expect(set("--approve-for-me")).toEqual([
    ["approvals_reviewer", "auto_review"],
    ["approval_policy", "on-request"],
    ["sandbox_mode", "workspace-write"],
  ]);
  expect(set("--not-so-yolo")).toEqual(set("--approve-for-me"));
  expect(set("--full-auto")).toEqual([
    ["approval_policy", "never"],
    ["sandbox_mode", "workspace-write"],
  ]);
  expect(set("--yolo")).toEqual([
    ["approval_policy", "never"],
    ["sandbox_mode", "danger-full-access"],
  ]);
  expect(() => options("--yolo", "-a", "never")).toThrow("cannot be used with");
  expect(() => options("--approve-for-me", "-s", "read-only")).toThrow("cannot be used with");
});

test("an unknown feature is refused with the nearest name", () => {
  expect(() => set("--enable", "hoks")).toThrow("Unknown feature flag: hoks");
});

test("--add-dir adds to the writable folders of the files", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", `[sandbox_workspace_write]\nwritable_roots = ["/a"]\n`);
  const overrides = overridesFrom(options("--add-dir", "b", "--add-dir", "/c"), home.cwd);
  const { values } = await load(home, { overrides });
  expect(values.sandbox_workspace_write.writable_roots).toEqual(["/a", `${home.cwd}/b`, "/c"]);
});

test("--oss takes the local provider of the settings, and leaves a model named there to its own provider", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", `model = "big"\nmodel_provider = "mock"\noss_provider = "lmstudio"\n`);
  const { values } = await load(home, { overrides: overridesFrom(options("--oss"), home.cwd) });
  expect([values.model_provider, values.model]).toEqual(["lmstudio", undefined]);
  const chosen = overridesFrom(options("--oss", "--local-provider", "ollama", "-m", "small"), home.cwd);
  const other = await load(home, { overrides: chosen });
  expect([other.values.model_provider, other.values.model]).toEqual(["ollama", "small"]);
});

test("--oss without any choice of a provider means the local server that runs", async () => {
  await using home = await tempHome();
  const { values } = await load(home, { overrides: overridesFrom(options("--oss"), home.cwd) });
  expect(values.model_provider).toBe("local");
});

test("images come from repeated options, several words and comma lists", () => {
  expect(imageFiles(options("-i", "a.png", "b.png", "--image=c.png,d.png", "--", "prompt"))).toEqual([
    "a.png",
    "b.png",
    "c.png",
    "d.png",
  ]);
});

test("--cd is relative to the folder of the process", () => {
  expect(
    [options(), options("-C", "sub"), options("-C", "/abs"), options("-C", "~/x")].map((parsed) =>
      workingDirectory(parsed, "/work", "/home/me"),
    ),
  ).toEqual(["/work", "/work/sub", "/abs", "/home/me/x"]);
});

test("a model of -c is meant for this run, also with --oss", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", 'model = "big"\n');
  const overrides = overridesFrom(options("--oss", "-c", "model=small"), home.cwd);
  const { values } = await load(home, { overrides });
  expect([values.model_provider, values.model]).toEqual(["local", "small"]);
});
