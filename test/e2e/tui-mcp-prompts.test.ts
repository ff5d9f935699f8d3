import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bodyOf, dialogue, useServer } from "../support/exec.ts";
import { calls, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { startTui } from "../support/tui.ts";

setDefaultTimeout(120_000);

const SERVER = join(import.meta.dir, "..", "fixtures", "mcp", "server.ts");

for (const term of ["xterm-256color", "dumb"])
  test(`a prompt of an MCP server is a command, on ${term}`, async () => {
    await using home = await tempHome();
    await using server = startFakeServer([says("first answer"), says("second answer")]);
    await useServer(home, server, {
      provider: `
[mcp_servers.t]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(SERVER)}, "prompts"]

[projects.${JSON.stringify(home.cwd)}]
trust_level = "trusted"`,
    });
    await using tui = startTui(home, ["go"], { env: { TERM: term }, columns: 100, rows: 40 });
    await tui.until(/first answer[\s\S]*^[›>]/m);
    tui.type("/mcp__t__review_code a.ts\r");
    await tui.until("second answer");
    expect(dialogue(bodyOf(server, 1)).at(-1)).toBe(
      'user: review code {"file":"a.ts"}\n\n<assistant>\nWith pleasure.\n</assistant>\n\n(a picture, left out)',
    );
  });

test("a yes for ever to a tool of a server stands in config.toml, and nobody is asked again", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([
    calls("mcp__t__env", {}),
    says("first"),
    calls("mcp__t__env", {}),
    says("second"),
  ]);
  const tables = `[mcp_servers.t]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(SERVER)}]

[projects.${JSON.stringify(home.cwd)}]
trust_level = "trusted"`;
  await useServer(home, server, { provider: tables });
  await using tui = startTui(home, ["go"], { columns: 100, rows: 40 });
  await tui.until("config.toml will say so");
  await Bun.sleep(350); // the pause that the question itself makes
  tui.type("w");
  await tui.until("first");
  expect(await readFile(join(home.path, "config.toml"), "utf8")).toMatch(
    /\[mcp_servers\.t\.tools\.env\]\napproval_mode = "approve"/,
  );
  await using again = startTui(home, ["go"], { columns: 100, rows: 40 });
  await again.until("second");
});
