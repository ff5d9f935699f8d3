import { expect, test } from "bun:test";
import type { CommandSpec } from "../../src/util/args.ts";
import { helpText } from "../../src/util/help.ts";

test("the help shows commands, arguments and options in columns, without hidden ones", () => {
  const spec = {
    name: "cook",
    summary: "Cooks a dish.",
    options: [
      { long: "salt", short: "s", summary: "Add salt" },
      { long: "size", value: "SIZE", values: ["small", "large"], summary: "How much" },
      { long: "input", short: "i", value: "FILE", variadic: true, summary: "Inputs" },
      { long: "a-name-that-is-much-too-long-for-the-column", summary: "Long" },
      { long: "secret", hidden: true, summary: "Not shown" },
    ],
    positionals: [{ name: "[DISH]", summary: "What to cook" }],
    subcommands: [
      { name: "again", summary: "Cook it again" },
      { name: "debug", hidden: true, summary: "Not shown" },
    ],
    notes: "Serve hot.",
  } as const satisfies CommandSpec;
  expect(helpText(spec)).toBe(`Cooks a dish.

Usage: cook [OPTIONS] [DISH]
       cook [OPTIONS] <COMMAND> [ARGS]

Commands:
  again  Cook it again

Arguments:
  [DISH]  What to cook

Options:
  -s, --salt             Add salt
      --size <SIZE>      How much [possible values: small, large]
  -i, --input <FILE>...  Inputs
      --a-name-that-is-much-too-long-for-the-column
                         Long
  -h, --help             Print this help

Serve hot.
`);
});

test("the help fits into 80 columns; a word that is longer stays whole", () => {
  const spec = {
    name: "cook",
    summary: "Cooks a dish.",
    options: [
      {
        long: "size",
        value: "SIZE",
        values: ["small", "large", "enormous"],
        summary: "How much of it to make",
      },
      { long: "link", summary: `See ${"x".repeat(80)} there` },
    ],
    notes: `Serve hot.\n${"Eat it soon. ".repeat(8)}`,
  } as const satisfies CommandSpec;
  expect(helpText(spec)).toBe(`Cooks a dish.

Usage: cook [OPTIONS]

Options:
      --size <SIZE>  How much of it to make [possible values: small, large,
                     enormous]
      --link         See
                     ${"x".repeat(80)}
                     there
  -h, --help         Print this help

Serve hot.
Eat it soon. Eat it soon. Eat it soon. Eat it soon. Eat it soon. Eat it soon.
Eat it soon. Eat it soon.
`);
});
