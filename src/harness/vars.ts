import type { Effort } from "../protocol/settings.ts";
import { repositoryRoot } from "../util/git.ts";
import { isRecord } from "../util/json.ts";
import { localDate, systemTimeZone } from "../util/local-time.ts";
import { HARNESS_FLAGS, type HarnessFlags } from "./flags.ts";
import type { GitFact } from "./git-status.ts";
import type { HarnessVariable } from "./schema.ts";
import { onlyName, renderTemplate, type TemplateValue, templateNames } from "./template.ts";

/** What the texts of a harness may speak of. */
export type PromptContext = {
  cwd: string;
  shell: string;
  version: string;
  now: Date;
  model: { id: string; contextWindow: number; maxOutput?: number; defaultEffort?: Effort };
  /** The same that decide which tools are offered. */
  flags: HarnessFlags;
  /** How hard the model is asked to think, when somebody has said so. */
  effort?: Effort;
  sessionId?: string;
  /** The texts of AGENTS.md files; asked for only when a text names them. */
  projectInstructions?(): Promise<string>;
  /** One line for each skill that there is; asked for only when a text names it. */
  skills?(): string;
  /** Names of the tools that are kept back. */
  deferredTools?: readonly string[];
  /** May programs that the project's own settings name be run? */
  isTrusted?: boolean;
  /** Names that the harness itself defines. */
  vars?: Readonly<Record<string, HarnessVariable>>;
};

type Variables = Readonly<Record<string, (ctx: PromptContext) => TemplateValue | Promise<TemplateValue>>>;

// Each is computed only when a text names it.
const VARIABLES: Variables = {
  arch: () => process.arch,
  contextWindow: ({ model }) => model.contextWindow,
  cwd: ({ cwd }) => cwd,
  cwdDashed: ({ cwd }) => cwd.replace(/[^a-zA-Z0-9]/g, "-"),
  date: ({ now }) => localDate(now),
  dateFull: ({ now }) => now.toLocaleDateString("en-US", { ...LONG_DATE, weekday: "long" }),
  dateLong: ({ now }) => now.toLocaleDateString("en-US", LONG_DATE),
  dateNumbers: ({ now }) => now.toLocaleDateString("en-US"),
  dateShort: ({ now }) => now.toDateString(),
  deferredTools: ({ deferredTools = [] }) => deferredTools.join("\n"),
  effort: ({ effort, model }) => effort ?? model.defaultEffort ?? "",
  folderListing: async ({ cwd }) =>
    (await import("./listing.ts")).folderTree(cwd, { entries: 20, children: 0, hidden: false }),
  folderTree: async ({ cwd }) =>
    (await import("./listing.ts")).folderTree(cwd, { entries: 30, children: 10, hidden: true }),
  gitBranch: (ctx) => oneGitFact("branch", ctx),
  gitChanges: (ctx) => oneGitFact("changes", ctx),
  gitCommits: (ctx) => oneGitFact("commits", ctx),
  gitMainBranch: (ctx) => oneGitFact("mainBranch", ctx),
  gitStatus: async ({ cwd, isTrusted }) =>
    (await import("./git-status.ts")).gitStatus(cwd, isTrusted === true),
  gitUser: (ctx) => oneGitFact("user", ctx),
  isGitRepository: ({ cwd }) => repositoryRoot(cwd) !== undefined,
  maxOutput: ({ model }) => model.maxOutput ?? "",
  model: ({ model }) => model.id,
  projectInstructions: async (ctx) => (await ctx.projectInstructions?.()) ?? "",
  os: () => OS_NAMES[process.platform] ?? process.platform,
  osVersion: async () => (await import("node:os")).release(),
  sessionId: ({ sessionId }) => sessionId ?? "",
  shell: ({ shell }) => shell,
  skills: (ctx) => ctx.skills?.() ?? "",
  timezone: systemTimeZone,
  version: ({ version }) => version,
};

async function oneGitFact(fact: GitFact, { cwd, isTrusted }: PromptContext): Promise<string> {
  return (await import("./git-status.ts")).gitFact(fact, cwd, isTrusted === true);
}

const LONG_DATE = { month: "long", day: "numeric", year: "numeric" } as const;

const OS_NAMES: Readonly<Record<string, string>> = { darwin: "macOS", linux: "Linux", win32: "Windows" };

/** Every name that the texts of a harness may use. */
export function variableNames(): string[] {
  return [...Object.keys(VARIABLES), ...HARNESS_FLAGS];
}

/** Throws AppError "config" when the template names something unknown. */
export async function renderPrompt(template: string, ctx: PromptContext): Promise<string> {
  const values = await valuesFor(templateNames(template), ctx);
  return renderTemplate(template, (name) => values.get(name));
}

/**
 * The value with every template in it rendered. A string that is one name only becomes that value, so that numbers stay
 * numbers; a key whose value is "" because nothing is known of it is left out.
 */
export async function renderBody(
  body: Readonly<Record<string, unknown>>,
  ctx: PromptContext,
): Promise<Record<string, unknown>> {
  const entries = await Promise.all(
    Object.entries(body).map(async ([key, value]) => [key, await renderValue(value, ctx)]),
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

async function renderValue(value: unknown, ctx: PromptContext): Promise<unknown> {
  if (typeof value === "string") return renderText(value, ctx);
  if (Array.isArray(value)) return Promise.all(value.map((one) => renderValue(one, ctx)));
  return isRecord(value) ? renderBody(value, ctx) : value;
}

async function renderText(text: string, ctx: PromptContext): Promise<unknown> {
  const name = onlyName(text);
  if (name === undefined) return renderPrompt(text, ctx);
  const value = (await valuesFor([name], ctx)).get(name);
  if (value === undefined) return renderPrompt(text, ctx);
  return value === "" ? undefined : value;
}

async function valuesFor(names: readonly string[], ctx: PromptContext): Promise<Map<string, TemplateValue>> {
  const values = new Map<string, TemplateValue>(
    HARNESS_FLAGS.map((flag) => [flag, ctx.flags[flag] === true]),
  );
  for (const name of names) {
    const value = await variableValue(name, ctx);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

async function variableValue(name: string, ctx: PromptContext): Promise<TemplateValue | undefined> {
  const { vars = {} } = ctx;
  if (Object.hasOwn(VARIABLES, name)) return VARIABLES[name]?.(ctx);
  const own = Object.hasOwn(vars, name) ? vars[name] : undefined;
  if (own === undefined) return undefined;
  // Without the harness's own names, so that they can't go round in circles.
  if (typeof own === "string") return renderPrompt(own, { ...ctx, vars: {} });
  const value = (await variableValue(own.from, { ...ctx, vars: {} })) ?? "";
  const word = String(value);
  const mapped = own.map && Object.hasOwn(own.map, word) ? own.map[word] : value;
  return mapped === "" ? (own.default ?? "") : mapped;
}
