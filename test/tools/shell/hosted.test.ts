import { expect, test } from "bun:test";
import type { CommandHost, HostedSpec } from "../../../src/protocol/command-host.ts";
import type { SandboxPolicy } from "../../../src/protocol/policy.ts";
import { exec } from "../../../src/tools/exec.ts";
import { shellCommand } from "../../../src/tools/shell-command.ts";
import { bench } from "./support.ts";

/** A host that is asked, and runs nothing. */
function recordingHost(): CommandHost & { asked: HostedSpec[] } {
  const asked: HostedSpec[] = [];
  return {
    asked,
    async start(command) {
      asked.push(command);
      return { problem: "not here" };
    },
  };
}

test("a host is asked for commands that read nothing and need no terminal, and what it says counts", async () => {
  const host = recordingHost();
  await using run = bench({ host });
  const { ok, content } = await run.call(exec, { command: "echo ran", login: false });
  expect({ ok, content }).toEqual({
    ok: false,
    content: [{ type: "input_text", text: "exec_command failed: not here" }],
  });
  expect(host.asked.map(({ callId, cwd, argv }) => ({ callId, cwd, script: argv.at(-1) }))).toEqual([
    { callId: "call-1", cwd: run.cwd, script: "echo ran" },
  ]);
});

test("commands on a terminal, with something to read, or in a sandbox never go to a host", async () => {
  const host = recordingHost();
  const lists = { write: [], protect: [], deny: [] };
  const confined: SandboxPolicy = { mode: "restricted", read: "everything", network: false, ...lists };
  await using run = bench({ host });
  const results = [
    await run.call(exec, { command: "echo ran", tty: true }),
    await run.call(shellCommand, { command: "cat", stdin: "ran" }),
    await run.call(shellCommand, { command: "echo ran" }, { policy: confined }),
  ];
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(host.asked).toEqual([]);
});
