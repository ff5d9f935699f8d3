import { withTag } from "./names.ts";
import type { InstalledModel } from "./types.ts";

const DEFAULT_INFO = {
  "general.architecture": "llama",
  "general.parameter_count": 1_235_814_432,
  "general.file_type": 15,
  "llama.block_count": 16,
  "llama.embedding_length": 2048,
  "llama.attention.head_count": 32,
  "llama.attention.head_count_kv": 8,
  "llama.attention.key_length": 64,
  "llama.attention.value_length": 64,
};
const SIZE = 1_321_098_329;

export function contextLengthOf(model: InstalledModel): number {
  return model.contextLength ?? 131_072;
}

/**
 * One entry of /api/tags: `name` equals `model` and has its tag, the digest is bare hex (api/types.go). Versions after 0.24
 * also tell what the model can do (server/model_list_cache.go).
 */
export function tagEntry(model: InstalledModel, isNew: boolean): Record<string, unknown> {
  const name = withTag(model.name);
  return {
    name,
    model: name,
    ...remoteFields(model),
    modified_at: "2026-08-21T10:00:00.123456789Z",
    size: model.remoteHost ? 384 : (model.size ?? SIZE),
    digest: new Bun.CryptoHasher("sha256").update(name).digest("hex"),
    details: { ...detailsOf(model), ...(isNew ? { context_length: contextLengthOf(model) } : {}) },
    ...(isNew && model.capabilities !== null ? { capabilities: capabilitiesOf(model) } : {}),
  };
}

/** /api/show: empty fields are left out, arrays of model_info come as null unless `verbose` (fs/ggml/gguf.go). */
export function showBody(model: InstalledModel, isVerbose: boolean): Record<string, unknown> {
  const parameters = parameterText(model.parameters ?? {});
  const architecture = String(model.info?.["general.architecture"] ?? "llama");
  return {
    license: "Apache License",
    modelfile: `FROM ${withTag(model.name)}\n`,
    ...(parameters === "" ? {} : { parameters }),
    template: "{{ .Prompt }}",
    details: detailsOf(model),
    ...remoteFields(model),
    model_info: {
      ...DEFAULT_INFO,
      ...(model.hidesContextLength ? {} : { [`${architecture}.context_length`]: contextLengthOf(model) }),
      ...shownInfo({ "tokenizer.ggml.tokens": ["<s>", "</s>"], ...model.info }, isVerbose),
    },
    // Servers from before the field existed leave it out.
    ...(model.capabilities === null ? {} : { capabilities: capabilitiesOf(model) }),
    modified_at: "2026-08-21T10:00:00.123456789Z",
  };
}

function shownInfo(info: Readonly<Record<string, unknown>>, isVerbose: boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(info).map(([key, value]) => [key, Array.isArray(value) && !isVerbose ? null : value]),
  );
}

export function capabilitiesOf(model: InstalledModel): readonly string[] {
  return model.capabilities ?? ["completion", "tools"];
}

/** One line for each value: the key padded to 30 columns, strings quoted, numbers bare (server/routes.go). */
function parameterText(parameters: Readonly<Record<string, string | number>>): string {
  return Object.entries(parameters)
    .map(([key, value]) => `${key.padEnd(30)} ${typeof value === "string" ? JSON.stringify(value) : value}`)
    .join("\n");
}

function detailsOf(model: InstalledModel): Record<string, unknown> {
  return {
    parent_model: "",
    format: model.remoteHost ? "" : "gguf",
    family: "llama",
    families: ["llama"],
    parameter_size: "1.2B",
    quantization_level: "Q4_K_M",
  };
}

function remoteFields({ name, remoteHost }: InstalledModel): Record<string, unknown> {
  if (remoteHost === undefined) return {};
  return { remote_model: name.replace(/(:|-)cloud$/i, ""), remote_host: remoteHost };
}
