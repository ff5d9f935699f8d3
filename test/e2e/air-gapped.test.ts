import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TempHome, tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { calls, says } from "../support/ollama-server/types.ts";
import { program } from "../support/run.ts";
import { startTui } from "../support/tui.ts";

setDefaultTimeout(120_000);

const strace = process.platform === "linux" ? Bun.which("strace") : null;
if (!strace) process.stderr.write("skipped: connections can only be traced on Linux with strace\n");

/** Every address that the program, and whatever it starts, tries to reach over a network. */
async function addressesOf(home: TempHome, args: readonly string[], env: Record<string, string>) {
  const child = Bun.spawn([...tracer(home), ...program(), ...args], {
    cwd: home.cwd,
    env: { ...home.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [exitCode, stdout] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { exitCode, stdout, addresses: await tracedAddresses(home) };
}

function tracer(home: TempHome): string[] {
  return [
    strace ?? "",
    "-f",
    "-qq",
    "-e",
    "trace=connect,sendto,sendmsg",
    "-o",
    join(home.path, "connects.txt"),
  ];
}

async function tracedAddresses(home: TempHome): Promise<string[]> {
  const text = await readFile(join(home.path, "connects.txt"), "utf8");
  const address =
    /sin6?_port=htons\((\d+)\), (?:sin6_flowinfo=\S+ )?(?:sin_addr=inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/g;
  const found = [...text.matchAll(address)].map(([, port, v4, v6]) => `${v4 ?? v6}:${port}`);
  return [...new Set(found)].sort();
}

test.skipIf(!strace)(
  "a session reaches nothing but its model server",
  async () => {
    await using home = await tempHome();
    await using server = startOllamaServer({
      models: [{ name: "qwen3:8b" }],
      turns: [calls("exec_command", { cmd: "git status; echo x > a.txt" }), says("all done")],
    });
    const args = ["exec", "--json", "--skip-git-repo-check", "--full-auto", "--oss", "-m", "qwen3:8b", "go"];
    const { exitCode, stdout, addresses } = await addressesOf(home, args, { OLLAMA_HOST: server.host });
    expect([exitCode, stdout.includes("all done")]).toEqual([0, true]);
    expect(addresses).toEqual([server.host]);
  },
  30_000,
);

test.skipIf(!strace)(
  "with nothing configured, only this machine is looked at",
  async () => {
    await using home = await tempHome();
    await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }], turns: [says("all done")] });
    const { addresses } = await addressesOf(home, ["exec", "--skip-git-repo-check", "go"], {
      OLLAMA_HOST: server.host,
    });
    expect(addresses).toEqual([server.host]);
  },
  30_000,
);

test.skipIf(!strace)(
  "doctor asks this machine and the configured provider only",
  async () => {
    await using home = await tempHome();
    await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }] });
    const { addresses } = await addressesOf(home, ["doctor", "--oss"], { OLLAMA_HOST: server.host });
    expect(addresses).toContain(server.host);
    expect(addresses.filter((address) => !address.startsWith("127.0.0.1:"))).toEqual([]);
  },
  30_000,
);

test.skipIf(!strace)(
  "a conversation in the terminal reaches nothing but its model server",
  async () => {
    await using home = await tempHome();
    await using server = startOllamaServer({ models: [{ name: "llama3" }], turns: [says("all done")] });
    await home.write("~/config.toml", `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`);
    await using tui = startTui(home, ["--oss", "-m", "llama3"], {
      env: { OLLAMA_HOST: server.host },
      under: tracer(home),
    });
    await tui.until(/^› /m);
    tui.type("go\r");
    await tui.until("all done");
    await tui.until(/^› /m);
    tui.type("\u0004");
    expect((await tui.ended).exitCode).toBe(0);
    expect(await tracedAddresses(home)).toEqual([server.host]);
  },
  60_000,
);
