import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEMO_PROMPT, layOutDemoRepository } from "../../providers/demo/repository.ts";

/** Lays out the sample repository in a new temporary folder. Throws AppError. */
export async function prepareDemo(): Promise<{ cwd: string; prompt: string }> {
  const cwd = await mkdtemp(join(tmpdir(), "interpreter-demo-"));
  await layOutDemoRepository(cwd);
  return { cwd, prompt: DEMO_PROMPT };
}
