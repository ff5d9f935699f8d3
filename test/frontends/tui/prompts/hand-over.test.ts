import { expect, setDefaultTimeout, test } from "bun:test";
import { useModel } from "../../../e2e/fake-model.ts";
import { startFakeServer } from "../../../support/fake-server.ts";
import { tempHome } from "../../../support/home.ts";
import { startTui } from "../../../support/tui.ts";

// A program is started for each test, on a machine that may be busy.
setDefaultTimeout(120_000);

const READY = /100% left/;
const COMPOSER = /^› Ask/m;

async function atComposer() {
  const server = startFakeServer([]);
  const home = await tempHome();
  const tables = `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`;
  await useModel(home, server, { tables });
  const tui = startTui(home, []);
  await tui.until(READY);
  return {
    tui,
    async [Symbol.asyncDispose]() {
      await tui[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("command, arrow, Enter and the next draft in one write: the right choice, and the draft is kept", async () => {
  await using one = await atComposer();
  one.tui.type("/permissions\r\u001b[B\rnext draft 漢字");
  await one.tui.until("› next draft 漢字");
  expect(one.tui.history).toMatch(/What commands may do\n│ {2}read-only/);
  await one.tui.until(/Permissions from now on: read-only/);
});

test("Esc and Ctrl+C close only the question; the composer has the keys again", async () => {
  await using one = await atComposer();
  for (const [key, draft] of [
    ["\u001b", "after esc"],
    ["\u0003", "after ctrl+c"],
  ]) {
    one.tui.type("/permissions\r");
    await one.tui.until(/◆ {2}What commands may do/);
    one.tui.type(key ?? "");
    await one.tui.until(COMPOSER);
    one.tui.type(draft ?? "");
    await one.tui.until(`› ${draft}`);
    one.tui.type("\u0015");
    await one.tui.until(COMPOSER);
  }
  one.tui.type("\u0004");
  const { exitCode, settings } = await one.tui.ended;
  expect(exitCode).toBe(0);
  expect(settings).toMatch(/\sicanon\b.*\secho\b/s);
});

test("full access is asked for a second time, and Enter alone means no", async () => {
  await using one = await atComposer();
  one.tui.type("/permissions\r3\r");
  await one.tui.until(COMPOSER);
  expect(one.tui.screen).not.toContain("from now on");
});
