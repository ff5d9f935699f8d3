import { z } from "zod";
import { HARNESS_FLAGS } from "./flags.ts";

const Wire = z.enum(["responses", "chat", "messages"]);

const NativeTool = z.enum([
  "exec",
  "exec_stdin",
  "shell",
  "apply_patch",
  "read",
  "write",
  "edit",
  "list",
  "grep",
  "glob",
  "plan",
  "view_image",
]);

/** Where one input of the native tool comes from: a parameter of the model's call, or a fixed value. */
const Argument = z.union(
  [
    z.string().min(1),
    z.strictObject({
      from: z.string().min(1),
      /** Used when the model left the parameter out; not scaled. */
      default: z.unknown().optional(),
      /** A number is multiplied by this, e.g. 1000 to make ms of seconds. */
      scale: z.number().optional(),
      /** The input is whether the parameter has exactly this value. */
      equals: z.string().optional(),
    }),
    z.strictObject({ value: z.unknown() }),
  ],
  { error: "wanted the name of a parameter, {from: NAME, default?, scale?, equals?} or {value: ANYTHING}" },
);

const Condition = z.enum([...HARNESS_FLAGS, ...HARNESS_FLAGS.map((flag) => `!${flag}` as const)]);

const Tool = z
  .strictObject({
    /** What the model sees. */
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "wanted up to 64 letters, digits, _ or -"),
    description: z.string().min(1),
    /** The tool is offered only when these flags are on; `!flag` asks for one that is off. */
    when: z
      .union([Condition, z.array(Condition)], {
        error: `wanted one or several of ${HARNESS_FLAGS.join(", ")}, with or without !`,
      })
      .optional(),
    /** Understood although it is not offered. */
    evenIfHidden: z.boolean().optional(),
    /** JSON Schema, sent as it stands. */
    parameters: z.record(z.string(), z.unknown()).optional(),
    /** Instead of parameters: the model writes plain text, which counts as the parameter `input`. */
    freeform: z.strictObject({ syntax: z.enum(["lark", "regex"]), definition: z.string().min(1) }).optional(),
    /** What runs. */
    native: NativeTool,
    /** Inputs of the native tool; without it, the parameters are taken as they are. */
    args: z.record(z.string(), Argument).optional(),
    /** What the model reads, made of the fields of the native tool's result. */
    result: z
      .strictObject({ ok: z.string(), error: z.string().optional(), maxChars: z.int().positive().optional() })
      .optional(),
  })
  .refine((tool) => (tool.parameters === undefined) !== (tool.freeform === undefined), {
    error: "wanted either parameters or freeform",
  });

const Layout = z.strictObject({
  system: z.enum(["one", "blocks", "first_user"]).optional(),
  mergeAssistantTextWithCalls: z.boolean().optional(),
  reasoningPlaceholder: z.string().optional(),
  keepEmptyReasoning: z.boolean().optional(),
  keepEmptyToolOutput: z.boolean().optional(),
  compactArguments: z.boolean().optional(),
  toolCallId: z.enum(["keep", "underscore"]).optional(),
  trimUserTrailingNewlines: z.boolean().optional(),
  cacheBreakpoints: z.int().nonnegative().optional(),
});

/** A harness file as a person writes it. With `extends`, everything that it leaves out comes from there. */
export const HarnessFile = z.strictObject({
  id: z.string(),
  extends: z.string().optional(),
  wires: z.array(Wire).min(1).optional(),
  prompt: z
    .strictObject({
      system: z.string().optional(),
      /** Messages that come before the user's first. */
      setup: z.array(z.strictObject({ role: z.enum(["user", "assistant"]), text: z.string() })).optional(),
    })
    .optional(),
  layout: Layout.optional(),
  request: z
    .strictObject({
      body: z.record(z.string(), z.unknown()).optional(),
      headers: z.record(z.string(), z.string().nullable()).optional(),
    })
    .optional(),
  compaction: z.strictObject({ prompt: z.string().min(1) }).optional(),
  tools: z.array(Tool).optional(),
  /** Names of tools of the extended harness that are left out. */
  dropTools: z.array(z.string()).optional(),
});

export type HarnessFile = z.infer<typeof HarnessFile>;
export type HarnessTool = z.infer<typeof Tool>;
export type HarnessArgument = z.infer<typeof Argument>;
