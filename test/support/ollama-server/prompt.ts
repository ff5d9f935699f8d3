/** A rough count, as good as any for a server without a model: four characters are a token. */
export function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value ?? "").length / 4);
}

type Message = Record<string, unknown>;
export type FittedPrompt = { tokens: number } | { tooLong: number };

/**
 * What the server makes of a prompt that is longer than its context (server/prompt.go, llm/llama_server.go). Unless
 * `truncate` is false, whole messages are dropped from the front, but for system messages and the last one; when that is
 * not enough and `shift` is on, tokens are cut to about half of the context. Nothing of this is told.
 */
export function fitPrompt(
  body: Record<string, unknown>,
  context: number,
  path: "own" | "last",
): FittedPrompt {
  const messages = Array.isArray(body["messages"]) ? body["messages"].filter(isMessage) : [];
  const tools = body["tools"] === undefined ? 0 : tokensOf(body["tools"]);
  const count = (kept: readonly Message[]) => tools + tokensOf(kept);
  const whole = count(messages);
  if (whole < context) return { tokens: whole };
  if (body["truncate"] === false) return { tooLong: whole };
  const fewer = withoutOldest(messages, (kept) => count(kept) < context);
  const left = count(fewer);
  if (left < context) return { tokens: left };
  // The native path has no token cut: llama-server refuses one oversized message.
  if (path === "last" || body["shift"] === false) return { tooLong: left };
  return { tokens: Math.floor(context / 2) };
}

function withoutOldest(messages: readonly Message[], fits: (kept: readonly Message[]) => boolean): Message[] {
  for (let dropped = 1; dropped < messages.length; dropped++) {
    const kept = [
      ...messages.slice(0, dropped).filter(({ role }) => role === "system"),
      ...messages.slice(dropped),
    ];
    if (fits(kept) || dropped === messages.length - 1) return kept;
  }
  return [...messages];
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null;
}
