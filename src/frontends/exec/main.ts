import { resolve } from "node:path";
import { imageFiles, overridesFrom, workingDirectory } from "../../config/flags.ts";
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import { userHome } from "../../config/paths.ts";
import { imageInput } from "../../core/prompt-context/image-input.ts";
import { openSession } from "../../core/runtime.ts";
import { REVIEW_INSTRUCTIONS, reviewPrompt } from "../../core/tasks/review.ts";
import { VERIFY_PROMPT } from "../../core/tasks/verify.ts";
import type { Part } from "../../protocol/items.ts";
import type { Io, Main } from "../../protocol/program.ts";
import type { Parsed } from "../../util/args.ts";
import { AppError } from "../../util/errors.ts";
import { factsOf } from "../../util/fs.ts";
import { repositoryRoot } from "../../util/git.ts";
import { reportError } from "../../util/report.ts";
import { deliverAnswer } from "./answer.ts";
import { converse } from "./conversation.ts";
import { runLimits } from "./limits.ts";
import type { ExecOption } from "./options.ts";
import { readOutputSchema } from "./output-schema.ts";
import { readPrompt } from "./prompt.ts";
import { type ExecRequest, readRequest, readReviewRequest } from "./request.ts";

/** `interpreter exec`: one task, no user interface. Exit code 0 done, 1 failed, 2 wrong command line, 3 budget used up. */
export const main: Main = (argv, io) => runRequest(() => readRequest(argv), io);

/** `interpreter review`: a review without `exec` in front. */
export const review: Main = (argv, io) => runRequest(() => readReviewRequest(argv), io);

async function runRequest(read: () => ExecRequest | { help: string }, io: Io): Promise<number> {
  try {
    const request = read();
    if ("help" in request) {
      await io.stdout.write(request.help);
      return 0;
    }
    return await run(request, io);
  } catch (cause) {
    return reportError(cause, io.stderr);
  }
}

async function run(request: ExecRequest, io: Io): Promise<number> {
  const { options } = request;
  const isJson = options.has("json");
  const startedAt = Date.now();
  const budget = runLimits(options);
  const seconds = readSeconds(options.value("timeout"));
  const task = options.has("demo") ? await demoTask(options, io) : await userTask(request, io);
  const endsAt = seconds === undefined ? undefined : startedAt + seconds * 1000;
  await using opened = await openSession({
    config: task.config,
    env: io.env,
    cwd: task.cwd,
    source: "exec",
    thread: request.thread,
    isEphemeral: options.has("ephemeral"),
    outputSchema: task.outputSchema,
    review: request.review ? { instructions: REVIEW_INSTRUCTIONS } : undefined,
    extras: {
      ...(options.has("verify") ? { verifyPrompt: VERIFY_PROMPT } : {}),
      ...(endsAt === undefined ? {} : { deadline: { startedAt, endsAt } }),
      budget,
    },
    signal: io.signal,
  });
  const outcome = await converse(
    {
      opened,
      warnings: [...opened.warnings, ...task.warnings],
      prompt: task.prompt,
      input: task.input,
      isJson,
      isReview: request.review !== undefined,
      color: colorOf(options),
      ...(endsAt === undefined ? {} : { endsAt }),
    },
    io,
  );
  const isDelivered = await deliverAnswer(outcome, { isJson, ...fileOf(options) }, io);
  return EXIT_CODES[outcome.status] || (isDelivered ? 0 : 1);
}

const EXIT_CODES = { completed: 0, failed: 1, aborted: 1, over_budget: 3 } as const;

type Task = {
  config: LoadedConfig;
  cwd: string;
  prompt: string;
  input: Part[];
  /** For the user, beside those of the configuration. */
  warnings: string[];
  outputSchema?: Record<string, unknown>;
};

