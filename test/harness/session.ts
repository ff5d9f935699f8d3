import { z } from "zod";
import { bodyOf, exec, useServer } from "../support/exec.ts";
import { type FakeChoice, type FakeTurn, startFakeServer } from "../support/fake-server.ts";
import type { TempHome } from "../support/home.ts";

const Message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()]),
  tool_calls: z
    .array(
      z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }),
    )
    .optional(),
});
const Body = z.looseObject({
  messages: z.array(Message),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});
export type ChatMessage = z.infer<typeof Message>;

/** What was asked of the server in one session on the chat wire. */
export type Asked = {
  /** Of each request. */
  messages: ChatMessage[][];
  tools: string[][];
  events: Record<string, unknown>[];
};

/** Plays a session with this harness, in which the model gives these answers. Policy lets everything run. */
export async function play(
  home: TempHome,
  harness: string,
  turns: (FakeTurn | FakeChoice)[],
  prompt = "go",
): Promise<Asked> {
  await using server = startFakeServer(turns);
  await useServer(home, server, { wire: "chat", more: `harness = "${harness}"` });
  const { exitCode, events, stderr } = await exec(home, [
    "--dangerously-bypass-approvals-and-sandbox",
    prompt,
  ]);
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stderr} ${JSON.stringify(events)}`);
  const bodies = server.requests.map((_, at) => Body.parse(bodyOf(server, at)));
  return {
    messages: bodies.map(({ messages }) => messages),
    tools: bodies.map(({ tools = [] }) => tools.map((tool) => tool.function.name)),
    events,
  };
}

/** The texts of the results in the last request, in their order. */
export function results({ messages }: Asked): unknown[] {
  return (messages.at(-1) ?? []).filter(({ role }) => role === "tool").map(({ content }) => content);
}

/** The roles in each request; what was sent once must be sent the same for ever, or the server's cache is lost. */
export function rolesOf({ messages }: Asked): string[] {
  return (messages.at(-1) ?? []).map(({ role }) => role);
}

/** The first request that does not begin with the whole one before it; undefined when each does. */
export function brokenPrefix({ messages }: Asked): unknown {
  return messages.find((later, at) => {
    const earlier = messages[at - 1] ?? [];
    return !Bun.deepEquals(later.slice(0, earlier.length), earlier);
  });
}
