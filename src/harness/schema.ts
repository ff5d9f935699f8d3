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
  "task_output",
  "task_stop",
  "todo",
  "todo_read",
  "ask_user",
  "web_fetch",
  "agent",
  "plan_enter",
  "plan_exit",
  "terminal",
  "shell_session",
  "evidence",
  "multi_edit",
  "todo_change",
  "file_search",
  "git",
  "skill",
  "agent_spawn",
  "agent_tell",
  "agent_wait",
  "agent_close",
  "agent_resume",
  "agents_list",
  "agent_message",
  "session_context",
  "report_findings",
  "tool_search",
  "schedule_wakeup",
  "task_list",
  "wait_for",
  "agents",
  "goal_create",
  "goal_read",
  "goal_budget",
  "goal_update",
  "cron_create",
  "cron_delete",
  "cron_list",
  "cron_change",
  "read_media",
  "notebook_edit",
  "web_search",
  "workflow",
  "task_input",
  "validate_data",
  // Not a tool of ours: the call names another tool of the harness, which is run in its place.
  "tool_call",
]);

/** Where one input of the native tool comes from: a parameter of the model's call, or a fixed value. */
const Argument = z.union(
  [
    z.string().min(1),
    z.strictObject({
      /** Of several names the first one that the call has. */
      from: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
      /** Used when the model left the parameter out; not scaled. */
      default: z.unknown().optional(),
      /** A number is multiplied by this, e.g. 1000 to make ms of seconds. */
      scale: z.number().optional(),
      /** A number is taken to be at most this, before it is scaled. */
      max: z.number().optional(),
      /** Added to a number, e.g. 1 where the model counts from 0. */
      plus: z.number().optional(),
      /** The input is whether the parameter has exactly this value. */
      equals: z.string().optional(),
      /** A word of the harness's and the native tool's word for it; others stay as they are. */
      map: z.record(z.string(), z.unknown()).optional(),
    }),
    z.strictObject({ value: z.unknown() }),
    z.strictObject({
      /** A text over the parameters. */
      template: z.string().min(1),
      /** Each parameter becomes one word of a shell command. */
      quote: z.literal("shell").optional(),
    }),
  ],
  {
    error:
      "wanted the name of a parameter, {from: NAME, default?, scale?, max?, plus?, equals?, map?}, {value: ANYTHING} or {template: TEXT, quote?: shell}",
  },
);

const Pattern = z.string().refine(isPattern, "wanted a regular expression");

const Condition = z.enum([...HARNESS_FLAGS, ...HARNESS_FLAGS.map((flag) => `!${flag}` as const)]);

/** One text, or several that stay apart where the wire can keep them apart. */
const Template = z.union([z.string(), z.array(z.string()).min(1)]);

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
    /** Offered only where this program is installed. */
    program: z
      .string()
      .regex(/^[\w.+-]+$/, "wanted the name of a program")
      .optional(),
    /** Understood although it is not offered. */
    evenIfHidden: z.boolean().optional(),
    /** Never offered, only understood: a name that models bring along from elsewhere. */
    hidden: z.boolean().optional(),
    /** Offered only once the model has looked for it with a tool that runs `tool_search`. */
    deferred: z.boolean().optional(),
    /** Sent with `defer_loading`: the server keeps it from the model (messages). */
    deferLoading: z.boolean().optional(),
    /** JSON Schema, sent as it stands; `null` where none is sent, for a tool that takes nothing. */
    parameters: z.record(z.string(), z.unknown()).nullable().optional(),
    /** Instead of parameters: the model writes plain text, which counts as the parameter `input`. */
    freeform: z.strictObject({ syntax: z.enum(["lark", "regex"]), definition: z.string().min(1) }).optional(),
    /** What runs. */
    native: NativeTool,
    /** Inputs of the native tool; without it, the parameters are taken as they are. */
    args: z.record(z.string(), Argument).optional(),
    /** What the model reads, made of the fields of the native tool's result. */
    result: z
      .strictObject({
        ok: Template.optional(),
        error: Template.optional(),
        /** By the field `case` of the result; these come before `ok` and `error`. `bad_arguments` is for calls that don't fit. */
        cases: z.record(z.string(), Template).optional(),
        maxChars: z.int().positive().optional(),
      })
      .optional(),
    /** How much of its output is kept, in tokens, in place of the model's usual budget. */
    maxOutputTokens: z.int().positive().optional(),
    /** Never runs beside another call, even where the native tool may. */
    sequential: z.boolean().optional(),
    /** A good result of this form, as the model reads it, ends the turn. */
    endsTurn: Pattern.optional(),
  })
  .refine((tool) => (tool.parameters === undefined) !== (tool.freeform === undefined), {
    error: "wanted either parameters or freeform",
  })
  .superRefine(({ args = {}, parameters }, check) => {
    const known = namesIn(parameters);
    if (!known) return;
    for (const [input, argument] of Object.entries(args))
      for (const name of sourcesOf(argument))
        if (!known.includes(name))
          check.addIssue({ code: "custom", path: ["args", input], message: `there is no parameter ${name}` });
  });

