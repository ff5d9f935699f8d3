import { expect, test } from "bun:test";
import { type CommandSpec, mergeParsed, parseArgs } from "../../src/util/args.ts";
import { AppError } from "../../src/util/errors.ts";

const COOK = {
  name: "cook",
  summary: "Cooks.",
  options: [
    { long: "salt", short: "s", summary: "Add salt" },
    { long: "hot", short: "t", summary: "Serve hot", conflicts: ["cold"] },
    { long: "cold", summary: "Serve cold" },
    { long: "set", short: "c", value: "key=value", repeatable: true, summary: "Set" },
    { long: "pan", short: "p", value: "PAN", aliases: ["pot"], summary: "Pan" },
    { long: "size", value: "SIZE", values: ["small", "large"], summary: "Size" },
    { long: "input", short: "i", value: "FILE", variadic: true, summary: "Inputs" },
  ],
  positionals: [{ name: "[DISH]", summary: "Dish" }],
  subcommands: [{ name: "again", aliases: ["a"], summary: "Cook it again" }],
} as const satisfies CommandSpec;

function cook(...argv: string[]) {
  const parsed = parseArgs(COOK, argv);
  const names = COOK.options.map(({ long }) => long).filter((name) => parsed.has(name));
  return {
    options: Object.fromEntries(names.map((name) => [name, parsed.values(name)])),
    positionals: parsed.positionals,
    ...(parsed.subcommand === undefined ? {} : { subcommand: parsed.subcommand }),
  };
}

function refusal(...argv: string[]): string {
  try {
    parseArgs(COOK, argv);
  } catch (cause) {
    if (cause instanceof AppError && cause.code === "usage") return `${cause.message}\n${cause.hint}`;
    throw cause;
  }
  throw new Error("nothing was refused");
}

const END = "\n\nUsage: cook [OPTIONS] [DISH]\n\nFor more information, try '--help'.";

test("values may follow the option, an equals sign, or a short letter directly", () => {
  const expected = { options: { pan: ["x"] }, positionals: [] };
  for (const argv of [["--pan", "x"], ["--pan=x"], ["-p", "x"], ["-px"], ["-p=x"], ["--pot", "x"]]) {
    expect(cook(...argv)).toEqual(expected);
  }
});

test("short switches can be written together, the last one with a value", () => {
  expect(cook("-stpx")).toEqual({ options: { salt: [], hot: [], pan: ["x"] }, positionals: [] });
});

test("an option given twice counts with its last value, a repeatable one with all", () => {
  const parsed = parseArgs(COOK, ["-p", "a", "-c", "x=1", "-p", "b", "--set=y=2"]);
  expect([parsed.value("pan"), parsed.values("set")]).toEqual(["b", ["x=1", "y=2"]]);
});

test("a variadic option takes every bare word, a lone dash too, until an option or --", () => {
  expect(cook("-i", "a", "-", "b", "-s", "soup")).toEqual({
    options: { salt: [], input: ["a", "-", "b"] },
    positionals: ["soup"],
  });
  expect(cook("--input", "a", "b", "--", "soup")).toEqual({
    options: { input: ["a", "b"] },
    positionals: ["soup"],
  });
});

test("after -- everything is a positional, and a lone dash is one anywhere", () => {
  expect(cook("--", "--salt")).toEqual({ options: {}, positionals: ["--salt"] });
  expect(cook("-")).toEqual({ options: {}, positionals: ["-"] });
});

test("parsing stops at a subcommand, whose words are left for its own table", () => {
  expect(cook("-s", "a", "--unknown")).toEqual({
    options: { salt: [] },
    positionals: [],
    subcommand: { name: "again", argv: ["--unknown"] },
  });
});

test("a word that names a subcommand is an ordinary word behind another one", () => {
  expect(refusal("soup", "again")).toBe(`unexpected argument 'again' found${END}`);
});

test("an unknown option is refused with the nearest one and the usage line", () => {
  const tip = "\n\n  tip: a similar argument exists: '--salt'";
  expect(refusal("--slat")).toBe(`unexpected argument '--slat' found${tip}\n${END.slice(1)}`);
});

test("an unknown option that resembles none is shown how to be passed as a value", () => {
  const tip = "\n\n  tip: to pass '--no-such-flag' as a value, use '-- --no-such-flag'";
  expect(refusal("--no-such-flag")).toBe(`unexpected argument '--no-such-flag' found${tip}${END}`);
  expect(refusal("-sz")).toContain("unexpected argument '-z' found");
});

test("a value outside the allowed ones is refused with the list of them", () => {
  expect(refusal("--size", "medium")).toBe(
    `invalid value 'medium' for '--size <SIZE>'\n  [possible values: small, large]${END}`,
  );
  expect(refusal("--size", "smal")).toContain("tip: a similar value exists: 'small'");
});

test("a missing value is refused, and an option is not taken for one", () => {
  const message = "a value is required for '--pan <PAN>' but none was supplied";
  expect(refusal("--pan")).toBe(`${message}${END}`);
  expect(refusal("--pan", "--salt")).toBe(`${message}${END}`);
});

test("a switch takes no value", () => {
  expect(refusal("--salt=yes")).toContain("unexpected value 'yes' for '--salt' found");
});

test("options that exclude each other are refused together", () => {
  expect(refusal("--cold", "--hot")).toBe(`the argument '--hot' cannot be used with '--cold'${END}`);
});

test("a required positional that is missing is named", () => {
  const spec = {
    name: "open",
    summary: "",
    options: [],
    positionals: [{ name: "FILE", summary: "" }],
  } as const;
  expect(() => parseArgs(spec, [])).toThrow("the following required arguments were not provided:\n  <FILE>");
});

test("help is asked for wherever it stands, whatever else is missing", () => {
  const spec = {
    name: "open",
    summary: "",
    options: [],
    positionals: [{ name: "FILE", summary: "" }],
  } as const;
  for (const word of ["-h", "--help"]) expect(parseArgs(spec, [word]).wantsHelp).toBe(true);
});

test("a command that passes its words through leaves them alone from the first bare one on", () => {
  const spec = { ...COOK, passthrough: true, subcommands: [] } as const;
  expect(parseArgs(spec, ["-s", "ls", "--salt", "-z", "--"]).positionals).toEqual([
    "ls",
    "--salt",
    "-z",
    "--",
  ]);
});

test("options before and after a subcommand are one set, in which the later value wins", () => {
  const before = parseArgs(COOK, ["-s", "-p", "a", "-c", "x=1"]);
  const after = parseArgs(COOK, ["-p", "b", "-c", "y=2", "soup"]);
  const merged = mergeParsed(before, after, ["salt", "pan", "set"]);
  expect({
    salt: merged.has("salt"),
    hot: merged.has("hot"),
    pan: merged.value("pan"),
    set: merged.values("set"),
    positionals: merged.positionals,
  }).toEqual({ salt: true, hot: false, pan: "b", set: ["x=1", "y=2"], positionals: ["soup"] });
});

test("an empty value is refused, unless the option may be repeated", () => {
  const message = "a value is required for '--pan <PAN>' but an empty one was given";
  for (const argv of [["--pan", ""], ["--pan="], ["-p", ""], ["-p="]])
    expect(refusal(...argv)).toStartWith(message);
  expect(cook("--set", "").options).toEqual({ set: [""] });
});
