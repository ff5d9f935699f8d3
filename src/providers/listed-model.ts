import { isRecord, type Json, listOf, recordOf, textIn } from "../util/json.ts";
import { labelIn, nameIn, tokensIn } from "./server-facts.ts";

/** What a server's list says of a model; what it leaves out is undefined. */
export type ListedModel = {
  id: string;
  label?: string;
  /** Tokens. */
  contextWindow?: number;
  images?: boolean;
  tools?: boolean;
};

/** The models in the answer to `GET /models`, sorted, those left out that can't chat; undefined when it is no list. */
export function readModelList(answer: unknown): ListedModel[] | undefined {
  const entries = entriesOf(answer);
  if (entries === undefined) return undefined;
  const models = entries.map(readModel).filter((model) => model !== undefined);
  const byId = new Map(models.map((model) => [model.id, model]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** `{data: []}` is the rule; Ollama says null for an empty list, and some hosts have `models` or a bare list. */
function entriesOf(answer: unknown): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (!isRecord(answer)) return undefined;
  const { data, models, object } = answer;
  const list = [data, models].find(Array.isArray);
  return list ?? (object === "list" ? [] : undefined);
}

function readModel(entry: unknown): ListedModel | undefined {
  const facts = recordOf(typeof entry === "string" ? { id: entry } : entry);
  // Google's ids are paths, and only what follows is taken as a model's name.
  const id = nameIn(textIn(facts["id"]) ?? facts["name"])?.replace(/^models\//, "");
  if (id === undefined || !canChat(id, facts)) return undefined;
  const label = labelIn(textIn(facts["display_name"]) ?? facts["name"]);
  return {
    id,
    ...(label && label !== id ? { label } : {}),
    ...known("contextWindow", contextWindow(facts)),
    ...known("images", takesImages(facts)),
    ...known("tools", callsTools(facts)),
  };
}

const OTHER_KINDS =
  /^(embeddings?|rerank(er)?|moderation|image|audio|video|transcri(be|ption)|tts|stt|speech)$/i;
const OTHER_NAMES =
  /(^|[/_-])(embed(ding|dings)?|whisper|tts|dall-e|sora|rerank(er)?|moderation|transcribe|stable-diffusion|flux|gpt-image|imagen|veo|bge|realtime)([/_.:-]|$)/i;

function canChat(id: string, facts: Json): boolean {
  const kind = textIn(facts["type"]) ?? "";
  const outputs = listOf(recordOf(facts["architecture"])["output_modalities"]);
  const abilities = listOf(facts["capabilities"]);
  if (abilities.includes("embedding") && !abilities.includes("completion")) return false;
  if (OTHER_KINDS.test(kind) || (outputs.length > 0 && !outputs.includes("text"))) return false;
  return !OTHER_NAMES.test(id);
}

function contextWindow(facts: Json): number | undefined {
  const limits = { ...recordOf(facts["limits"]), ...recordOf(recordOf(facts["capabilities"])["limits"]) };
  const candidates = [
    facts["loaded_context_length"],
    recordOf(facts["meta"])["n_ctx"],
    facts["max_model_len"],
    facts["context_length"],
    facts["context_window"],
    facts["max_context_length"],
    facts["contextLength"],
    facts["max_input_tokens"],
    limits["max_context_window_tokens"],
    limits["max_input_tokens"],
  ];
  return candidates.map(tokensIn).find((count) => count !== undefined);
}

function takesImages(facts: Json): boolean | undefined {
  const { capabilities } = facts;
  const modalities = [recordOf(facts["architecture"])["input_modalities"], facts["input_modalities"]].find(
    Array.isArray,
  );
  if (modalities) return modalities.includes("image");
  if (facts["type"] === "vlm") return true;
  // Older servers have lists without any ability in them.
  if (Array.isArray(capabilities) && capabilities.length > 0) return capabilities.includes("vision");
  return firstFlag(recordOf(capabilities)["vision"], facts["supports_image_in"], facts["supports_vision"]);
}

function callsTools(facts: Json): boolean | undefined {
  const { capabilities, supported_parameters: parameters } = facts;
  if (Array.isArray(parameters)) return parameters.includes("tools");
  if (Array.isArray(capabilities) && capabilities.length > 0)
    return ["tools", "tool_use", "tool-calling"].some((name) => capabilities.includes(name));
  const { function_calling: called, supports } = recordOf(capabilities);
  return firstFlag(called, recordOf(supports)["tool_calls"], facts["supports_tools"]);
}

function firstFlag(...values: unknown[]): boolean | undefined {
  return values.find((value) => typeof value === "boolean");
}

function known<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  const found: { [K in Key]?: Value } = {};
  if (value !== undefined) found[key] = value;
  return found;
}
