import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import type { Io } from "../../protocol/program.ts";
import { QUICK_ANSWER_MS, withLateEnd } from "../../util/late-end.ts";

/** One JSON message a line over the program's own streams. Stands in for the library's transport, which takes the global ones. */
export class IoTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #io: Pick<Io, "stdin" | "stdout">;
  #isClosed = false;

  constructor(io: Pick<Io, "stdin" | "stdout">) {
    this.#io = io;
  }

  async start(): Promise<void> {
    void this.#read();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error("the client has gone");
    await this.#io.stdout.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  async #read(): Promise<void> {
    const buffer = new ReadBuffer();
    try {
      for await (const chunk of withLateEnd(this.#io.stdin.stream(), QUICK_ANSWER_MS)) {
        buffer.append(Buffer.from(chunk));
        this.#deliver(buffer);
      }
    } catch (cause) {
      this.onerror?.(toError(cause));
    }
    await this.close();
  }

  #deliver(buffer: ReadBuffer): void {
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (cause) {
        // A line that is not a message is reported; the ones after it still count.
        this.onerror?.(toError(cause));
      }
    }
  }
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
