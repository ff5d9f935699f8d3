import type { Json } from "../../model/json.ts";

/** Keys and values are kept in 16 bits each, unless OLLAMA_KV_CACHE_TYPE says otherwise. */
const BYTES_PER_ELEMENT = 2;

/**
 * Bytes of memory that one token of context takes, from the model_info of /api/show: for each layer, a key and a value
 * for each head. Undefined when the model does not tell. Models with sliding windows, constant state or a compressed
 * cache need less; so the estimate errs to the safe side.
 */
export function bytesPerToken(info: Json): number | undefined {
  const architecture = info["general.architecture"];
  if (typeof architecture !== "string") return undefined;
  const number = (key: string) => {
    const value = info[`${architecture}.${key}`];
    return typeof value === "number" && value > 0 ? value : undefined;
  };
  const layers = number("block_count");
  const heads = number("attention.head_count");
  // An array of one count for each layer arrives as null; as many as there are heads is the most it can be.
  const keyHeads = number("attention.head_count_kv") ?? heads;
  const width = headWidth(number("embedding_length"), heads);
  const key = number("attention.key_length") ?? width;
  const value = number("attention.value_length") ?? width;
  if (!layers || !keyHeads || !key || !value) return undefined;
  return layers * keyHeads * (key + value) * BYTES_PER_ELEMENT;
}

function headWidth(embedding: number | undefined, heads: number | undefined): number | undefined {
  return embedding && heads ? embedding / heads : undefined;
}
