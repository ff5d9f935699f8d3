import { withTag } from "./names.ts";
import type { ServerOptions } from "./types.ts";

type Line = Record<string, unknown>;
/** What the registry and the disk of the fake server are like. */
type Download = Pick<ServerOptions, "registry" | "layers" | "tearAfter" | "onLayerLine">;

const LAYERS = [1000, 300];

/** Thrown where the connection is to be torn. */
export class Torn extends Error {}

/**
 * Downloads as the real server does them (server/download.go): the manifest is fetched first, whatever is installed, so
 * that without a network every pull fails; layers come one after another; what has arrived of one stays on the disk when
 * the client goes away, and a later pull goes on from there. The status is 200 by then.
 */
export class Downloads {
  readonly #options: Download;
  /** By name: the bytes of each layer that have arrived. */
  readonly #parts = new Map<string, number[]>();
  #pulls = 0;

  constructor(options: Download) {
    this.#options = options;
  }

  /** Bytes of a model that are on the disk. */
  arrived(name: string): number {
    return (this.#parts.get(withTag(name)) ?? []).reduce((sum, bytes) => sum + bytes, 0);
  }

  /** The generator is left when the client goes away: `signal` fires then. */
  async *lines(name: string, isInstalled: boolean, signal: AbortSignal): AsyncGenerator<Line, void> {
    const tearAfter = this.#options.tearAfter?.[this.#pulls] ?? Number.POSITIVE_INFINITY;
    this.#pulls += 1;
    yield { status: "pulling manifest" };
    const error = this.#problem(name);
    if (error !== undefined) {
      yield { error: `pull model manifest: ${error}` };
      return;
    }
    for (const [index, total] of (this.#options.layers ?? LAYERS).entries()) {
      for await (const line of this.#layer(name, index, total, isInstalled)) {
        if (this.arrived(name) > tearAfter) throw new Torn();
        yield line;
        await this.#options.onLayerLine?.();
        if (signal.aborted) return;
      }
    }
    yield { status: "verifying sha256 digest" };
    yield { status: "writing manifest" };
    yield { status: "success" };
  }

  #problem(name: string): string | undefined {
    const { registry } = this.#options;
    if (registry === "offline") {
      const address = `https://registry.ollama.ai/v2/library/${withTag(name).replace(":", "/manifests/")}`;
      return `Get "${address}": dial tcp: lookup registry.ollama.ai: no such host`;
    }
    return registry === undefined || registry.includes(name) ? undefined : "file does not exist";
  }

  /** `completed` is absent while it is 0; a layer that is there is told in one line. */
  *#layer(name: string, index: number, total: number, isInstalled: boolean): Generator<Line, void> {
    const hex = String(index).repeat(64);
    const line = { status: `pulling ${hex.slice(0, 12)}`, digest: `sha256:${hex}`, total };
    const parts = this.#parts.get(withTag(name)) ?? [];
    this.#parts.set(withTag(name), parts);
    if (isInstalled) parts[index] = total;
    const at = parts[index] ?? 0;
    yield at === 0 ? line : { ...line, completed: at };
    while ((parts[index] ?? 0) < total) {
      const completed = Math.min(total, (parts[index] ?? 0) + total / 2);
      parts[index] = completed;
      yield { ...line, completed };
    }
  }
}