const TextProtocolName = z.enum(["swe-agent", "terminus-2"]);

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
  laterSystem: z.enum(["system", "user"]).optional(),
  resultOrder: z.enum(["call", "completion"]).optional(),
  marksSuccess: z.array(z.string()).optional(),
  partResults: z.array(z.string()).optional(),
  userContent: z.enum(["string", "parts"]).optional(),
  mergeUserMessages: z.boolean().optional(),
  resultContent: z.enum(["string", "parts"]).optional(),
  toolStrict: z.boolean().optional(),
  callsWithoutText: z.enum(["null", "empty"]).optional(),
  textCalls: z.boolean().optional(),
  unknownCall: z.string().optional(),
});

const Body = z.record(z.string(), z.unknown());
const HeaderName = z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, "wanted the name of a header");
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what HTTP does not allow
const HeaderText = z.string().regex(/^[^\u0000-\u0008\u000a-\u001f\u007f]*$/, "wanted one line");
const Headers = z.record(HeaderName, HeaderText.nullable());

const Request = z.strictObject({
  /** Strings in them are templates. `null` removes a field, a header or a part of the query. */
  body: Body.optional(),
  headers: Headers.optional(),
  query: z.record(z.string(), z.string().nullable()).optional(),
  /** The header that carries the key. */
  keyHeader: HeaderName.optional(),
  /** The field that says how long an answer may be: what is left of the window, in tokens, but no more than `most`. */
  answerLimit: z.strictObject({ field: z.string(), most: z.int().positive() }).optional(),
  /** All of it, and the layout, is meant for this wire only. */
  wire: Wire.optional(),
});

/** A message that the harness says by itself; a text that comes out empty is left out. */
const Said = z.strictObject({
  role: z.enum(["user", "assistant", "system", "developer"]),
  text: z.string(),
});

/** Which of our own fragments come before the user's first message. */
const Context = z.strictObject({
  permissions: z.enum(["always", "when_restricted", "never"]).optional(),
  agents: z.boolean().optional(),
  environment: z.boolean().optional(),
  /** The list of skills, when there are any; false where the harness says it in its own way. */
  skills: z.boolean().optional(),
});

/** Regular expressions without regard to case; one that matches is enough. */
const Routing = z.strictObject({
  /** The lowest that matches wins. */
  order: z.int(),
  model: Pattern.optional(),
  /** The name of the model alone counts only on these wires. */
  modelWires: z.array(Wire).optional(),
  provider: Pattern.optional(),
  baseUrl: Pattern.optional(),
});

/** For models whose id matches: what is different. */
const ForModel = z.strictObject({
  match: Pattern,
  request: Request.optional(),
  layout: Layout.optional(),
});

/** A name for templates: a text, or another name's value replaced by what stands beside it. */
const Variable = z.union([
  z.string(),
  z.strictObject({
    from: z.string(),
    map: z.record(z.string(), z.string()).optional(),
    default: z.union([z.string(), z.number()]).optional(),
  }),
]);

/** A kind of child agent: what it is told, and which of the harness's tools it has (default: all but those that start agents). */
const Agent = z.strictObject({
  system: z.union([z.string(), z.array(z.string()).min(1)]),
  tools: z.array(z.string()).optional(),
  request: Request.optional(),
});

/** A request beside the conversation, without tools: what the user said first, and one answer. */
const SideRequest = z.strictObject({
  /** It costs one more request, so it is made only where somebody wants it. */
  enabled: z.boolean().optional(),
  system: z.string().min(1),
  /** Said by the user before the first words. */
  instruction: z.string().optional(),
  /** Over the fields of each request; `null` removes one. */
  body: Body.optional(),
});

