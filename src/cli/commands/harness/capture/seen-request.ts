import { z } from "zod";
import type { HarnessMessage } from "../../../../harness/schema.ts";
import type { Json, Recorded, SeenTool, Wire } from "./types.ts";

export type SeenMessage = { role: HarnessMessage["role"]; texts: string[]; isList: boolean };
export type SeenRequest = {
  /** One text, or the blocks of a wire that has them. */
  system: string[];
  isBlocks: boolean;
  messages: SeenMessage[];
  tools: SeenTool[];
};

const Part = z.looseObject({ text: z.string().optional() });
const Content = z.union([z.string(), z.array(Part), z.null()]).optional();
const Message = z.looseObject({ role: z.string().optional(), content: Content });
const Declared = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  input_schema: z.record(z.string(), z.unknown()).optional(),
  defer_loading: z.boolean().optional(),
  strict: z.unknown().optional(),
  type: z.string().optional(),
  format: z
    .looseObject({ syntax: z.enum(["lark", "regex"]).optional(), definition: z.string().optional() })
    .optional(),
});
const Tool = z.union([z.looseObject({ function: Declared }), Declared]);

/** What a request says, whatever its wire. Tools of the server's own, which have no name, are left out. */
export function readRequest({ wire, body }: Recorded): SeenRequest {
  const messages = z.array(Message).parse(body[wire === "responses" ? "input" : "messages"] ?? []);
  const seen = messages.flatMap(seenMessage);
  const { system, rest } = systemOf(wire, body, seen);
  const list = Array.isArray(body["tools"]) ? body["tools"] : [];
  return {
    system,
    isBlocks: wire === "messages" && Array.isArray(body["system"]),
    messages: rest,
    tools: list.flatMap((tool: unknown) => seenTool(tool)),
  };
}

function systemOf(wire: Wire, body: Json, seen: SeenMessage[]): { system: string[]; rest: SeenMessage[] } {
  if (wire === "messages") return { system: textsOf(Content.parse(body["system"])), rest: seen };
  if (wire === "responses") return { system: textsOf(Content.parse(body["instructions"])), rest: seen };
  const [first, ...rest] = seen;
  if (first?.role !== "system") return { system: [], rest: seen };
  return { system: [first.texts.join("\n\n")], rest };
}

function seenMessage({ role, content }: z.infer<typeof Message>): SeenMessage[] {
  const texts = textsOf(content);
  if (role === undefined || texts.length === 0) return [];
  const known = ROLES.find((one) => one === role) ?? "system";
  return [{ role: known, texts, isList: Array.isArray(content) }];
}

const ROLES = ["user", "assistant", "developer"] as const;

function textsOf(content: z.infer<typeof Content>): string[] {
  if (content === undefined || content === null) return [];
  return typeof content === "string" ? [content] : content.flatMap(({ text }) => text ?? []);
}

function seenTool(value: unknown): SeenTool[] {
  const read = Tool.safeParse(value);
  if (!read.success) return [];
  const tool = Declared.parse("function" in read.data ? read.data.function : read.data);
  const { name, description = "", format } = tool;
  const parameters = tool.input_schema ?? tool.parameters ?? null;
  const grammar =
    format?.definition === undefined
      ? undefined
      : { syntax: format.syntax ?? "lark", definition: format.definition };
  return [
    {
      name,
      description,
      ...(tool.type === "custom" ? {} : { parameters }),
      ...(grammar ? { grammar } : {}),
      isStrictKnown: "strict" in tool,
      deferLoading: tool.defer_loading === true,
    },
  ];
}

const Result = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  output: z.unknown().optional(),
  is_error: z.boolean().optional(),
});

/** The newest result of a tool that the request tells of. */
export function newestResult({ wire, body }: Recorded): { text: string; isError?: boolean } | undefined {
  const list = body[wire === "responses" ? "input" : "messages"];
  const entries = (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
    const message = Result.parse(entry);
    return wire === "messages" && Array.isArray(message.content)
      ? message.content.map((block: unknown) => Result.parse(block))
      : [message];
  });
  const found = entries.findLast(
    ({ type, role }) => role === "tool" || type === "tool_result" || /_call_output$/.test(type ?? ""),
  );
  if (!found) return undefined;
  const content = Content.safeParse(found.output ?? found.content);
  const text = content.success ? textsOf(content.data).join("") : "";
  return { text, ...(found.is_error === undefined ? {} : { isError: found.is_error }) };
}
