import { z } from "zod";
import { uuidV7 } from "../../util/ids.ts";
import { defineTool } from "../define.ts";
import { refused, textResult } from "../results.ts";
import type { AgentRunner, RunContext, ToolResult } from "../types.ts";
import { agentCall, factsOf, NO_AGENTS } from "./facts.ts";
import { noteEnd } from "./spawn.ts";
import { TaskFields, taskText } from "./task.ts";

const TellInput = z.looseObject({
  to: z.string().min(1),
  ...TaskFields,
  interrupt: z.boolean().optional(),
});
type TellInput = z.infer<typeof TellInput>;

/** Native "agent_tell": more for a child agent, whether it is at work or has ended; answers at once. */
export const agentTell = defineTool<TellInput>({
  name: "agent_tell",
  schema: TellInput,
  parallel: true,
  async prepare(input, { agents }) {
    if (!agents) return refused(NO_AGENTS);
    const prompt = taskText(input);
    if (prompt === "") return refused("message is empty: wanted what the agent is to be told");
    const known = agents.list().filter(({ id }) => id === input.to);
    return agentCall({ action: "send", agents: known.map(factsOf), prompt }, (ctx) =>
      tell(agents, input, prompt, ctx),
    );
  },
});

async function tell(
  agents: AgentRunner,
  { to, interrupt = false }: TellInput,
  prompt: string,
  { memory }: RunContext,
): Promise<ToolResult> {
  const state = await agents.tell(to, prompt, interrupt);
  const shown = { kind: "agent", action: "send", prompt } as const;
  if (!state) return textResult(false, noSuchAgent(to, agents), undefined, { ...shown, agents: [] });
  if (state.status === "closed") {
    const text = `the agent ${to} was closed; resume_agent opens it again`;
    return textResult(false, text, undefined, { ...shown, agents: [factsOf(state)] });
  }
  noteEnd(agents, state.id, state.description, memory);
  const text = JSON.stringify({ submission_id: uuidV7() });
  return textResult(true, text, { case: "delivered", agentId: to }, { ...shown, agents: [factsOf(state)] });
}

/** A text for the model. */
export function noSuchAgent(id: string, agents: AgentRunner): string {
  const known = agents.list().map((one) => one.id);
  return `there is no agent ${id}; ${known.length === 0 ? "none was started" : `there are ${known.join(", ")}`}`;
}
