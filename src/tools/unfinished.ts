import { type AgentWork, agentWork } from "./agents/work.ts";
import { goalPrompt } from "./goal/next-step.ts";
import { type TaskEnd, taskEnds } from "./shell/task-ends.ts";
import type { ToolMemory } from "./types.ts";

/** Why a turn goes on: agents have ended whose reports were not heard, or the model's own goal is open. */
export type Unfinished = { ends: TaskEnd[] } | { prompt: string };

/** Asked when the model has stopped. Waits for the next agent in the background that is at work, or for the signal. */
export async function unfinished(
  memory: ToolMemory,
  usedTokens: number,
  signal: AbortSignal,
): Promise<Unfinished | undefined> {
  const agents = memory.get(agentWork);
  const isOfAgent = ({ taskId }: TaskEnd) => agents.some(({ id }) => id === taskId);
  const ends = memory.get(taskEnds);
  const isTold = () => ends.some(isOfAgent) || agents.some(({ report }) => report);
  if (!isTold()) await firstOf(agents, signal);
  if (ends.some(isOfAgent)) return { ends: ends.splice(0) };
  const reports = agents.flatMap((work) => takeReport(work) ?? []);
  if (reports.length > 0) return { prompt: reports.join("\n") };
  if (signal.aborted) return undefined;
  const prompt = goalPrompt(memory, usedTokens, Date.now());
  return prompt === undefined ? undefined : { prompt };
}

/** In the form in which a model with the tools for agents expects it. */
function takeReport(work: AgentWork): string | undefined {
  if (!work.report) return undefined;
  const text = `<subagent_notification>${work.report}</subagent_notification>`;
  Object.assign(work, { isHeard: true, report: "" });
  return text;
}

async function firstOf(
  agents: readonly { state: string; ended: Promise<void> }[],
  signal: AbortSignal,
): Promise<void> {
  const running = agents.filter(({ state }) => state === "running");
  if (running.length === 0 || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await Promise.race([promise, ...running.map(({ ended }) => ended)]);
}
