import { z } from "zod";
import { defineTool } from "../define.ts";
import { refused, textResult } from "../results.ts";
import type { AgentRunner, RunContext, ToolResult } from "../types.ts";
import { agentCall, factsOf } from "./facts.ts";

const MOST_AT_ONCE = 4;

const SwarmInput = z.looseObject({
  description: z.string().optional(),
  kind: z.string().optional(),
  /** `{{item}}` stands for one of the items. */
  template: z.string().optional(),
  items: z.array(z.string()).optional(),
  resume: z.record(z.string(), z.string()).optional(),
});
type SwarmInput = z.infer<typeof SwarmInput>;

/** Native "agents": one child agent for each item, some of them side by side; all their reports are the result. */
export const agents = defineTool<SwarmInput>({
  name: "agents",
  schema: SwarmInput,
  parallel: true,
  async prepare(input, ctx) {
    if (!ctx.agents) return refused("an agent can't start further agents");
    const { items = [], template = "", resume = {} } = input;
    const { agents: runner } = ctx;
    if (items.length + Object.keys(resume).length === 0)
      return refused("items is empty: wanted one text for each agent");
    if (items.length > 0 && !template.includes("{{item}}"))
      return refused("the prompt template has no {{item}} in it");
    const shown = { action: "spawn", prompt: template } as const;
    return agentCall({ ...shown, agents: [] }, async (run) => {
      const works = worksOf(input, items, template, run);
      const result = await runAll(runner, works, run);
      const about = runner.list().filter(({ id }) => works.some((work) => work.id === id));
      return { ...result, detail: { kind: "agent", ...shown, agents: about.map(factsOf) } };
    });
  },
});

type Work = { id: string; prompt: string; isNew: boolean; kind?: string; description?: string };

function worksOf(
  { kind, description, resume = {} }: SwarmInput,
  items: readonly string[],
  template: string,
  { callId }: RunContext,
): Work[] {
  const about = {
    ...(kind === undefined ? {} : { kind }),
    ...(description === undefined ? {} : { description }),
  };
  const fresh = items.map((item, at) => ({
    id: `${callId}-${at + 1}`,
    prompt: template.replaceAll("{{item}}", () => item),
    isNew: true,
    ...about,
  }));
  return [...fresh, ...Object.entries(resume).map(([id, prompt]) => ({ id, prompt, isNew: false }))];
}

async function runAll(runner: AgentRunner, works: readonly Work[], ctx: RunContext): Promise<ToolResult> {
  const reports: { ok: boolean; text: string }[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < works.length; at = next++) {
      const work = works[at];
      if (work) reports[at] = work.isNew ? await runner.run(work, ctx.signal) : await goOn(runner, work, ctx);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, works.length) }, worker));
  const failed = reports.filter(({ ok }) => !ok).length;
  const texts = reports.map(
    ({ ok, text }, at) =>
      `<agent id="${works[at]?.id}" outcome="${ok ? "completed" : "failed"}">\n${text}\n</agent>`,
  );
  const text = `<summary>completed: ${works.length - failed}, failed: ${failed}</summary>\n${texts.join("\n")}`;
  return textResult(failed < works.length, text, { case: "done", total: works.length, failed });
}

async function goOn(runner: AgentRunner, { id, prompt }: Work, { signal }: RunContext) {
  const reply = await runner.send(id, prompt, signal);
  if (reply.kind === "answered") return reply;
  return reply.kind === "delivered"
    ? { ok: true, text: "still at work; it reads this with its next step" }
    : { ok: false, text: `there is no agent ${id}` };
}
