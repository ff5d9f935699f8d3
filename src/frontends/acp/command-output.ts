import type { ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import { truncateMiddle } from "../../util/truncate.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import { fenced, textContent } from "./texts.ts";

type Change = Omit<ToolCallUpdate, "toolCallId">;
export type SendChange = (change: Change) => void;

/** The output of one command, as it grows. */
export type CommandOutput = {
  /** What the announcement of the call holds. */
  readonly first: Change;
  add(chunk: string): void;
  /** What the last update holds. */
  end(output: string, exitCode: number | undefined): Change;
  dispose(): void;
};

/** Each update holds everything that is shown, so a running command is shown by its newest lines, now and then. */
const PAUSE_MS = 150;
/** Characters. */
const MOST_LIVE = 8 * 1024;
const MOST_BYTES = 48 * 1024;

/** Output as text below the call, for every client. */
export function outputAsText(send: SendChange): CommandOutput {
  let tail = "";
  const pause = new Pause(() => send(content(tail.slice(-MOST_LIVE))));
  return {
    first: {},
    add(chunk) {
      tail = (tail + chunk).slice(-2 * MOST_LIVE);
      pause.soon();
    },
    end(output) {
      pause.stop();
      return content(truncateMiddle(output, { unit: "bytes", limit: MOST_BYTES }));
    },
    dispose: () => pause.stop(),
  };
}

/** How far a server says it is, until there is a result: its newest line. */
export function progressAsText(send: SendChange): CommandOutput {
  let line = "";
  const pause = new Pause(() => send({ content: [textContent(terminalSafe(line))] }));
  return {
    first: {},
    add(chunk) {
      line = chunk.trim();
      pause.soon();
    },
    end() {
      pause.stop();
      return {};
    },
    dispose: () => pause.stop(),
  };
}

/** Does a thing a little later, however often it is asked for until then. */
class Pause {
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(act: () => void) {
    this.#act = act;
  }

  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#act();
    }, PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * Output in a terminal that the client draws. Zed and the adapters that came with it agree on these fields of `_meta`;
 * the protocol's own terminals run commands in the client, where our sandbox is not.
 */
export function outputAsTerminal(id: string, cwd: string, send: SendChange): CommandOutput {
  let hasOutput = false;
  const data = (text: string) => ({ terminal_output: { terminal_id: id, data: text } });
  return {
    first: {
      content: [{ type: "terminal", terminalId: id }],
      _meta: { terminal_info: { terminal_id: id, cwd } },
    },
    add(chunk) {
      hasOutput = true;
      send({ _meta: data(chunk) });
    },
    end(output, exitCode) {
      const whole = truncateMiddle(output, { unit: "bytes", limit: MOST_BYTES });
      return {
        _meta: {
          ...(hasOutput || output === "" ? {} : data(whole)),
          terminal_exit: { terminal_id: id, exit_code: exitCode ?? null, signal: null },
        },
      };
    },
    dispose: () => {},
  };
}

/** A terminal of the client's in which the command itself runs: it shows all that is to be shown. */
export function outputInTerminal(terminalId: string): CommandOutput {
  return {
    first: { content: [{ type: "terminal", terminalId }] },
    add: () => {},
    end: () => ({}),
    dispose: () => {},
  };
}

function content(output: string): Change {
  const text = terminalSafe(output);
  return text.trim() === "" ? {} : { content: [textContent(fenced(text))] };
}
