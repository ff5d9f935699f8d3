import { expect, test } from "bun:test";
import { isPlain } from "../../../../src/frontends/tui/plain/is-plain.ts";
import { tempHome } from "../../../support/home.ts";

test("lines are used on a dumb terminal, by option, and by setting", async () => {
  await using home = await tempHome();
  const env = { ...home.env, TERM: "xterm-256color" };
  expect([isPlain(false, env), isPlain(true, env), isPlain(false, { ...env, TERM: "dumb" })]).toEqual([
    false,
    true,
    true,
  ]);
  for (const text of [
    "[tui]\nplain = true\n",
    'tui.plain = true\nmodel = "m"\n',
    "[tui]\ntheme = 'x'\nplain=true # yes\n[x]\n",
  ]) {
    await home.write("~/config.toml", text);
    expect(isPlain(false, env)).toBe(true);
  }
  for (const text of ["[tui]\nplain = false\n", "[other]\nplain = true\n", "# [tui]\n# plain = true\n"]) {
    await home.write("~/config.toml", text);
    expect(isPlain(false, env)).toBe(false);
  }
});
