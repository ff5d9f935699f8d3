import { z } from "zod";
import { APPROVAL_POLICIES, SANDBOX_MODES } from "../../protocol/settings.ts";
import { AppError } from "../../util/errors.ts";
import { NAME } from "../../util/package.ts";

export const StartInput = z.strictObject({
  prompt: z.string().min(1).describe("The task, in words"),
  model: z.string().optional().describe("Model to use instead of the configured one"),
  profile: z.string().optional().describe("Name of a profile in config.toml"),
  cwd: z.string().optional().describe("Folder to work in; relative paths start at the server's own"),
  "approval-policy": z
    .enum(APPROVAL_POLICIES)
    .optional()
    .describe("When you are asked before a command runs"),
  sandbox: z.enum(SANDBOX_MODES).optional().describe("What commands may touch"),
  config: z.record(z.string(), z.unknown()).optional().describe("Keys of config.toml, dotted, with values"),
  "base-instructions": z.string().optional().describe("Takes the place of the system prompt"),
  "developer-instructions": z.string().optional().describe("Is added to the system prompt"),
  "compact-prompt": z.string().optional().describe("How to ask for a summary of a long conversation"),
});
export type StartInput = z.infer<typeof StartInput>;

export const ReplyInput = z.strictObject({
  prompt: z.string().min(1).describe("What to say next"),
  threadId: z.string().optional().describe("The threadId of an earlier answer"),
  conversationId: z.string().optional().describe("Old name of threadId"),
});
export type ReplyInput = z.infer<typeof ReplyInput>;

const Output = z.object({ threadId: z.string(), content: z.string() });

/** Our own names first; the others are those that clients of similar servers know. */
const NAMES: Readonly<Record<string, "start" | "reply">> = {
  [NAME]: "start",
  [`${NAME}-reply`]: "reply",
  codex: "start",
  "codex-reply": "reply",
};

const TEXTS = {
  start: {
    title: "Start a task",
    description:
      "Gives a coding agent a task: it reads and changes files and runs commands until it is done, then answers. The answer holds the threadId for further messages.",
    schema: StartInput,
  },
  reply: {
    title: "Go on with a task",
    description:
      "Says something more in a conversation with the coding agent, which knows what was said before.",
    schema: ReplyInput,
  },
} as const;

/** What `tools/list` answers. */
export function toolList() {
  return Object.entries(NAMES).map(([name, kind]) => {
    const { title, description, schema } = TEXTS[kind];
    return {
      name,
      title,
      description,
      inputSchema: objectSchema(schema),
      outputSchema: objectSchema(Output),
    };
  });
}

export type Wanted = { kind: "start"; input: StartInput } | { kind: "reply"; input: ReplyInput };

/** Reads a call. Throws AppError "usage" with the reason in words. */
export function readCall(name: string, input: unknown): Wanted {
  const kind = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  switch (kind) {
    case "start":
      return { kind, input: parse(StartInput, name, input) };
    case "reply":
      return { kind, input: parse(ReplyInput, name, input) };
    case undefined:
      throw new AppError("usage", `there is no tool "${name}"; known: ${Object.keys(NAMES).join(", ")}`);
  }
}

function parse<T>(schema: z.ZodType<T>, name: string, input: unknown): T {
  const read = schema.safeParse(input ?? {});
  if (read.success) return read.data;
  throw new AppError("usage", `wrong arguments for ${name}: ${z.prettifyError(read.error)}`);
}

const ObjectSchema = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), z.json()),
  required: z.array(z.string()).optional(),
});

function objectSchema(schema: z.ZodType) {
  const { $schema: _, ...plain } = z.toJSONSchema(schema);
  return ObjectSchema.parse(plain);
}
