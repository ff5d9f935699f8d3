// Shows the agent at work without a model: `exec --demo` lays out a small repository whose tests fail and lets a recorded
// model repair it. What counts are the tests, run here before and after: ends with 1 unless they failed and pass now.
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEMO_PROMPT, layOutDemoRepository } from "../src/providers/demo/repository.ts";

const binary = join(import.meta.dir, "..", "dist", "interpreter");
const REPOSITORY_PREFIX = "interpreter-demo-";

if (!(await Bun.file(binary).exists())) {
  console.error("dist/interpreter is missing; run `npm run demo`, which builds it first");
  process.exit(1);
}
// Ctrl-C reaches the agent as well and ends it; we stay to clear up.
process.on("SIGINT", () => {});
const work = await mkdtemp(join(tmpdir(), "demo-"));
try {
  process.exitCode = (await isRepaired(work)) ? 0 : 1;
} finally {
  await rm(work, { recursive: true, force: true });
}

async function isRepaired(folder: string): Promise<boolean> {
  const original = join(folder, "original");
  await layOutDemoRepository(original);
  const before = await testStatus(original, "as it is laid out");
  const { exitCode, repository } = await runAgent(folder);
  if (!repository) return failed(`exec ended with ${exitCode} and laid out no repository`);
  const after = await testStatus(repository, "after the demo");
  await showChange(original, repository);
  if (exitCode !== 0) return failed(`exec ended with ${exitCode}`);
  if (before === 0 || after !== 0) return failed("the tests should have failed before and passed after");
  if ((await textOf(original, "test.sh")) !== (await textOf(repository, "test.sh")))
    return failed("test.sh was changed");
  console.log("demo: the tests failed before and pass now");
  return true;
}

function failed(reason: string): false {
  console.error(`demo failed: ${reason}`);
  return false;
}

async function runAgent(folder: string): Promise<{ exitCode: number; repository?: string }> {
  const home = join(folder, "home");
  const tmp = join(folder, "tmp");
  await Promise.all([mkdir(home), mkdir(tmp)]);
  // The probe, too, must leave nothing in the home folder of the user.
  const env = { ...process.env, INTERPRETER_HOME: home, TMPDIR: tmp };
  const args = (await hasSandbox(tmp, env))
    ? ["--demo"]
    : await withoutSandbox(join(tmp, `${REPOSITORY_PREFIX}open`));
  const agent = Bun.spawn([binary, "exec", ...args], {
    cwd: tmp,
    env,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  const exitCode = await agent.exited;
  const name = (await readdir(tmp)).find((entry) => entry.startsWith(REPOSITORY_PREFIX));
  return name === undefined ? { exitCode } : { exitCode, repository: join(tmp, name) };
}

async function hasSandbox(cwd: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const probe = Bun.spawn([binary, "sandbox", "--mode", "workspace-write", "--", "true"], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [reason, exitCode] = await Promise.all([probe.stderr.text(), probe.exited]);
  if (exitCode !== 0) console.log(`demo: this machine has no sandbox for commands\n${reason.trim()}\n`);
  return exitCode === 0;
}

/** The commands of the recording are known beforehand, so they can be shown where nothing contains them. */
async function withoutSandbox(repository: string): Promise<string[]> {
  await layOutDemoRepository(repository);
  const options = ["-c", "model_provider=demo", "--sandbox", "danger-full-access", "--skip-git-repo-check"];
  return [...options, "--cd", repository, DEMO_PROMPT];
}

async function testStatus(repository: string, when: string): Promise<number> {
  const tests = Bun.spawn(["sh", "test.sh"], {
    cwd: repository,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const [output, exitCode] = await Promise.all([tests.stdout.text(), tests.exited]);
  console.log(`\n--- sh test.sh, ${when}: exit code ${exitCode} ---\n${output}`);
  return exitCode;
}

async function showChange(original: string, repository: string): Promise<void> {
  const [before, after] = [await textOf(original, "slug.sh"), await textOf(repository, "slug.sh")];
  const lines = (text: string) => new Set(text.split("\n"));
  const removed = [...lines(before).difference(lines(after))].map((line) => `- ${line}`);
  const added = [...lines(after).difference(lines(before))].map((line) => `+ ${line}`);
  console.log(["--- slug.sh ---", ...removed, ...added, ""].join("\n"));
}

function textOf(repository: string, name: string): Promise<string> {
  return Bun.file(join(repository, name)).text();
}
