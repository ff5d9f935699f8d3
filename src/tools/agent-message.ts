import { z } from "zod";
import { agentCall, factsOf } from "./agents/facts.ts";
import { defineTool } from "./define.ts";
import { textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const AgentMessageInput = z.looseObject({ to: z.string().min(1), message: z.string().min(1) });
type AgentMessageInput = z.infer<typeof AgentMessageInput>;

/** Native "agent_message": more for a child agent. One that has ended goes on, and its next last message is the result. */
export const agentMessage = defineTool<AgentMessageInput>({
  name: "agent_message",
  schema: AgentMessageInput,
  parallel: true,
  async prepare(input, { agents }) {
    const about = () => (agents?.list() ?? []).filter(({ id }) => id === input.to).map(factsOf);
    const shown = { action: "send", prompt: input.message } as const;
    return agentCall({ ...shown, agents: about() }, async (ctx) => ({
      ...(await send(input, ctx)),
      detail: { kind: "agent", ...shown, agents: about() },
    }));
  },
});

async function send({ to, message }: AgentMessageInput, ctx: RunContext): Promise<ToolResult> {
  const { agents } = ctx;
  const reply = (await agents?.send(to, message, ctx.signal)) ?? { kind: "unknown" };
  switch (reply.kind) {
    case "unknown": {
      const known = (agents?.list() ?? []).map(({ id }) => id).join(", ");
      const text = `there is no agent ${to}; ${known === "" ? "none was started" : `there are ${known}`}`;
      return textResult(false, text, { case: "unknown", agentId: to });
    }
    case "delivered":
      return textResult(true, `The agent ${to} is at work and reads the message with its next step.`, {
        case: "delivered",
        agentId: to,
      });
    case "answered": {
      const { ok, text, toolCalls, tokens, durationMs } = reply;
      return textResult(ok, text, {
        case: ok ? "done" : "failed",
        agentId: to,
        toolCalls,
        tokens,
        durationMs,
      });
    }
  }
}
