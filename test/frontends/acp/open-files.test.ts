import { expect, test } from "bun:test";
import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpenFiles } from "../../../src/frontends/acp/open-files.ts";

const FACTS = {
  notices: false,
  compaction: false,
  forms: false,
  addresses: false,
  terminals: false,
  subagents: false,
  terminalOutput: false,
};

function clientWith(reads: boolean, writes: boolean) {
  const asked: string[] = [];
  const notices: string[] = [];
  const client = {
    facts: { ...FACTS, readsFiles: reads, writesFiles: writes },
    asked,
    notices,
    notice: (_: string, __: string, text: string) => void notices.push(text),
    // Never answers: what comes back comes from being interrupted.
    readFile({ path }: { path: string }, signal: AbortSignal) {
      asked.push(path);
      return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
    async writeFile({ path }: { path: string }) {
      asked.push(path);
      return {};
    },
  };
  return client;
}

test("a client that does not answer is waited for no longer once the person interrupts", async () => {
  const client = clientWith(true, false);
  const files = new OpenFiles(client, "s1", tmpdir());
  const reading = files.editor?.read?.("/elsewhere/a.txt");
  files.interrupt();
  expect(await reading).toBeUndefined();
  expect(client.asked).toEqual(["/elsewhere/a.txt"]);
});

test("a client that was waited for in vain is told about and asked no more", async () => {
  const client = clientWith(true, true);
  const { editor } = new OpenFiles(client, "s1", tmpdir(), { readMs: 1, writeMs: 1 });
  expect(await editor?.read?.("/elsewhere/a.txt")).toBeUndefined();
  expect(await editor?.read?.("/elsewhere/a.txt")).toBeUndefined();
  expect(await editor?.write?.("/elsewhere/a.txt", "text")).toBe(false);
  expect(client.asked).toEqual(["/elsewhere/a.txt"]);
  expect(client.notices).toEqual([
    "The editor does not answer about its files, so they are read and written on the disk.",
  ]);
});

test("a client that offers nothing is not an editor, and one that only reads writes nothing", () => {
  expect(new OpenFiles(clientWith(false, false), "s1", tmpdir()).editor).toBeUndefined();
  expect(new OpenFiles(clientWith(true, false), "s1", tmpdir()).editor?.write).toBeUndefined();
});

test("files of a folder that was opened through a link are named as the client knows them", async () => {
  const real = await realpath(await mkdtemp(join(tmpdir(), "open-files-")));
  const link = `${real}-link`;
  await symlink(real, link);
  try {
    const client = clientWith(false, true);
    await new OpenFiles(client, "s1", link).editor?.write?.(join(real, "src/a.ts"), "text");
    expect(client.asked).toEqual([join(link, "src/a.ts")]);
  } finally {
    await rm(link);
    await rm(real, { recursive: true });
  }
});
