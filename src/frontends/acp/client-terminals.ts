import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { CommandHost, HostedSpec } from "../../protocol/command-host.ts";
import { endBranch } from "../../util/kill.ts";
import type { Client, TerminalPlace } from "./client.ts";
import { ClientTerminal, type TerminalClient } from "./client-terminal.ts";
import { type CommandScript, isAlive, writeCommandScript } from "./command-script.ts";
import { titleText } from "./texts.ts";
import type { ToolCalls } from "./tool-calls.ts";

/** How long a client may take to open a terminal: it may ask its person. After that it counts as silent. */
const PATIENCE_MS = 30_000;
/** What a terminal keeps of what its command writes; bytes. */
const MOST_OUTPUT = 1024 * 1024;

type Started = Awaited<ReturnType<CommandHost["start"]>>;
type Options = {
  client: TerminalClient & Pick<Client, "createTerminal" | "notice">;
  sessionId: string;
  calls: Pick<ToolCalls, "runsIn">;
  patienceMs?: number;
};

/** Runs the commands of one session in terminals of its client. */
export class ClientTerminals implements CommandHost {
  readonly #options: Options;
  /** Each further try would cost time and come to nothing. */
  #isOff = false;
  #isTold = false;

  constructor(options: Options) {
    this.#options = options;
  }

  async start(command: HostedSpec, signal: AbortSignal): Promise<Started> {
    if (this.#isOff || process.platform === "win32") return undefined;
    const script = await writeCommandScript(command).catch(() => undefined);
    if (!script) return undefined;
    const stop = new AbortController();
    const late = AbortSignal.timeout(this.#options.patienceMs ?? PATIENCE_MS);
    const until = AbortSignal.any([signal, late, stop.signal]);
    const started = await this.#begin(script, command, until).finally(() => stop.abort());
    if (started === undefined || "problem" in started) script.remove();
    if (late.aborted && started !== undefined && "problem" in started) this.#giveUp("does not answer");
    return started;
  }

  async #begin(script: CommandScript, command: HostedSpec, until: AbortSignal): Promise<Started> {
    const { client, sessionId, calls } = this.#options;
    const { cwd, callId } = command;
    const request = { sessionId, ...script.words, cwd, outputByteLimit: MOST_OUTPUT };
    const created = client.createTerminal(request);
    const answer = await before(created, until);
    if (answer === undefined) return this.#leave(script, created);
    if ("problem" in answer) return this.#refused(script, answer.problem);
    const place = { sessionId, terminalId: answer.terminalId };
    calls.runsIn(callId, place.terminalId);
    const terminal = new ClientTerminal(client, place, script);
    if (await terminal.hasBegun(until)) return terminal;
    if (!script.forbid()) {
      terminal.noteBegun();
      return terminal;
    }
    terminal.release();
    if (until.aborted) return { problem: NOT_STARTED };
    // Its folder, or its machine, is another than ours.
    calls.runsIn(callId, undefined);
    this.#giveUp("can't start commands of ours");
    return undefined;
  }

  /** The answer comes too late, if ever. */
  #leave(script: CommandScript, created: Promise<{ terminalId: string }>): { problem: string } {
    const { client, sessionId } = this.#options;
    created.then(({ terminalId }) => end(client, { sessionId, terminalId })).catch(() => {});
    if (script.forbid()) return { problem: NOT_STARTED };
    const begun = script.begun();
    if (begun && isAlive(begun)) void endBranch(begun.pid);
    return { problem: "the editor began the command, and then did not answer" };
  }

  /** A person, or a rule, at the client may have said no: then it is not for us to run it all the same. */
  #refused(script: CommandScript, reason: string): { problem: string } | undefined {
    const isNo = /denied|deny|declin|refus|reject|permi|forbid|not allowed|cancel/i.test(reason);
    if (isNo) return { problem: `the editor refused to run the command: ${reason}` };
    if (!script.forbid()) return { problem: `the editor began the command, and then failed: ${reason}` };
    this.#tell(`could not open a terminal (${reason})`);
    return undefined;
  }

  #giveUp(why: string): void {
    this.#isOff = true;
    this.#tell(`${why} in its terminals`);
  }

  #tell(what: string): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const { client, sessionId } = this.#options;
    client.notice(sessionId, "warning", `The editor ${what}, so commands run without its terminals.`);
  }
}

const NOT_STARTED = "the editor did not start the command in time, or was told not to";

/** The answer, or why there is none; undefined when the signal fires first. */
async function before<T>(
  answer: Promise<T>,
  signal: AbortSignal,
): Promise<T | { problem: string } | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = () => resolve(undefined);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([answer.catch((cause) => ({ problem: reasonOf(cause) })), promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Many clients say what happened only beside a message of the protocol's own. */
function reasonOf(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : String(cause);
  const more =
    cause instanceof RequestError && cause.data !== undefined ? `: ${JSON.stringify(cause.data)}` : "";
  return titleText(words + more);
}

async function end(client: TerminalClient, place: TerminalPlace): Promise<void> {
  await client.killTerminal(place).catch(() => {});
  await client.releaseTerminal(place);
}
