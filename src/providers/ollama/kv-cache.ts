import type { Json } from "../../util/json.ts";

/** Bytes of one stored number. The blocks of the quantised forms carry their scale: 34 and 18 bytes for 32 numbers. */
const BYTES_PER_ELEMENT: Readonly<Record<string, number>> = { f16: 2, q8_0: 34 / 32, q4_0: 18 / 32 };

/** Families of which Ollama never runs more than one conversation at a time (server/sched.go of Ollama). */
const ONE_SLOT = /^(mllama|qwen3vl(moe)?|qwen35(moe)?|qwen3next|lfm2(moe)?|nemotron_h.*)$/;

/** What the model's card says of its memory, from model_info of /api/show. */
export type CacheFacts = {
  /** Numbers that one token of context takes: for each layer, a key and a value for each head. */
  elementsPerToken: number;
  architecture: string;
  /** The count of heads differs from layer to layer and was left out: then the highest possible one is assumed. */
  isRough: boolean;
};

/**
 * Undefined when the model does not tell. Models with sliding windows, constant state or a compressed cache need less; so
 * the estimate errs to the safe side.
 */
export function cacheFacts(info: Json): CacheFacts | undefined {
  const architecture = info["general.architecture"];
  if (typeof architecture !== "string") return undefined;
  const number = (key: string) => {
    const value = info[`${architecture}.${key}`];
    return typeof value === "number" && value > 0 ? value : undefined;
  };
  const layers = number("block_count");
  const heads = number("attention.head_count");
  const perLayer = info[`${architecture}.attention.head_count_kv`];
  const width = headWidth(number("embedding_length"), heads);
  const key = number("attention.key_length") ?? width;
  const value = number("attention.value_length") ?? width;
  // A layer without attention is in the list with 0 heads.
  const total = Array.isArray(perLayer)
    ? perLayer.reduce((sum: number, count) => sum + (typeof count === "number" ? count : 0), 0)
    : times(layers, number("attention.head_count_kv") ?? heads);
  if (!total || !key || !value) return undefined;
  // Without `verbose`, the server sends null in the place of a list.
  return { elementsPerToken: total * (key + value), architecture, isRough: perLayer === null };
}

/**
 * Bytes of memory for one token of the window. How the server stores its cache and how many conversations it holds at
 * once only its own environment says; `env` is ours, which for a server on this machine is the best guess.
 */
export function bytesPerToken(
  { elementsPerToken, architecture }: CacheFacts,
  env: Readonly<Record<string, string | undefined>>,
): number {
  const perElement = BYTES_PER_ELEMENT[setting(env, "OLLAMA_KV_CACHE_TYPE").toLowerCase()] ?? 2;
  const asked = Number(setting(env, "OLLAMA_NUM_PARALLEL") || 1);
  const slots = ONE_SLOT.test(architecture) || !Number.isInteger(asked) ? 1 : Math.max(1, asked);
  return elementsPerToken * perElement * slots;
}

/** Quotes and blanks around it do not count, as for every variable of Ollama. */
function setting(env: Readonly<Record<string, string | undefined>>, name: string): string {
  return (env[name] ?? "").trim().replace(/^["']|["']$/g, "");
}

function headWidth(embedding: number | undefined, heads: number | undefined): number | undefined {
  return embedding && heads ? embedding / heads : undefined;
}

function times(a: number | undefined, b: number | undefined): number | undefined {
  return a && b ? a * b : undefined;
}
