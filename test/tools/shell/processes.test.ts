import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { LiveCommand } from "../../../src/tools/shell/live-command.ts";
import { startProcess } from "../../../src/tools/shell/process.ts";
import { ProcessTable } from "../../../src/tools/shell/processes.ts";
import { gone, isAlive } from "./support.ts";

const { PATH = "/usr/bin:/bin" } = process.env;

function start(table: ProcessTable, script: string): LiveCommand {
  const argv = ["/bin/sh", "-c", script];
  const cwd = tmpdir();
  const command = new LiveCommand(
    (onText) =>
      startProcess({ argv, cwd, env: { PATH }, fds: [], release: () => {} }, { tty: false }, onText),
    { command: script, cwd, tty: false, policy: { mode: "off" } },
    () => {},
  );
  table.track(command);
  return command;
}

function newTable(): ProcessTable & AsyncDisposable {
  const table = new ProcessTable();
  return Object.assign(table, { [Symbol.asyncDispose]: () => table.dispose() });
}

test("ids are numbers from 1000 to 99999 that find their command again", async () => {
  await using table = newTable();
  const command = start(table, "exec sleep 60");
  const id = table.adopt(command, () => {});
  expect(id).toBeGreaterThanOrEqual(1000);
  expect(id).toBeLessThanOrEqual(99_999);
  expect(table.find(id)).toBe(command);
  expect(table.running()).toEqual([
    { id, command: "exec sleep 60", cwd: tmpdir(), startedAt: command.startedAt },
  ]);
});

test("a running command can be stopped from outside, and its end is reported", async () => {
  await using table = newTable();
  const command = start(table, "exec sleep 60");
  const ended = Promise.withResolvers<void>();
  const id = table.adopt(command, () => ended.resolve());
  expect(await table.stop(id)).toBe(true);
  await ended.promise;
  expect(command.exitCode).toBeGreaterThan(128);
  expect(table.running()).toEqual([]);
  expect(await table.stop(id)).toBe(false);
  expect(await table.stop(1)).toBe(false);
});

test("the 65th command takes the place of the one that was not used for longest", async () => {
  await using table = newTable();
  const first = start(table, "exec sleep 60");
  const second = start(table, "exec sleep 60");
  const firstId = table.adopt(first, () => {});
  const secondId = table.adopt(second, () => {});
  for (let n = 2; n < 64; n++) table.adopt(second, () => {});
  table.find(firstId);
  table.adopt(first, () => {});
  expect(table.find(secondId)).toBeUndefined();
  expect(table.find(firstId)).toBe(first);
  await gone(second.pid);
  expect(isAlive(first.pid)).toBe(true);
});

test("a command that has ended makes room before one that runs", async () => {
  await using table = newTable();
  const running = start(table, "exec sleep 60");
  const over = start(table, "true");
  const runningId = table.adopt(running, () => {});
  const overId = table.adopt(over, () => {});
  for (let n = 2; n < 64; n++) table.adopt(running, () => {});
  await over.ended;
  table.adopt(running, () => {});
  expect(table.find(overId)).toBeUndefined();
  expect(table.find(runningId)).toBe(running);
  expect(isAlive(running.pid)).toBe(true);
});

test("disposal ends everything and reports nothing", async () => {
  const table = new ProcessTable();
  const hooks = process.listenerCount("exit");
  const command = start(table, "exec sleep 60");
  expect(process.listenerCount("exit")).toBe(hooks + 1);
  let reports = 0;
  table.adopt(command, () => {
    reports++;
  });
  await table.dispose();
  await command.ended;
  expect(reports).toBe(0);
  expect(table.running()).toEqual([]);
  expect(process.listenerCount("exit")).toBe(hooks);
});
