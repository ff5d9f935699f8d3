import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { says } from "../support/ollama-server/types.ts";
import { run } from "../support/run.ts";
import { startTui } from "../support/tui.ts";

// The program is started three times on a machine that may be busy.
setDefaultTimeout(120_000);

const TOLD = "24000 tokens (the model's own num_ctx)";

test("banner, doctor, /status, the session's file and the requests have the same window", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [{ name: "qwen3:8b", parameters: { num_ctx: 24_000 } }],
    turns: () => says("all done"),
  });
  const env = { OLLAMA_HOST: server.host };
  await home.write("~/config.toml", `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`);
  const exec = await run(home, ["exec", "--skip-git-repo-check", "--oss", "go"], { env });
  expect(exec.stderr).toContain(`\ncontext: ${TOLD}\n`);
  const sessions = await readdir(join(home.path, "sessions"), { recursive: true });
  const [file = ""] = sessions.filter((name) => name.endsWith(".jsonl"));
  const record = await readFile(join(home.path, "sessions", file), "utf8");
  expect(new Set(record.match(/"model_context_window":\d+/g))).toEqual(
    new Set(['"model_context_window":24000']),
  );
  const doctor = await run(home, ["doctor", "--json", "--oss"], { env });
  const { checks } = JSON.parse(doctor.stdout);
  // By then the model is in memory, which is the reason that counts first.
  const context = checks.find(({ name }: { name: string }) => name === "context");
  expect(context.detail).toBe("24000 tokens (as it is loaded)");
  await using tui = startTui(home, ["--oss"], { env, columns: 110 });
  await tui.until(/^› /m);
  tui.type("/status\r");
  await tui.until("100% left of 24000 tokens (as it is loaded)");
  tui.type("go\r");
  await tui.until("all done");
  expect(server.chats().map(({ options }) => options)).toEqual([{ num_ctx: 24_000 }, { num_ctx: 24_000 }]);
  expect(server.loads()).toBe(1);
});
