import { setDefaultTimeout, test } from "bun:test";
import { tempHome } from "../../support/home.ts";
import { startOllamaServer } from "../../support/ollama-server/server.ts";
import { says } from "../../support/ollama-server/types.ts";
import { startTui } from "../../support/tui.ts";

// A program is started for each test, on a machine that may be busy.
setDefaultTimeout(120_000);

/** What the server says of its answer: 1.5 s to load, a second for the prompt, half a second for 20 tokens. */
const SPEED = /speed:? +first token after 2\.5 s, 40\.0 tokens\/s/;

for (const term of ["xterm-256color", "dumb"])
  test(`/status tells how fast the last answer came, on ${term}`, async () => {
    await using server = startOllamaServer({ models: [{ name: "llama3" }], turns: [says("all done")] });
    await using home = await tempHome();
    await home.write("~/config.toml", `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`);
    const env = { TERM: term, OLLAMA_HOST: server.host };
    await using tui = startTui(home, ["--oss", "-m", "llama3", "go"], { env, columns: 100, rows: 40 });
    await tui.until(/all done[\s\S]*^[›>]/m);
    tui.type("/status\r");
    await tui.until(SPEED);
  });