async function userTask(request: ExecRequest, io: Io): Promise<Task> {
  const { options } = request;
  const cwd = checkedDirectory(workingDirectory(options, io.cwd, userHome(io.env)));
  const config = await loadConfig({
    env: io.env,
    cwd,
    overrides: overridesFrom(options, cwd),
    profile: options.value("profile"),
    ignoreUserConfig: options.has("ignore-user-config"),
    strict: options.has("strict-config"),
  });
  const schemaFile = options.value("output-schema");
  const outputSchema = schemaFile === undefined ? undefined : await readOutputSchema(schemaFile, io.cwd);
  await checkRepository(options, config, cwd);
  const prompt = await promptText(request, io);
  const images = await imageInput(imageFiles(options), io.cwd);
  const input: Part[] = [...images.parts, { type: "input_text", text: prompt }];
  const warnings = images.problems;
  return { config, cwd, prompt, input, warnings, ...(outputSchema ? { outputSchema } : {}) };
}

async function demoTask(options: Parsed<ExecOption>, io: Io): Promise<Task> {
  const { prepareDemo } = await import("../../core/tasks/demo.ts");
  const { cwd, prompt } = await prepareDemo();
  await io.stderr.write(
    `The model of this demo is a recording; the repository and the tools are real:\n${cwd}\n`,
  );
  // A machine without a sandbox can still show the demo: `--sandbox danger-full-access`.
  const overrides = [DEMO_SANDBOX, ...overridesFrom(options, cwd), ...DEMO_MODEL];
  const config = await loadConfig({ env: io.env, cwd, overrides, ignoreUserConfig: true });
  return { config, cwd, prompt, input: [{ type: "input_text", text: prompt }], warnings: [] };
}

const DEMO_SANDBOX = { path: ["sandbox_mode"], option: "--demo", set: "workspace-write" } as const;
const DEMO_MODEL = [
  { path: ["model_provider"], option: "--demo", set: "demo" },
  { path: ["model"], option: "--demo", unset: true },
] as const;

async function promptText({ review, prompt, thread }: ExecRequest, io: Io): Promise<string> {
  if (review && review !== "prompt") return reviewPrompt(review);
  const text = await readPrompt({
    ...(prompt === undefined ? {} : { argument: prompt }),
    addsPipedInput: thread.kind === "new",
    stdin: io.stdin,
    stderr: io.stderr,
    signal: io.signal,
  });
  return review ? reviewPrompt({ kind: "custom", prompt: text }) : text;
}

function checkedDirectory(path: string): string {
  const found = factsOf(path);
  if (found?.isDirectory()) return resolve(path);
  const problem = found ? "is not a directory" : "does not exist";
  throw new AppError("config", `the working directory ${path} ${problem}`, {
    hint: "name another one with --cd DIR",
  });
}

async function checkRepository(
  options: Parsed<ExecOption>,
  config: LoadedConfig,
  cwd: string,
): Promise<void> {
  if (options.has("skip-git-repo-check") || options.has("dangerously-bypass-approvals-and-sandbox")) return;
  if (config.trust === "trusted" || repositoryRoot(cwd)) return;
  throw new AppError(
    "config",
    "Not inside a trusted directory and --skip-git-repo-check was not specified.",
    {
      hint: "without Git, changes can't be undone; start in a repository, or add --skip-git-repo-check",
    },
  );
}

function readSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds) && seconds > 0 && seconds <= MOST_SECONDS)
    return seconds;
  throw new AppError(
    "usage",
    `invalid value '${text}' for '--timeout <SECONDS>': a number of seconds above 0 was expected`,
    {
      hint: "for example --timeout 600",
    },
  );
}

/** Timers hold 31 bits of milliseconds. */
const MOST_SECONDS = 2_147_483;

function colorOf(options: Parsed<ExecOption>): "always" | "never" | "auto" {
  const color = options.value("color");
  return color === "always" || color === "never" ? color : "auto";
}

function fileOf(options: Parsed<ExecOption>): { file?: string } {
  const file = options.value("output-last-message");
  return file === undefined ? {} : { file };
}
