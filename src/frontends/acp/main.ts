import { ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import { overridesFrom } from "../../config/flags.ts";
import { loadConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import type { Io, Main } from "../../protocol/program.ts";
import { type Parsed, parseArgs } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";
import { QUICK_ANSWER_MS, withLateEnd } from "../../util/late-end.ts";
import { LineOutput } from "../../util/line-output.ts";
import { reportError } from "../../util/report.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import { createAgent } from "./agent.ts";
import { ACP, type AcpOption } from "./options.ts";
import { giantLineAnswer, LONGEST_LINE, withoutGiantLines } from "./whole-lines.ts";

/** `interpreter acp`: the agent for one client, until its input ends. */
export const main: Main = async (argv, io) => {
  try {
    const options = parseArgs(ACP, argv);
    if (options.wantsHelp) {
      await io.stdout.write(helpText(ACP));
      return 0;
    }
    await serve(options, io);
    return 0;
  } catch (cause) {
    return reportError(cause, io.stderr);
  }
};

async function serve(options: Parsed<AcpOption>, io: Io): Promise<void> {
  const output = new LineOutput(io.stdout);
  // After the agent's own end, which may have something to say.
  await using _ = { [Symbol.asyncDispose]: () => output.end() };
  await using agent = createAgent({
    env: io.env,
    cwd: io.cwd,
    settings: (cwd, changes) => settingsOf(options, io, cwd, changes),
    log: (line) => void io.stderr.write(`${terminalSafe(line)}\n`),
    signal: io.signal,
  });
  const input = withoutGiantLines(io.stdin.stream(), LONGEST_LINE, (head) => {
    void output.write(giantLineAnswer(head));
  });
  const connection = agent.app.connect(ndJsonStream(output.stream, withLateEnd(input, QUICK_ANSWER_MS)));
  // The client may still be there: it hears how its prompts end, and that its terminals are not needed any more.
  const stop = async () => {
    // What goes wrong here goes wrong again, and is heard of, when the agent is disposed of below.
    const ended = agent[Symbol.asyncDispose]();
    await Promise.race([ended, Bun.sleep(FAREWELL_MS)]).catch(() => {});
    connection.close();
  };
  if (io.signal.aborted) await stop();
  io.signal.addEventListener("abort", () => void stop(), { once: true });
  await connection.closed.catch(() => {});
}

const FAREWELL_MS = 1500;

function settingsOf(options: Parsed<AcpOption>, io: Io, cwd: string, changes: readonly Override[]) {
  return loadConfig({
    env: io.env,
    cwd,
    overrides: [...overridesFrom(options, cwd), ...changes],
    profile: options.value("profile"),
    strict: options.has("strict-config"),
  });
}
