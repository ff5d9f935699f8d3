import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { confinedTest } from "../sandbox/confined.ts";
import { bodyOf, completed, conversation, exec, type Json, useServer } from "../support/exec.ts";
import { calls, type FakeChoice, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const OPEN = ["-s", "danger-full-access"];
const WORKSPACE = ["-s", "workspace-write"];

type Settings = { args?: readonly string[]; env?: Record<string, string>; more?: string; provider?: string };

/** Lets the model run one command; its item, and what the model reads of it. */
async function command(home: TempHome, cmd: string, settings: Settings = {}) {
  await using server = startFakeServer([calls("exec_command", { cmd }), says("done")]);
  const { args = OPEN, env = {}, more = "", provider = "" } = settings;
  await useServer(home, server, { more, provider });
  const { events } = await exec(home, [...args, "go"], { env });
  const [item = {}] = completed(events, "command_execution");
  const read = conversation(bodyOf(server, 1)).at(-1) ?? "";
  return { item, read };
}

function outputOf(item: Json): string {
  return String(item["aggregated_output"]);
}

const PATCH = `*** Begin Patch
*** Update File: a.txt
@@
-one
+two
*** End Patch`;

const PATCH_SCRIPTS: [title: string, script: string, output: RegExp][] = [
  [
    "after a change of folder and before another command",
    `cd sub && apply_patch <<'EOF' && echo then\n${PATCH}\nEOF`,
    /^Success\. Updated the following files:\nM a\.txt\nthen\n$/,
  ],
  ["as an argument", `cd sub; apply_patch '${PATCH}'; echo "code $?"`, /M a\.txt\ncode 0\n$/],
  ["through a pipe", `cd sub; printf '%s\\n' '${PATCH}' | apply_patch | tail -1`, /^M a\.txt\n$/],
];

for (const [where, args] of [
  ["without a sandbox", OPEN],
  ["in the sandbox", WORKSPACE],
] as const) {
  for (const [title, script, output] of PATCH_SCRIPTS) {
    (where === "in the sandbox" ? confinedTest : test)(
      `${where} a script finds apply_patch ${title}`,
      async () => {
        await using home = await tempHome();
        const file = await home.write("sub/a.txt", "one\n");
        const { item } = await command(home, script, { args });
        expect({ output: outputOf(item), status: item["status"] }).toEqual({
          output: expect.stringMatching(output),
          status: "completed",
        });
        expect(await readFile(file, "utf8")).toBe("two\n");
      },
    );
  }
}

test("apply_patch in a script of the project, called without a login shell, is found as well", async () => {
  await using home = await tempHome();
  const file = await home.write("a.txt", "one\n");
  await home.write("fix.sh", `apply_patch <<'EOF'\n${PATCH}\nEOF\n`);
  await using server = startFakeServer([
    calls("exec_command", { cmd: "sh fix.sh", login: false }),
    says("done"),
  ]);
  await useServer(home, server);
  await exec(home, [...OPEN, "go"]);
  expect(await readFile(file, "utf8")).toBe("two\n");
});

test("a patch that does not apply is a failed command whose output says why", async () => {
  await using home = await tempHome();
  await home.write("a.txt", "three\n");
  const { item } = await command(home, `true && apply_patch <<'EOF' && echo then\n${PATCH}\nEOF`);
  expect(item).toMatchObject({ exit_code: 1, status: "failed" });
  expect(outputOf(item)).toContain("Failed to find expected lines in");
});

confinedTest("in the read-only sandbox apply_patch changes nothing", async () => {
  await using home = await tempHome();
  const file = await home.write("a.txt", "one\n");
  const { item } = await command(home, `true && apply_patch <<'EOF'\n${PATCH}\nEOF`, {
    args: ["-s", "read-only"],
  });
  expect({ status: item["status"], file: await readFile(file, "utf8") }).toEqual({
    status: "failed",
    file: "one\n",
  });
});

test("the folder with our programs is gone after the run", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([
    calls("exec_command", { cmd: "command -v apply_patch", login: false }),
    says("done"),
  ]);
  await useServer(home, server);
  const { events } = await exec(home, [...OPEN, "go"]);
  const path = outputOf(completed(events, "command_execution")[0] ?? {}).trim();
  expect({ isOurs: path.startsWith(join(home.path, "programs")), exists: existsSync(path) }).toEqual({
    isOurs: true,
    exists: false,
  });
  expect(await readdir(home.path)).not.toContain("programs");
});

const KEY = "sk-0123456789abcdef";

