/** A model that the fake Ollama has on its disk. */
export type InstalledModel = {
  /** As the user wrote it; shown with its tag. */
  name: string;
  /** Absent: completion and tools. null: a server from before the field existed. */
  capabilities?: readonly string[] | null;
  /** The values of the Modelfile, e.g. { num_ctx: 32768, stop: "<|im_end|>" }. */
  parameters?: Readonly<Record<string, string | number>>;
  /** The longest context that the model was trained for, in tokens. */
  contextLength?: number;
  /** The card does not have that number. */
  hidesContextLength?: boolean;
  /** Added to model_info. */
  info?: Readonly<Record<string, unknown>>;
  /** Bytes. */
  size?: number;
  /** A model that runs on somebody else's machine. */
  remoteHost?: string;
  /** Where calls stand in the stream: "last" is the native path, "own" the rendered one. */
  calls?: "last" | "own";
};

export type AnswerPart =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "call"; name: string; input: Record<string, unknown> };

/** What the server does with one chat request. */
export type ChatTurn =
  | {
      kind: "answer";
      parts: readonly AnswerPart[];
      reason?: "stop" | "length";
      /** How the stream ends: with its last line, without it, torn, in silence, or with an error line. */
      end?: "done" | "eof" | "cut" | "hang" | { error: string };
      /** false: the last line has no counts. */
      counts?: boolean;
    }
  | { kind: "status"; status: number; body: unknown };

export type ServerOptions = {
  /** Default 0.32.15. */
  version?: string;
  models: readonly InstalledModel[];
  /** A script, or a model that looks at the request. */
  turns?: readonly ChatTurn[] | ((body: Readonly<Record<string, unknown>>) => ChatTurn);
  /** The context of requests that name none; 4096 on a machine without a large GPU. */
  defaultContext?: number;
  /** Awaited while a model is loaded: not a byte is sent before it is done. */
  load?: () => Promise<void>;
  /** What the registry has. "offline": it can't be reached. */
  registry?: "offline" | readonly string[];
  /** Bytes of each layer that a pull brings; two small ones by default. */
  layers?: readonly number[];
  /** For each pull in its order: the connection is torn once more than this many bytes are on the disk. */
  tearAfter?: readonly number[];
  /** Awaited after each line about a layer. */
  onLayerLine?: () => Promise<void> | void;
  cloud?: "disabled" | "signed_out";
};

export type SeenRequest = { method: string; path: string; body: Record<string, unknown> | undefined };

export type OllamaServer = AsyncDisposable & {
  /** Without a path, e.g. http://127.0.0.1:40123. */
  origin: string;
  /** As OLLAMA_HOST has it. */
  host: string;
  requests: SeenRequest[];
  /** The bodies of chat requests that carry messages, in order. */
  chats(): Record<string, unknown>[];
  /** How often a model was loaded; a change of load-time options counts again. */
  loads(): number;
  /** How many requests were refused as they did not fit into the context. */
  overflows(): number;
  /** Bytes of a model that downloads have brought so far. */
  arrived(name: string): number;
  /** Resolves when a client has gone away in the middle of a download. */
  readonly leftPull: Promise<void>;
};

export function says(text: string): ChatTurn {
  return { kind: "answer", parts: [{ type: "text", text }] };
}

export function calls(name: string, input: Record<string, unknown>): ChatTurn {
  return { kind: "answer", parts: [{ type: "call", name, input }] };
}
