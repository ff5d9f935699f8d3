import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Bindings, keymapWith } from "../../src/frontends/tui/input/keymap.ts";

const page = join(import.meta.dir, "..", "..", "docs", "tui.md");

test("the page names the keys of every action outside lists and pagers", async () => {
  const { global, chat, composer } = keymapWith(undefined);
  const text = (await readFile(page, "utf8")).replace(/(Ctrl|Alt|Shift)\+/g, (mod) => mod.toLowerCase());
  const missing = [
    ...missingIn(text, "global", global),
    ...missingIn(text, "chat", chat),
    ...missingIn(text, "composer", composer),
  ];
  expect(missing).toEqual([]);
});

function missingIn<Action extends string>(text: string, context: string, known: Bindings<Action>): string[] {
  return known.flatMap(([action, [key = ""]]) => {
    const name = key.replace("escape", "esc");
    const row = text.split("\n").find((line) => line.startsWith(`| \`${context}.${action}\` |`));
    return row?.toLowerCase().includes(`| ${name}`) ? [] : [`${context}.${action} ${name}`];
  });
}
