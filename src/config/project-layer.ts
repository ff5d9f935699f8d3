import { type Layer, readLayer } from "./layers.ts";
import { formatPath, valueAt, without } from "./toml-table.ts";

/** What a repository may not decide: where keys and code are sent, which programs run, and its own trust. */
const USER_ONLY: readonly (readonly string[])[] = [
  ["openai_base_url"],
  ["chatgpt_base_url"],
  ["apps_mcp_product_sku"],
  ["responses_api_metadata"],
  ["model_provider"],
  ["model_providers"],
  ["notify"],
  ["profile"],
  ["profiles"],
  ["projects"],
  ["force_chat_completions"],
  ["air_gapped"],
  ["experimental_realtime_ws_base_url"],
  ["experimental_realtime_webrtc_base_url"],
  ["otel"],
  ["features", "respect_system_proxy"],
];

/** The settings of a trusted project folder, without the keys that only the user may set; empty when there is no file. */
export async function projectLayer(file: string, personHome: string, warnings: string[]): Promise<Layer[]> {
  const layer = await readLayer(file, personHome);
  if (layer === undefined) return [];
  const refused = USER_ONLY.filter((path) => valueAt(layer.table, path) !== undefined);
  if (refused.length === 0) return [layer];
  const names = refused.map(formatPath).join(", ");
  warnings.push(
    `Ignored unsupported project-local config keys in ${file}: ${names}; set them in the user's config.toml`,
  );
  return [{ ...layer, table: refused.reduce(without, layer.table) }];
}