test("keys never reach a command, under no name", async () => {
  await using home = await tempHome();
  const { item } = await command(home, "env", {
    env: { FAKE_KEY: KEY, COPY_OF_IT: KEY, OPENAI_API_KEY: "sk-other-provider", HARMLESS: "stays" },
    provider: 'env_key = "FAKE_KEY"',
  });
  const lines = outputOf(item).split("\n");
  const kept = lines.filter((line) => /^(FAKE_KEY|COPY_OF_IT|OPENAI_API_KEY|HARMLESS)=|sk-/.test(line));
  expect(kept).toEqual(["HARMLESS=stays"]);
});

test("commands see a terminal that can't page, paint or speak another language", async () => {
  await using home = await tempHome();
  const { item } = await command(home, "env");
  const lines = new Set(outputOf(item).split("\n"));
  const wanted = ["NO_COLOR=1", "TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "LC_ALL=C.UTF-8", "CODEX_CI=1"];
  expect(wanted.filter((line) => !lines.has(line))).toEqual([]);
});

test("shell_environment_policy leaves variables out and sets others", async () => {
  await using home = await tempHome();
  const { item } = await command(home, "env", {
    env: { MY_OWN: "a", OTHER_OWN: "b" },
    more: 'shell_environment_policy = { exclude = ["MY_*"], set = { ADDED = "c" } }',
  });
  const lines = outputOf(item).split("\n");
  expect(lines.filter((line) => /_OWN=|^ADDED=/.test(line)).sort()).toEqual(["ADDED=c", "OTHER_OWN=b"]);
});

confinedTest(
  "in the sandbox commands write only where they may, and know that they are offline",
  async () => {
    await using home = await tempHome();
    const outside = join(home.cwd, "..", "outside");
    const extra = join(home.cwd, "..", "extra");
    await Promise.all([mkdir(outside), mkdir(extra)]);
    const script = `touch in; touch ${extra}/in; touch ${outside}/in; echo "offline $CODEX_SANDBOX_NETWORK_DISABLED"`;
    const { item, read } = await command(home, script, {
      args: [...WORKSPACE, "--add-dir", extra],
      more: "sandbox_workspace_write = { exclude_slash_tmp = true, exclude_tmpdir_env_var = true }",
    });
    const made = await Promise.all([home.cwd, extra, outside].map((folder) => readdir(folder)));
    expect(made).toEqual([["in"], ["in"], []]);
    expect(outputOf(item)).toMatch(/Read-only file system\noffline 1\n$/);
    expect(read).toContain("Read-only file system");
  },
);

test("a command that asks for more rights is refused, as nobody can be asked", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([
    calls("exec_command", {
      cmd: "touch x",
      sandbox_permissions: "require_escalated",
      justification: "please",
    }),
    says("done"),
  ]);
  await useServer(home, server);
  const { events } = await exec(home, ["go"]);
  expect({ items: completed(events, "command_execution"), exists: existsSync(join(home.cwd, "x")) }).toEqual({
    items: [],
    exists: false,
  });
  expect(conversation(bodyOf(server, 1)).at(-1)).toMatch(/^result .*never/is);
});

test("a command that runs on is written to and read later, and is one item", async () => {
  await using home = await tempHome();
  const writes: FakeChoice = ({ body }) => {
    const id = Number(/session ID (\d+)/.exec(JSON.stringify(body))?.[1]);
    return calls("write_stdin", { session_id: id, chars: "Ada\n", yield_time_ms: 30_000 });
  };
  const cmd = 'read name; echo "hello $name"';
  await using server = startFakeServer([
    calls("exec_command", { cmd, tty: true, yield_time_ms: 250 }),
    writes,
    says("done"),
  ]);
  await useServer(home, server);
  const { events } = await exec(home, [...OPEN, "go"]);
  const items = completed(events, "command_execution");
  expect(items).toMatchObject([{ exit_code: 0, status: "completed" }]);
  expect(outputOf(items[0] ?? {})).toContain("hello Ada");
  expect(conversation(bodyOf(server, 2)).at(-1)).toMatch(/hello Ada/);
});

test("output beyond the budget is cut in the middle for the model, and says so", async () => {
  await using home = await tempHome();
  const { item, read } = await command(home, "seq 20000");
  expect(outputOf(item).length).toBe(108894);
  expect(read.length).toBeLessThan(12_000);
  expect(read).toMatch(/Warning: truncated output[\s\S]*\n1\n2\n[\s\S]*truncated…[\s\S]*\n20000\n$/);
});
