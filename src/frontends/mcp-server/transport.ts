import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Input } from "../../protocol/program.ts";
import { byteLines } from "../../util/byte-lines.ts";
import { parseJson } from "../../util/json.ts";
import { QUICK_ANSWER_MS, withLateEnd } from "../../util/late-end.ts";
import type { LineOutput } from "../../util/line-output.ts";

const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A line that wants an answer, whatever else is wrong with it. */
const Request = z.looseObject({ id: z.union([z.string(), z.number()]), method: z.string() });
const INVALID_REQUEST = -32600;

/** One JSON message a line over the program's own streams. Stands in for the library's transport, which takes the global ones. */
export class IoTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Input;
  readonly #output: LineOutput;
  #isClosed = false;

  constructor(input: Input, output: LineOutput) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    void this.#read();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error("the client has gone");
    await this.#output.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  async #read(): Promise<void> {
    try {
      const chunks = withLateEnd(this.#input.stream(), QUICK_ANSWER_MS);
      for await (const line of byteLines(chunks, MAX_LINE_BYTES)) this.#deliver(line);
    } catch (cause) {
      this.onerror?.(toError(cause));
    }
    await this.close();
  }

  /** A line that is not a message is reported; the ones after it still count. */
  #deliver(line: Uint8Array | "too long"): void {
    const read = line === "too long" ? { problem: "a line of more than 64 MiB" } : readLine(line);
    if ("message" in read) this.onmessage?.(read.message);
    else if ("problem" in read) this.onerror?.(new Error(`${read.problem} was left out`));
    else if ("refused" in read) void this.send(refusalOf(read.refused)).catch(() => {});
  }
}

type Read =
  | { message: JSONRPCMessage }
  | { refused: string | number }
  | { problem: string }
  | { blank: true };

/** `refused`: the id of something that wants an answer, and can't be a request. */
function readLine(line: Uint8Array): Read {
  const text = new TextDecoder().decode(line);
  if (text.trim() === "") return { blank: true };
  const value = parseJson(text);
  if (value === undefined) return { problem: "a line that is not JSON" };
  const message = messageIn(value);
  if (message !== undefined) return { message };
  const { data: request } = Request.safeParse(value);
  return request ? { refused: request.id } : { problem: "a line that is not a message" };
}

function refusalOf(id: string | number): JSONRPCMessage {
  return {
    jsonrpc: "2.0",
    id,
    error: { code: INVALID_REQUEST, message: "this is not a request of JSON-RPC 2.0" },
  };
}

function messageIn(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
