import { type FakeAnswer, fakeAnswer } from "../fake-answer.ts";

/** What a scripted server does with a chat request that it accepts. */
export type ChatScript = readonly FakeAnswer[];
type Body = Record<string, unknown>;
export type SeenChat = { path: string; body: Body };

export function says(text: string): FakeAnswer {
  return { parts: [{ type: "text", text }] };
}

export function calls(name: string, input: unknown): FakeAnswer {
  return { parts: [{ type: "call", name, input }] };
}

/** A rough count, as good as any for a server without a model: four characters are a token. */
export function promptTokens({ messages, tools }: Body): number {
  return Math.ceil(JSON.stringify([messages, tools ?? []]).length / 4);
}

/** The frames of the next answer, with the real count of the prompt. */
export function chatFrames(answer: FakeAnswer, body: Body, count: number): string[] {
  const usage = answer.usage ?? { input: promptTokens(body), output: 5 };
  return fakeAnswer({ ...answer, usage }, "chat", count);
}

export function eventStream(frames: readonly string[]): Response {
  return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
}

export async function bodyOf(request: Request): Promise<Body> {
  const value: unknown = await request.json();
  return typeof value === "object" && value !== null ? { ...value } : {};
}
