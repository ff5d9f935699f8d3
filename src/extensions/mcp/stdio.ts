import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { endTree, isGroupAlive, type LastResort, signalGroup } from "../../util/kill.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import { settles } from "./settle.ts";

/** A server that sends this much without a line end, or in lines that are not messages, is out of order. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const MAX_STRAY_BYTES = 64 * 1024 * 1024;
const STDERR_TAIL = 1_000;
const NEWLINE = 0x0a;
/** Blanks, and the bytes of a byte order mark. */
const BLANKS = [0x20, 0x09, 0x0d, 0xef, 0xbb, 0xbf];
const BRACE = 0x7b;
const BRACKET = 0x5b;

export type StdioOptions = {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  lastResort: LastResort;
};

/**
 * Speaks to a child process: one JSON message a line. It stands in for the SDK's own transport, because servers are
 * often started through wrappers (npx, uvx, a shell): the child leads a process group, and all of it is ended.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #options: StdioOptions;
  #child: Bun.Subprocess<"pipe", "pipe", "pipe"> | undefined;
  #stderr = "";
  #isClosed = false;
  #strayLines = 0;
  #strayBytes = 0;
  /** Why we have ended it. */
  #fault: string | undefined;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { argv, cwd, env, lastResort } = this.#options;
    const child = Bun.spawn(argv, {
      cwd,
      env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
    this.#child = child;
    lastResort.add(child.pid);
    const output = Promise.all([this.#readMessages(child.stdout), this.#readStderr(child.stderr)]).catch(
      (cause) => this.onerror?.(cause instanceof Error ? cause : new Error(String(cause))),
    );
    // Output may end before the process is gone, and a grandchild may hold it open for ever after.
    const over = [
      output.then(() => settles(child.exited, 200)),
      child.exited.then(() => settles(output, 200)),
    ];
    void Promise.race(over).then(() => this.#finish(child.pid));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#child === undefined || this.#isClosed) throw new Error("the server is not running");
    this.#child.stdin.write(serializeMessage(message));
    await this.#child.stdin.flush();
  }

  /** Has the process ended? */
  get isOver(): boolean {
    return this.#isClosed;
  }

  /** Lines of its output that were not messages. */
  get strayLines(): number {
    return this.#strayLines;
  }

  /** How the server ended, in words, with the end of its stderr. */
  exitReason(): string {
    if (this.#fault !== undefined) return `was ended: ${this.#fault}`;
    const { exitCode, signalCode } = this.#child ?? {};
    const how = signalCode ? `was ended by ${signalCode}` : `exited with code ${exitCode ?? "unknown"}`;
    const stderr = terminalSafe(this.#stderr).trim();
    return stderr === "" ? how : `${how}; its last words: ${stderr}`;
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    try {
      await child.stdin.end();
    } catch {
      // It closed its end first.
    }
    if (!(await settles(child.exited, 500))) {
      signalGroup(child.pid, "SIGTERM");
      await settles(child.exited, 1_000);
    }
    if (isGroupAlive(child.pid)) await endTree(child.pid);
    await this.#finish(child.pid);
  }

  async #finish(pid: number): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (isGroupAlive(pid)) await endTree(pid);
    this.#options.lastResort.remove(pid);
    this.onclose?.();
  }

  async #readMessages(stdout: ReadableStream<Uint8Array>): Promise<void> {
    let pieces: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of stdout) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        pieces.push(chunk.subarray(start, end));
        this.#receive(pieces);
        [pieces, size, start] = [[], 0, end + 1];
      }
      pieces.push(chunk.subarray(start));
      size += chunk.length - start;
      if (size > MAX_LINE_BYTES) this.#giveUp("it wrote more than 64 MiB in one line");
      if (this.#strayBytes > MAX_STRAY_BYTES) this.#giveUp("it wrote more than 64 MiB that are not messages");
      // A server that never stops writing must not keep our timers and signals from their turn.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  #giveUp(fault: string): never {
    this.#fault = fault;
    throw new Error(fault);
  }

  #receive(pieces: readonly Uint8Array[]): void {
    const [line = new Uint8Array()] = pieces.length === 1 ? pieces : [Buffer.concat(pieces)];
    const first = line.find((byte) => !BLANKS.includes(byte));
    if (first === undefined) return;
    const messages = first === BRACE || first === BRACKET ? messagesIn(line) : [];
    if (messages.length === 0) {
      this.#strayLines += 1;
      this.#strayBytes += line.length;
    }
    for (const message of messages) this.onmessage?.(message);
  }

  async #readStderr(stderr: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stderr)
      this.#stderr = (this.#stderr + decoder.decode(chunk, { stream: true })).slice(-STDERR_TAIL);
  }
}

/**
 * One message, or several in a list, which servers of the revision of 2025-03-26 may send. Start-up banners and stray
 * prints are none: not ours to read, no reason to give the server up.
 */
function messagesIn(line: Uint8Array): JSONRPCMessage[] {
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString();
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return (Array.isArray(value) ? value : [value]).map((one) => parseJSONRPCMessage(one));
  } catch {
    return [];
  }
}
