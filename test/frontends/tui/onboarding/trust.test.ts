import { expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../../../src/config/load.ts";
import { parseOverride } from "../../../../src/config/overrides.ts";
import { askTrust, isUndecided } from "../../../../src/frontends/tui/onboarding/trust.ts";
import { FakeAsker } from "./fake-asker.ts";

async function tempProject() {
  const root = await mkdtemp(join(tmpdir(), "trust-"));
  const [home, project] = [join(root, "home"), join(root, "shop")];
  await mkdir(home);
  await mkdir(join(project, ".git"), { recursive: true });
  await mkdir(join(project, "src"));
  const load = (cwd: string, ...overrides: string[]) =>
    loadConfig({
      env: { HOME: root, INTERPRETER_HOME: home },
      cwd,
      overrides: overrides.map(parseOverride),
      systemFile: join(root, "none.toml"),
    });
  const configText = () => readFile(join(home, "config.toml"), "utf8").catch(() => "");
  return {
    project,
    load,
    configText,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

test("trust is remembered for the root of the project, and counts from then on", async () => {
  await using temp = await tempProject();
  const cwd = join(temp.project, "src");
  const config = await temp.load(cwd);
  const asker = new FakeAsker("Trust");
  expect(await askTrust(asker, { config, cwd })).toBe("trusted");
  expect(asker.seen.slice(-4)).toEqual([
    `? Trust ${temp.project}?`,
    "> Trust",
    "  Look around (read-only)",
    "  Quit",
  ]);
  const after = await temp.load(cwd);
  expect([isUndecided(config), isUndecided(after), after.trust]).toEqual([true, false, "trusted"]);
});

test("what trust would switch on is listed, and then the careful choice comes first", async () => {
  await using temp = await tempProject();
  const folder = join(temp.project, ".openinterpreter");
  await mkdir(join(folder, "harnesses"), { recursive: true });
  await writeFile(join(folder, "config.toml"), '[mcp_servers.db]\ncommand = "run-me"\n');
  await writeFile(join(folder, "harnesses", "mine.yaml"), "id: mine\n");
  for (let i = 10; i < 20; i++) await mkdir(join(temp.project, `.agents/skills/s${i}`), { recursive: true });
  const config = await temp.load(temp.project);
  const asker = new FakeAsker("Look");
  expect(await askTrust(asker, { config, cwd: temp.project })).toBe("look");
  expect(asker.seen.slice(1)).toEqual([
    "It brings:",
    expect.stringMatching(/^ {2}\.agents\/skills: s\d\d(?:, s\d\d){7}, 2 more$/),
    "  .openinterpreter/config.toml: settings, MCP servers that are started: db",
    "  .openinterpreter/harnesses: mine.yaml",
    `? Trust ${temp.project}?`,
    "  Trust",
    "> Look around (read-only)",
    "  Quit",
  ]);
  expect(await temp.configText()).toBe("");
});

test("a file that can't be read is named, and stops nothing", async () => {
  await using temp = await tempProject();
  const folder = join(temp.project, ".openinterpreter");
  await mkdir(folder);
  await writeFile(join(folder, "config.toml"), "= broken");
  const config = await temp.load(temp.project);
  const asker = new FakeAsker(undefined);
  expect(await askTrust(asker, { config, cwd: temp.project })).toBe("look");
  expect(asker.seen).toContain("  .openinterpreter/config.toml: can't be read");
});

test("a sandbox mode that was chosen for this run is a decision", async () => {
  await using temp = await tempProject();
  expect(isUndecided(await temp.load(temp.project, "sandbox_mode=read-only"))).toBe(false);
});