const Reminder = z.strictObject({
  /** Answers and results since one of these tools was last called, before it is said (and said again). */
  after: z.int().positive(),
  tools: z.array(z.string()).min(1),
  /** Only where one of them was called at all. */
  onceUsed: z.boolean().optional(),
  role: z.enum(["user", "system"]),
  text: z.string(),
});

/** A harness file as a person writes it. With `extends`, everything that it leaves out comes from there. */
export const HarnessFile = z.strictObject({
  id: z.string(),
  /** What it is for, in a few words, for lists. */
  title: z.string().optional(),
  extends: z.string().optional(),
  wires: z.array(Wire).min(1).optional(),
  prompt: z
    .strictObject({
      /** One text, or the blocks of a wire that has them. */
      system: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
      context: Context.optional(),
      /** What stands around the user's first message, which is `{{prompt}}`; said there once. */
      firstUser: z
        .string()
        .refine((text) => text.split("{{prompt}}").length === 2, "wanted {{prompt}} in it, once")
        .optional(),
      /** Messages that come before the user's first. */
      setup: z.array(Said).optional(),
      /** Messages that come after the user's first. */
      afterFirst: z.array(Said).optional(),
    })
    .optional(),
  vars: z.record(z.string().regex(/^[A-Za-z_]\w*$/), Variable).optional(),
  layout: Layout.optional(),
  request: Request.optional(),
  /** The first one that matches the model counts. */
  models: z.array(ForModel).optional(),
  compaction: z
    .strictObject({
      prompt: z.string().min(1),
      /** The request shows the tools as all others do, so that the server's prompt cache holds. */
      keepTools: z.boolean().optional(),
      /** Only what stands between this tag and its end counts as the summary. */
      tag: z.string().optional(),
    })
    .optional(),
  /** `title`: a name for the session, asked for when its first turn has ended. */
  sideRequests: z.strictObject({ title: SideRequest.partial({ system: true }).optional() }).optional(),
  /** What the model reads when a call can't be run; templates over `tool`, `problem`, `rule`, `field`, `reason`, `arguments`. */
  errors: z
    .strictObject({
      unknownTool: z.string().optional(),
      badArguments: z.string().optional(),
      /** Any other failure whose tool has no template for it. */
      failed: z.string().optional(),
    })
    .optional(),
  reminders: z.array(Reminder).optional(),
  /** The model writes its calls as text of this form, and is shown no tools. */
  textProtocol: TextProtocolName.optional(),
  /** Said to an answer without calls, which ends the turn only when it goes on like that. */
  withoutCall: z.string().min(1).optional(),
  /** Kinds of child agents by name; the first one is used when the model names none. */
  agents: z.record(z.string(), Agent).optional(),
  /** Said by the user when a command in the background has ended, over taskId, file, exitCode, command. */
  taskEnded: z.string().optional(),
  routing: Routing.optional(),
  tools: z.array(Tool).superRefine(namedOnce).optional(),
  /** Names of tools of the extended harness that are left out. */
  dropTools: z.array(z.string()).optional(),
  /** These come first, in this order. */
  toolOrder: z.array(z.string()).optional(),
});

/** Servers refuse two tools of one name, and a call could mean either. */
function namedOnce(tools: readonly { name: string }[], check: z.RefinementCtx): void {
  for (const [at, { name }] of tools.entries())
    if (tools.findIndex((tool) => tool.name === name) < at)
      check.addIssue({ code: "custom", path: [at, "name"], message: `there is a tool ${name} already` });
}

/** Undefined where parameters may have other names than those that are listed. */
function namesIn(parameters: Record<string, unknown> | null | undefined): string[] | undefined {
  if (parameters === undefined || parameters === null) return undefined;
  const { properties } = parameters;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : undefined;
}

function sourcesOf(argument: z.infer<typeof Argument>): string[] {
  if (typeof argument === "string") return [argument];
  return "from" in argument ? [argument.from].flat() : [];
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "i").flags === "i";
  } catch {
    return false;
  }
}

export type HarnessFile = z.infer<typeof HarnessFile>;
export type TextProtocolName = z.infer<typeof TextProtocolName>;
export type HarnessTool = z.infer<typeof Tool>;
export type HarnessArgument = z.infer<typeof Argument>;
export type HarnessVariable = z.infer<typeof Variable>;
export type HarnessReminder = z.infer<typeof Reminder>;
export type HarnessMessage = z.infer<typeof Said>;
export type HarnessRequest = z.infer<typeof Request>;
export type HarnessContext = z.infer<typeof Context>;
export type HarnessRouting = z.infer<typeof Routing>;
