import { z } from "zod";
import { defineTool } from "../define.ts";
import { refused, textResult } from "../results.ts";
import { agentCall, factsOf, NO_AGENTS } from "./facts.ts";
import { statusWords } from "./status.ts";
import { noSuchAgent } from "./tell.ts";
import { agentWork } from "./work.ts";

const TargetInput = z.looseObject({ id: z.string().min(1) });
type TargetInput = z.infer<typeof TargetInput>;

/** Native "agent_close": ends what a child does and frees what it holds. */
export const agentClose = defineTool<TargetInput>({
  name: "agent_close",
  schema: TargetInput,
  parallel: true,
  async prepare({ id }, { agents }) {
    if (!agents) return refused(NO_AGENTS);
    const known = agents.list().filter((one) => one.id === id);
    return agentCall({ action: "close", agents: known.map(factsOf) }, async ({ memory }) => {
      for (const work of memory.get(agentWork))
        if (work.id === id) Object.assign(work, { isHeard: true, report: "" });
      const before = await agents.close(id);
      const shown = { kind: "agent", action: "close" } as const;
      if (!before) return textResult(false, noSuchAgent(id, agents), undefined, { ...shown, agents: [] });
      const closed = { ...factsOf(before), status: "closed" } as const;
      const text = JSON.stringify({ status: statusWords(before) });
      return textResult(true, text, { case: "closed", agentId: id }, { ...shown, agents: [closed] });
    });
  },
});

/** Native "agent_resume": opens a child again that was closed, or that an earlier run of the session has started. */
export const agentResume = defineTool<TargetInput>({
  name: "agent_resume",
  schema: TargetInput,
  parallel: true,
  async prepare({ id }, { agents }) {
    if (!agents) return refused(NO_AGENTS);
    const known = agents.list().filter((one) => one.id === id);
    return agentCall({ action: "spawn", agents: known.map(factsOf) }, async () => {
      const opened = await agents.resume(id);
      const shown = { kind: "agent", action: "spawn" } as const;
      if ("problem" in opened) return textResult(false, opened.problem, undefined, { ...shown, agents: [] });
      const text = JSON.stringify({ status: statusWords(opened) });
      return textResult(true, text, { case: "open", agentId: id }, { ...shown, agents: [factsOf(opened)] });
    });
  },
});
