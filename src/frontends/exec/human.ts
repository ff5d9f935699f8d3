import type { ChalkInstance } from "chalk";
import { agentLine, agentMessages } from "../../protocol/agent-text.ts";
import type { FileChange, PlanStep } from "../../protocol/details.ts";
import type { Emit, ThreadItem, TurnEvent } from "../../protocol/events.ts";
import { NO_USAGE, type Speed, speedText, subtractUsage, type Usage } from "../../protocol/usage.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import { KEPT } from "./kept.ts";

export type HumanOptions = {
  /** Progress; goes to standard error. */
  write(text: string): void;
  colors: ChalkInstance;
  /** Lines of the banner, `name: value`. */
  banner: readonly (readonly [string, string])[];
  title: string;
  prompt: string;
  /** Show text while it streams: only where somebody watches. */
  isLive: boolean;
  usageBefore: Usage;
};

/** Progress of a run for a person, as text. The final answer on standard output is not its business. */
export function humanPrinter(options: HumanOptions): Emit {
  const printer = new HumanPrinter(options);
  return (event) => printer.take(event);
}

class HumanPrinter {
  readonly #options: HumanOptions;
  readonly #heading: Heading;
  #usage: Usage = NO_USAGE;
  #speed: Speed | undefined;
  /** The item whose text is being written as it comes. */
  #streaming: string | undefined;

  constructor(options: HumanOptions) {
    this.#options = options;
    this.#heading = (name) => options.colors.bold.magenta(name);
  }

  take(event: TurnEvent): void {
    const { colors, prompt, usageBefore } = this.#options;
    switch (event.type) {
      case "session.started":
        this.#say(banner(this.#options));
        this.#say(`${this.#heading("user")}\n${terminalSafe(prompt)}`);
        return;
      case "item.started":
        if (event.item.type === "command_execution") this.#say(commandLine(event.item, this.#heading));
        return;
      case "item.updated":
        if (event.item.type === "todo_list") this.#say(plan(event.item.steps, this.#heading));
        return;
      case "item.completed":
        this.#completed(event.item);
        return;
      case "item.delta":
        if (this.#options.isLive && event.field !== "output") this.#delta(event.id, event.field, event.delta);
        return;
      case "usage":
        this.#usage = event.total;
        this.#speed = event.speed;
        return;
      case "turn.completed":
        this.#say(spent(subtractUsage(this.#usage, usageBefore), this.#speed, colors));
        return;
      case "retrying":
      case "compacted":
      case "warning":
        this.#say(notice(event, colors));
        return;
      case "turn.failed":
      case "turn.aborted":
      case "budget.reached":
        this.#say(notice(event, colors));
        if (this.#usage !== NO_USAGE)
          this.#say(spent(subtractUsage(this.#usage, usageBefore), this.#speed, colors));
        return;
      case "model.loading":
        this.#say(colors.dim(loadingText(event.model)));
        return;
      case "turn.started":
      case "history.appended":
      case "approval.requested":
      case "approval.resolved":
        return;
    }
  }

  #say(text: string): void {
    this.#endStream();
    this.#options.write(`${text}\n`);
  }

  #delta(id: string, field: "text" | "reasoning", delta: string): void {
    if (this.#streaming !== id) {
      this.#endStream();
      this.#options.write(`${this.#heading(field === "text" ? "interpreter" : "thinking")}\n`);
      this.#streaming = id;
    }
    const text = terminalSafe(delta);
    this.#options.write(field === "reasoning" ? this.#options.colors.dim(text) : text);
  }

  #completed(item: ThreadItem): void {
    if (this.#streaming === item.id) this.#endStream();
    else this.#say(describe(item, this.#options.colors, this.#heading));
  }

  #endStream(): void {
    if (this.#streaming !== undefined) this.#options.write("\n");
    this.#streaming = undefined;
  }
}

function loadingText(model: string): string {
  return `loading ${terminalSafe(model)} into memory; a large model takes a minute or more`;
}

type Notice = Extract<
  TurnEvent,
  { type: "retrying" | "compacted" | "warning" | "turn.failed" | "turn.aborted" | "budget.reached" }
>;

function notice(event: Notice, colors: ChalkInstance): string {
  switch (event.type) {
    case "retrying":
      return colors.yellow(
        `Reconnecting... ${event.attempt}/${event.of} (${terminalSafe(event.error.message)})`,
      );
    case "compacted":
      return colors.dim(`history compacted: about ${event.before} tokens became ${event.after}`);
    case "warning":
      return `${colors.yellow("warning:")} ${terminalSafe(event.message)}`;
    case "turn.failed": {
      const hint = event.error.hint ? `\n${colors.dim(terminalSafe(event.error.hint))}` : "";
      return `${colors.red("ERROR:")} ${terminalSafe(event.error.message)}${hint}`;
    }
    case "budget.reached":
      return `${colors.red("ERROR:")} ${terminalSafe(event.message)}\n${colors.dim(KEPT)}`;
    case "turn.aborted": {
      const why =
        event.reason === "deadline" ? "stopped: the time given by --timeout is used up" : "interrupted";
      return colors.yellow(why);
    }
  }
}

