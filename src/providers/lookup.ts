import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { NAME } from "../util/package.ts";
import type { CatalogEntry } from "./catalog.ts";
import { keyOrigin, openaiKey } from "./credentials.ts";
import { type LocalId, localBaseUrl } from "./local.ts";
import type { QuirksId } from "./quirk-sets.ts";
import { type Env, nonBlank, type ProviderSettings, type ProviderValues } from "./settings.ts";

export type FoundProvider = {
  settings: ProviderSettings;
  baseUrl: string;
  /** The server runs on this machine. */
  isLocal: boolean;
  defaultModel?: string;
  quirks?: QuirksId;
};

type Sources = { values: ProviderValues; id: string; env: Env; version: string };

const AWS_HINT =
  "use an API key of Bedrock, or a gateway that takes a key: a provider with base_url and env_key in config.toml";
const OPENAI_URL = "https://api.openai.com/v1";

/** The user's own table `[model_providers.ID]`. */
export function configured(values: ProviderValues, id: string): ProviderSettings | undefined {
  const tables = values.model_providers ?? {};
  return Object.hasOwn(tables, id) ? tables[id] : undefined;
}

/**
 * A table with a `base_url` stands for itself; one without changes details of the built-in provider of that id.
 * Throws AppError "config".
 */
export async function lookUpProvider(sources: Sources): Promise<FoundProvider> {
  const { values, id } = sources;
  const own = configured(values, id);
  if (own?.aws !== undefined) throw awsUnsupported(id);
  if (own?.base_url) return { settings: own, baseUrl: own.base_url, isLocal: isLocalServer(id) };
  const { catalogEntry, catalogIds } = await import("./catalog.ts");
  const entry = catalogEntry(id);
  if (entry) return fromCatalog(entry, own, sources);
  if (!own)
    throw unknownProvider(id, [...Object.keys(values.model_providers ?? {}), ...catalogIds(), "demo"]);
  if (own.requires_openai_auth || own.name?.toLowerCase() === "openai")
    return { settings: own, baseUrl: OPENAI_URL, isLocal: false };
  throw new AppError("config", `model_providers.${id} needs a base_url`, {
    hint: `add the address of its API, e.g. base_url = "https://api.example.com/v1"`,
  });
}

function fromCatalog(
  entry: CatalogEntry,
  own: ProviderSettings | undefined,
  sources: Sources,
): FoundProvider {
  const builtIn = isLocalServer(entry.id)
    ? { name: entry.name, base_url: localBaseUrl(entry.id, sources.env) }
    : entry.id === "openai"
      ? openai(entry, sources)
      : { name: entry.name, base_url: entry.base, env_key: entry.key };
  const settings = completed({ ...builtIn, wire_api: entry.wire ?? "chat" }, own ?? {});
  return {
    settings,
    baseUrl: settings.base_url ?? entry.base,
    isLocal: entry.local === true,
    defaultModel: entry.model,
    quirks: entry.quirks,
  };
}

function openai({ name, base }: CatalogEntry, { values, env, version }: Sources): ProviderSettings {
  const organization = nonBlank(env, "OPENAI_ORGANIZATION");
  const project = nonBlank(env, "OPENAI_PROJECT");
  return {
    name,
    base_url: values.openai_base_url || base,
    // A gateway in front of OpenAI may need no key of ours; if it does, it says so.
    requires_openai_auth: !values.openai_base_url || openaiKey(env) !== undefined,
    http_headers: {
      version,
      ...(organization ? { "OpenAI-Organization": organization } : {}),
      ...(project ? { "OpenAI-Project": project } : {}),
    },
  };
}

function isLocalServer(id: string): id is LocalId {
  return id === "ollama" || id === "lmstudio";
}

/** The built-in settings with the user's in place. Whoever names a source of the key does not want the built-in one. */
function completed(builtIn: ProviderSettings, own: ProviderSettings): ProviderSettings {
  const given: ProviderSettings = Object.fromEntries(
    Object.entries(own).filter(([, value]) => value !== undefined),
  );
  const { env_key: _, requires_openai_auth: __, ...withoutKey } = builtIn;
  return {
    ...(keyOrigin(given).from === "nowhere" ? builtIn : withoutKey),
    ...given,
    ...(builtIn.http_headers ? { http_headers: { ...builtIn.http_headers, ...given.http_headers } } : {}),
  };
}

function unknownProvider(id: string, known: string[]): AppError {
  const close = id === "ollama-chat" ? "ollama" : nearest(id, known);
  const describe = `describe it in config.toml under [model_providers.${id}] with base_url, wire_api and env_key`;
  const hint = id.startsWith("amazon-bedrock")
    ? AWS_HINT
    : close
      ? `did you mean \`${close}\`?`
      : `${describe}; \`${NAME} providers\` lists those that are built in`;
  return new AppError("config", `Model provider \`${id}\` not found`, { hint });
}

function awsUnsupported(id: string): AppError {
  return new AppError(
    "config",
    `model_providers.${id}.aws is not supported: requests can't be signed for AWS`,
    { hint: AWS_HINT },
  );
}
