import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { Editor } from "../../protocol/editor.ts";
import type { Client } from "./client.ts";

/** A client that does not answer must not hold up the work: after this long the disk counts. */
const READ_MS = 3_000;
const WRITE_MS = 10_000;

type FilesClient = Pick<Client, "facts" | "readFile" | "writeFile">;

/** The files that the client has open, as far as it offers to read and write them. */
export class OpenFiles {
  readonly #client: FilesClient;
  readonly #sessionId: string;
  readonly #cwd: string;
  #interrupted = new AbortController();

  constructor(client: FilesClient, sessionId: string, cwd: string) {
    this.#client = client;
    this.#sessionId = sessionId;
    this.#cwd = cwd;
  }

  /** Undefined when the client offers neither. */
  get editor(): Editor | undefined {
    const { readsFiles, writesFiles } = this.#client.facts;
    if (!readsFiles && !writesFiles) return undefined;
    const known = asClientKnows(this.#cwd);
    return {
      ...(readsFiles ? { read: (path) => this.#read(known(path)) } : {}),
      ...(writesFiles ? { write: (path, text) => this.#write(known(path), text) } : {}),
    };
  }

  /** Waits for the client no longer, in what is under way now. */
  interrupt(): void {
    this.#interrupted.abort();
    this.#interrupted = new AbortController();
  }

  async #read(path: string): Promise<string | undefined> {
    const request = { sessionId: this.#sessionId, path };
    const answer = await this.#client.readFile(request, this.#within(READ_MS)).catch(() => undefined);
    return answer?.content;
  }

  async #write(path: string, content: string): Promise<boolean> {
    const request = { sessionId: this.#sessionId, path, content };
    return await this.#client.writeFile(request, this.#within(WRITE_MS)).then(
      () => true,
      () => false,
    );
  }

  #within(ms: number): AbortSignal {
    return AbortSignal.any([AbortSignal.timeout(ms), this.#interrupted.signal]);
  }
}

/** A client that opened its folder through a link knows the files in it by that name, and tools work with real paths. */
function asClientKnows(cwd: string): (path: string) => string {
  const real = realpathSync(cwd);
  return (path) => (path.startsWith(`${real}/`) ? join(cwd, relative(real, path)) : path);
}
