import { z } from "zod";
import type { FileChange } from "../protocol/details.ts";
import { defineTool } from "./define.ts";
import { absolutePath, homeOf } from "./files/location.ts";
import { knowledge, noteGone, noteSeen } from "./files/read-state.ts";
import { commit } from "./patch/commit.ts";
import { describeChanges } from "./patch/diff.ts";
import { type Hunk, parsePatch } from "./patch/parse.ts";
import { type PatchPlan, planPatch } from "./patch/plan.ts";
import { planningProblem } from "./plan-state.ts";
import { refused, textResult } from "./results.ts";
import type { Prepared, RunContext, ToolContext, ToolMemory, ToolResult } from "./types.ts";

/** Native "apply_patch": changes files by a patch in the `*** Begin Patch` form. */
export const applyPatch = defineTool({
  name: "apply_patch",
  schema: z.looseObject({ patch: z.string(), workdir: z.string().optional() }),
  parallel: false,
  prepare: ({ patch, workdir }, ctx) =>
    preparePatch(patch, absolutePath(workdir ?? ".", ctx.cwd, homeOf(ctx)), ctx),
});

/** Checks a whole patch against the files below `cwd`. The call that comes back writes them. */
export async function preparePatch(patch: string, cwd: string, ctx: ToolContext): Promise<Prepared> {
  const planning = planningProblem(ctx);
  if (planning) return refused(planning);
  const parsed = parsePatch(patch);
  if ("problem" in parsed) {
    const { line, message } = parsed.problem;
    const what = line === undefined ? "invalid patch: " : `invalid hunk at line ${line}, `;
    return refused(`apply_patch verification failed: ${what}${message}`);
  }
  if (parsed.hunks.length === 0) return refused("patch rejected: empty patch");
  const plan = await planPatch(parsed.hunks, cwd, ctx.editor);
  if ("problem" in plan) return refused(`apply_patch verification failed: ${plan.problem}`);
  const changes = await describeChanges(plan.changes, cwd);
  return {
    ready: {
      access: { reads: plan.reads, writes: plan.writes },
      subject: { kind: "patch", changes },
      shown: { kind: "files", changes },
      run: (run) => apply({ hunks: parsed.hunks, cwd, approved: plan, changes }, run),
    },
  };
}

type PatchCall = { hunks: readonly Hunk[]; cwd: string; approved: PatchPlan; changes: FileChange[] };

/** The files may have changed while somebody was asked, by an earlier call of the same answer for one: plans again. */
async function apply({ hunks, cwd, approved, changes }: PatchCall, ctx: RunContext): Promise<ToolResult> {
  const started = performance.now();
  const plan = await planPatch(hunks, cwd, ctx.editor);
  const shown = { kind: "files" as const, changes };
  if ("problem" in plan) return textResult(false, `apply_patch failed: ${plan.problem}`, {}, shown);
  const moved = newTarget(approved, plan);
  if (moved !== undefined)
    return textResult(
      false,
      `apply_patch failed: ${moved} changed while the patch was being checked`,
      {},
      shown,
    );
  const { problem } = await commit(plan.operations, ctx.editor);
  if (problem !== undefined) return textResult(false, `apply_patch failed: ${problem}`, {}, shown);
  keepKnown(ctx.memory, plan);
  const output = `Success. Updated the following files:\n${plan.report.join("\n")}`;
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const text = `Exit code: 0\nWall time: ${seconds} seconds\nOutput:\n${output}`;
  const done = { kind: "files" as const, changes: await describeChanges(plan.changes, cwd) };
  return textResult(true, text, { output, exitCode: 0 }, done);
}

/** A path that nobody approved, or a file that has come into being where one was to be added. */
function newTarget(approved: PatchPlan, plan: PatchPlan): string | undefined {
  const stray = plan.writes.find((path) => !approved.writes.includes(path));
  if (stray !== undefined) return stray;
  const fresh = new Set(approved.operations.filter(({ before }) => !before).map(({ path }) => path));
  return plan.operations.find(({ path, before }) => before && fresh.has(path))?.path;
}

/** A model that knew a file before its own patch still knows it, and it knows what it added. */
function keepKnown(memory: ToolMemory, plan: PatchPlan): void {
  for (const { path, before, after } of plan.operations) {
    if (after?.text === undefined) {
      noteGone(memory, path);
      continue;
    }
    const known = before?.text === undefined || knowledge(memory, path, before.text) === "current";
    if (known) noteSeen(memory, path, after.text);
  }
}
