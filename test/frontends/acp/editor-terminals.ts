import type { CreateTerminalRequest, TerminalExitStatus } from "@agentclientprotocol/sdk/unstable";

type Terminal = {
  child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  output: string;
  exit: Promise<TerminalExitStatus>;
};

/** What an editor has in its own environment. */
const OWN = { EDITOR_API_KEY: "the-editors-own-key" };

/** The terminals of an editor: they run what they are told to, with what the editor has in its environment. */
export class EditorTerminals {
  /** What was asked for, in order, as "METHOD TERMINAL". */
  readonly asked: string[] = [];
  readonly created: CreateTerminalRequest[] = [];
  /** In place of opening a terminal. */
  onCreate: ((request: CreateTerminalRequest) => Promise<{ terminalId: string }>) | undefined;
  readonly #terminals = new Map<string, Terminal>();

  create(request: CreateTerminalRequest): Promise<{ terminalId: string }> {
    this.created.push(request);
    return this.onCreate ? this.onCreate(request) : Promise.resolve(this.open(request));
  }

  open({ command, args = [], cwd }: CreateTerminalRequest): { terminalId: string } {
    const terminalId = `terminal-${this.#terminals.size + 1}`;
    const child = Bun.spawn([command, ...args], {
      ...(cwd ? { cwd } : {}),
      env: { ...process.env, ...OWN },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const read = [child.stdout, child.stderr].map((stream) => this.#read(terminalId, stream));
    const exit = Promise.all([child.exited, ...read]).then(() => statusOf(child));
    this.#terminals.set(terminalId, { child, output: "", exit });
    return { terminalId };
  }

  output(terminalId: string) {
    this.asked.push(`output ${terminalId}`);
    const { output } = this.#find(terminalId);
    return { output, truncated: false };
  }

  exit(terminalId: string): Promise<TerminalExitStatus> {
    return this.#find(terminalId).exit;
  }

  /** As many editors do it: the process, and not its children. */
  kill(terminalId: string): void {
    this.asked.push(`kill ${terminalId}`);
    this.#find(terminalId).child.kill("SIGKILL");
  }

  release(terminalId: string): void {
    this.asked.push(`release ${terminalId}`);
    this.#find(terminalId).child.kill("SIGKILL");
    this.#terminals.delete(terminalId);
  }

  /** Those that were opened and not released. */
  get leftOpen(): number {
    return this.#terminals.size;
  }

  dispose(): void {
    for (const { child } of this.#terminals.values()) child.kill("SIGKILL");
  }

  #find(terminalId: string): Terminal {
    const terminal = this.#terminals.get(terminalId);
    if (!terminal) throw new Error(`there is no terminal ${terminalId}`);
    return terminal;
  }

  async #read(terminalId: string, stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      const terminal = this.#terminals.get(terminalId);
      if (terminal) terminal.output += decoder.decode(bytes, { stream: true });
    }
  }
}

function statusOf({ exitCode, signalCode }: Bun.Subprocess): TerminalExitStatus {
  return signalCode ? { exitCode: null, signal: `${signalCode}` } : { exitCode, signal: null };
}
