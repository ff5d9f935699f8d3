import type { LoadedConfig } from "../../../config/load.ts";
import { findOtherServers, type OtherServer } from "../../../core/choices/servers.ts";
import type { Asker, Choice } from "../prompts/asker.ts";
import { askListedModel } from "./ask-listed-model.ts";
import type { Around, Setup } from "./types.ts";

/**
 * Asks for a server that speaks the chat completions interface, and for one of its models: one that runs on a usual port
 * of this machine, or any address.
 */
export async function otherServer(asker: Asker, around: Around): Promise<Setup | undefined> {
  const found = await findOtherServers(around.signal, around.ports);
  const server = found.length === 0 ? "another" : await askFound(asker, found);
  if (server === undefined) return undefined;
  if (server === "another") return await serverAt(asker, around, await askAddress(asker));
  return await serverAt(asker, around, server.baseUrl, server.provider);
}

async function askFound(
  asker: Asker,
  found: readonly OtherServer[],
): Promise<OtherServer | "another" | undefined> {
  return await asker.choose({
    message: "Server",
    choices: [
      ...found.map((server): Choice<OtherServer | "another"> => ({ value: server, label: row(server) })),
      { value: "another", label: "another address…" },
    ],
  });
}

function row({ name, baseUrl, modelCount, context, needsKey }: OtherServer): string {
  const models = modelCount === 1 ? "1 model" : `${modelCount} models`;
  const facts = [needsKey ? "wants a key" : models, ...(context === undefined ? [] : [`context ${context}`])];
  return `${name}  ${new URL(baseUrl).host}  ${facts.join(", ")}`;
}

async function askAddress(asker: Asker): Promise<string | undefined> {
  const address = await asker.text({
    message: "Base URL of the server, usually with /v1 at its end",
    placeholder: "http://127.0.0.1:8080/v1",
    check: (value) => (isAddress(value) ? undefined : "an address such as http://127.0.0.1:8080/v1"),
  });
  return address?.replace(/\/+$/, "");
}

/** `provider`: the id that the settings get where it is free. */
async function serverAt(
  asker: Asker,
  around: Around,
  baseUrl: string | undefined,
  provider = "custom",
): Promise<Setup | undefined> {
  if (baseUrl === undefined) return undefined;
  const id = freeId(around.config, provider);
  const variable = `${id.toUpperCase().replaceAll("-", "_")}_API_KEY`;
  for (;;) {
    const key = await asker.secret({
      message: "API key (Enter when it needs none)",
      check: (text) => (/^\S*$/.test(text) ? undefined : "a key has no spaces"),
    });
    if (key === undefined) return undefined;
    const table = { name: new URL(baseUrl).host, base_url: baseUrl, wire_api: "chat" as const };
    const settings = key === "" ? table : { ...table, env_key: variable };
    const config = withProvider(around.config, id, settings);
    const env = key === "" ? around.env : { ...around.env, [variable]: key };
    const listed = { provider: id, name: table.name, suggested: undefined };
    const answer = await askListedModel(asker, listed, { ...around, config, env });
    if (answer === "refused") continue;
    if (answer === undefined) return undefined;
    const entries = Object.entries(settings).map(
      ([name, value]) => [["model_providers", id, name], value] as const,
    );
    return {
      values: [...entries, [["model_provider"], id], [["model"], answer.model]],
      ...(key === "" ? {} : { key: { variable, value: key } }),
    };
  }
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A table that is there already stays as it is. */
function freeId({ values }: LoadedConfig, wanted: string): string {
  for (let n = 1; ; n++) {
    const id = n === 1 ? wanted : `${wanted}-${n}`;
    if (!Object.hasOwn(values.model_providers, id)) return id;
  }
}

function withProvider(config: LoadedConfig, id: string, table: object): LoadedConfig {
  const { values } = config;
  return { ...config, values: { ...values, model_providers: { ...values.model_providers, [id]: table } } };
}