type Heading = (name: string) => string;

function banner({ title, banner: lines, colors }: HumanOptions): string {
  const rule = "--------";
  return [
    title,
    rule,
    ...lines.map(([name, value]) => `${colors.bold(`${name}:`)} ${terminalSafe(value)}`),
    rule,
  ].join("\n");
}

/** The sum is what had to be computed anew; what the server had cached is named beside it. */
function spent(
  { input, cachedInput, output }: Usage,
  speed: Speed | undefined,
  colors: ChalkInstance,
): string {
  const number = (tokens: number) => Math.max(0, tokens).toLocaleString("en-US");
  const parts = `input ${number(input)} (cached ${number(cachedInput)}), output ${number(output)}`;
  const details = [parts, ...(speed ? [speedText(speed)] : [])].map((line) => colors.dim(line));
  return [colors.dim("tokens used"), number(input - cachedInput + output), ...details].join("\n");
}

function commandLine(item: Extract<ThreadItem, { type: "command_execution" }>, heading: Heading): string {
  const by = item.agent === undefined ? "" : ` by agent ${terminalSafe(item.agent)}`;
  return `${heading("exec")}${by}\n${terminalSafe(item.command)} in ${terminalSafe(item.cwd)}`;
}

function describe(item: ThreadItem, colors: ChalkInstance, heading: Heading): string {
  switch (item.type) {
    case "agent_message":
      return `${heading("interpreter")}\n${terminalSafe(item.text)}`;
    case "reasoning":
      return `${heading("thinking")}\n${colors.dim(terminalSafe(item.text))}`;
    case "command_execution":
      return commandResult(item, colors);
    case "file_change":
      return patch(item.changes, item.status, colors, heading);
    case "mcp_tool_call": {
      const outcome =
        item.status === "completed"
          ? colors.green("completed")
          : colors.red(terminalSafe(item.error ?? "failed"));
      return `${heading("mcp")} ${terminalSafe(item.server)}/${terminalSafe(item.tool)}: ${outcome}`;
    }
    case "web_search":
      return `${heading("web search")} ${terminalSafe(item.query)}`;
    case "agent_call": {
      const said = clip(agentMessages(item).map(terminalSafe).join("\n").trimEnd());
      return `${heading("agents")}\n${terminalSafe(agentLine(item))}${said === "" ? "" : `\n${colors.dim(said)}`}`;
    }
    case "todo_list":
      return plan(item.steps, heading);
    case "error":
      return colors.red(terminalSafe(item.message));
  }
}

function commandResult(
  item: Extract<ThreadItem, { type: "command_execution" }>,
  colors: ChalkInstance,
): string {
  const ms = Math.round(item.durationMs);
  const verdict =
    item.status === "completed"
      ? colors.green(` succeeded in ${ms}ms:`)
      : colors.red(` exited ${item.exitCode ?? "?"} in ${ms}ms:`);
  const output = clip(terminalSafe(item.output).trimEnd());
  return output === "" ? verdict : `${verdict}\n${colors.dim(output)}`;
}

const MAX_OUTPUT_LINES = 40;

/** Long output is for the model; a person gets its head and tail. */
function clip(output: string): string {
  const lines = output.split("\n");
  if (lines.length <= MAX_OUTPUT_LINES) return output;
  const half = MAX_OUTPUT_LINES / 2;
  return [
    ...lines.slice(0, half),
    `… ${lines.length - MAX_OUTPUT_LINES} lines …`,
    ...lines.slice(-half),
  ].join("\n");
}

function patch(
  changes: readonly FileChange[],
  status: string,
  colors: ChalkInstance,
  heading: Heading,
): string {
  const files = changes.flatMap(({ path, movedTo, diff }) => [
    colors.bold(terminalSafe(movedTo ? `${path} -> ${movedTo}` : path)),
    ...(diff === ""
      ? []
      : [
          terminalSafe(diff)
            .trimEnd()
            .split("\n")
            .map((line) => diffLine(line, colors))
            .join("\n"),
        ]),
  ]);
  return [heading("apply patch"), `patch: ${status}`, ...files].join("\n");
}

function diffLine(line: string, colors: ChalkInstance): string {
  if (line.startsWith("+")) return colors.green(line);
  if (line.startsWith("-")) return colors.red(line);
  return line.startsWith("@@") ? colors.cyan(line) : line;
}

function plan(steps: readonly PlanStep[], heading: Heading): string {
  const mark = { completed: "✓", in_progress: "→", pending: "•" } as const;
  return [
    heading("plan"),
    ...steps.map(({ text, status }) => `  ${mark[status]} ${terminalSafe(text)}`),
  ].join("\n");
}
