import type { Item, WireApi } from "../protocol/items.ts";
import type { Effort } from "../protocol/settings.ts";
import type { Speed, Usage } from "../protocol/usage.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

export type WireTool =
  | {
      kind: "function";
      name: string;
      description: string;
      parameters: JsonSchema;
      /** It takes nothing, and a wire that allows it sends no schema at all. */
      parameterless?: true;
      strict?: boolean;
      /** The server is to keep it from the model until it is referred to, where the wire can say so. */
      deferLoading?: boolean;
    }
  | {
      kind: "freeform";
      name: string;
      description: string;
      grammar?: { syntax: "lark" | "regex"; definition: string };
    };

export type ModelRequest = {
  model: string;
  instructions: string;
  /** The same text in blocks, for a wire that has them when `layout.system` is "blocks". */
  instructionBlocks?: readonly string[];
  items: readonly Item[];
  tools: readonly WireTool[];
  parallelToolCalls: boolean;
  /** False: tool calls that the model prints as text stay text. */
  rescueToolCalls?: boolean;
  reasoning?: { effort?: Effort; summary?: "auto" | "concise" | "detailed" | "none" };
  verbosity?: "low" | "medium" | "high";
  maxOutputTokens?: number;
  outputSchema?: JsonSchema;
  /** Stable for a session; lets the server find its prompt cache. */
  cacheKey?: string;
  layout: MessageLayout;
  extraBody: Readonly<Record<string, unknown>>;
  /** A `null` value removes a header. */
  extraHeaders: Readonly<Record<string, string | null>>;
  extraQuery?: Readonly<Record<string, string>>;
  /** The header that carries the key, where the harness has one of its own. */
  keyHeader?: string;
};

/** `item` events carry whole items, in order; the deltas before them are for display only. */
export type ModelEvent =
  | { type: "started"; responseId?: string; model?: string }
  /** Nothing came yet because the server still reads the model into memory, which may take minutes. */
  | { type: "loading"; model: string }
  /** Something that the user should know, and that does not end the answer. */
  | { type: "notice"; message: string }
  | { type: "text"; delta: string }
  | { type: "thinking"; delta: string; kind: "summary" | "raw" }
  | { type: "tool_input"; callId: string; name: string; delta: string }
  | { type: "item"; item: Item }
  | { type: "finished"; stop: StopReason; usage?: Usage; detail?: string; speed?: Speed };
/** "length": the output token limit cut the answer. */
export type StopReason = "end" | "tool_calls" | "length" | "refusal";

/**
 * Sends one request and yields its events; the last one is `finished`. Throws AppError: `model.stream_cut` when the
 * stream ends without its last event or stays silent for `idleTimeoutMs`, `aborted` when the signal fires, else by status.
 */
export interface Wire {
  readonly id: WireApi;
  stream(request: ModelRequest, endpoint: Endpoint, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** What `stream` would send first, without sending it. */
  preview(request: ModelRequest, endpoint: Endpoint): RequestPreview;
}

export type RequestPreview = { url: string; headers: Record<string, string>; body: Record<string, unknown> };

export type Endpoint = {
  baseUrl: string;
  apiKey?: string;
  /** How the key is sent; default is `Authorization: Bearer`. */
  keyHeader?: string;
  /** The environment variable that holds the key, to be named when the server refuses it. */
  keyVariable?: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  quirks: Quirks;
  idleTimeoutMs: number;
  /** Silent retries of a request that got no usable answer (5xx, refused or reset connection). */
  maxRetries: number;
  /** Another key in place of the one that the server refused; undefined when there is none. */
  renewKey?: (refused: string | undefined, signal: AbortSignal) => Promise<string | undefined>;
  /** Address of the HTTP proxy to go through. Without one the way is direct, whatever the environment says. */
  proxy?: string;
  /** Certificates in PEM form: all that are trusted, in place of the built-in ones. */
  certificates?: readonly string[];
};

/** Where a provider or model differs from the documented wire. */
export type Quirks = Partial<{
  developerRole: boolean;
  maxTokensField: "max_tokens" | "max_completion_tokens";
  usageInStream: boolean;
  strictTools: boolean;
  reasoningField: "reasoning_content" | "reasoning" | "think_tags";
  reasoningParam: "reasoning_effort" | "enable_thinking" | "thinking" | "none";
  parallelToolCalls: boolean;
  toolCallIdPattern: string;
  ollama: OllamaOptions;
}>;

/** What every request to Ollama repeats: a change of it makes the server load the model anew. */
export type OllamaOptions = {
  /** Tokens; sent as num_ctx. */
  contextWindow: number;
  /** How long the model stays in memory after an answer: a duration such as "30m", or seconds. */
  keepAlive: string | number;
  /** Absent when it is not known: then the server decides whether the model thinks. */
  thinks?: boolean;
  /** False when the model is known not to take pictures. */
  images?: boolean;
};

/** How a harness lays the conversation out on the wire. */
export type MessageLayout = Partial<{
  system: "one" | "blocks" | "first_user";
  mergeAssistantTextWithCalls: boolean;
  reasoningPlaceholder: string;
  keepEmptyReasoning: boolean;
  keepEmptyToolOutput: boolean;
  compactArguments: boolean;
  toolCallId: "keep" | "underscore";
  trimUserTrailingNewlines: boolean;
  cacheBreakpoints: number;
  /** Messages of the system in the middle of a conversation keep that role, where the wire has it. */
  laterSystem: "system" | "user";
  /** In which order the results of one answer are sent: as they were called, or as they came. */
  resultOrder: "call" | "completion";
  /** Tools whose successful results say so (`is_error: false`), where the wire has a mark for failures. */
  marksSuccess: readonly string[];
  /** Messages: tools whose good results are lists of parts, also where a text would do. */
  partResults: readonly string[];
  /** Texts of the user: one string, or a list of parts even when there is only one. */
  userContent: "string" | "parts";
  /** Messages of the user that follow each other become one with several parts. */
  mergeUserMessages: boolean;
  resultContent: "string" | "parts";
  /** Whether tools say if their schema is strict. */
  toolStrict: boolean;
  /** What stands for the text of an answer that only makes calls: null, or an empty text. */
  callsWithoutText: "null" | "empty";
  /** The model writes its calls into its text: they are not sent beside it, and their results are words of the user. */
  textCalls: boolean;
  /** A failed call of a tool that is not offered is sent as a call of this one, with `tool` and `error`. */
  unknownCall: string;
}>;
