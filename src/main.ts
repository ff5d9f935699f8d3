import { choose } from "./cli/dispatch.ts";
import { NAME, VERSION } from "./util/package.ts";

const choice = choose(process.argv0, process.argv.slice(2));
if (choice.kind === "version") {
  // Answered here: loading anything else takes longer than this.
  try {
    const stdout = Bun.stdout.writer();
    stdout.write(`${NAME} ${VERSION}\n`);
    await stdout.flush();
  } catch {
    // A disk that is full, for one. What runs a program knows how to say it.
    await runProgram();
  }
} else {
  await runProgram();
}

async function runProgram(): Promise<void> {
  const { run } = await import("./cli/run.ts");
  await run(choice);
}
