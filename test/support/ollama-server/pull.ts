import { withTag } from "./names.ts";
import type { ServerOptions } from "./types.ts";

const LAYERS = [1000, 300];

/**
 * The lines of a pull (server/download.go): the manifest is fetched first, whatever is installed, so that without a
 * network every pull fails; `completed` is absent while it is 0. The status is 200 by then.
 */
export function pullLines(
  name: string,
  registry: ServerOptions["registry"],
  isInstalled: boolean,
): Record<string, unknown>[] {
  const first = { status: "pulling manifest" };
  if (registry === "offline") {
    const model = withTag(name).replace(":", "/manifests/");
    const address = `https://registry.ollama.ai/v2/library/${model}`;
    return [
      first,
      { error: `pull model manifest: Get "${address}": dial tcp: lookup registry.ollama.ai: no such host` },
    ];
  }
  if (registry !== undefined && !registry.includes(name))
    return [first, { error: "pull model manifest: file does not exist" }];
  return [
    first,
    ...LAYERS.flatMap((total, index) => layerLines(total, index, isInstalled)),
    { status: "verifying sha256 digest" },
    { status: "writing manifest" },
    { status: "success" },
  ];
}

function layerLines(total: number, index: number, isInstalled: boolean): Record<string, unknown>[] {
  const hex = String(index).repeat(64);
  const line = { status: `pulling ${hex.slice(0, 12)}`, digest: `sha256:${hex}`, total };
  if (isInstalled) return [{ ...line, completed: total }];
  return [line, { ...line, completed: total / 2 }, { ...line, completed: total }];
}
