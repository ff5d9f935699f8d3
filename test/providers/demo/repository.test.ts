import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BROKEN_LINE, FIXED_LINE, layOutDemoRepository } from "../../../src/providers/demo/repository.ts";

async function laidOut() {
  const parent = await mkdtemp(join(tmpdir(), "demo-"));
  const dir = join(parent, "slug");
  await layOutDemoRepository(dir);
  return { dir, [Symbol.asyncDispose]: () => rm(parent, { recursive: true }) };
}

function runTests(dir: string) {
  const { exitCode, stdout } = Bun.spawnSync(["sh", "test.sh"], { cwd: dir });
  return { exitCode, lastLine: stdout.toString().trim().split("\n").at(-1) };
}

test("the demo's tests fail first, and pass with the recorded fix", async () => {
  await using repository = await laidOut();
  const tool = join(repository.dir, "slug.sh");
  expect(runTests(repository.dir)).toEqual({ exitCode: 1, lastLine: "1 passed, 3 failed" });
  await Bun.write(
    tool,
    (await Bun.file(tool).text()).replace(BROKEN_LINE, () => FIXED_LINE),
  );
  expect(runTests(repository.dir)).toEqual({ exitCode: 0, lastLine: "4 passed, 0 failed" });
});

test.skipIf(!Bun.which("git"))("the demo is a clean git repository (needs git)", async () => {
  await using repository = await laidOut();
  const status = Bun.spawnSync(["git", "status", "--porcelain", "--branch"], { cwd: repository.dir });
  expect([status.exitCode, status.stdout.toString().split("\n").length]).toEqual([0, 2]);
});

test("a folder with files is left alone", async () => {
  await using repository = await laidOut();
  const before = await readdir(repository.dir);
  await expect(layOutDemoRepository(repository.dir)).rejects.toThrow("the demo needs an empty folder");
  expect(await readdir(repository.dir)).toEqual(before);
});
