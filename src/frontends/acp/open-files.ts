import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { Editor } from "../../protocol/editor.ts";
import type { Client } from "./client.ts";

/** A client that does not answer must not hold up the work: after this long the disk counts. */
const PATIENCE = { readMs: 3_000, writeMs: 10_000 };

type FilesClient = Pick<Client, "facts" | "readFile" | "writeFile" | "notice">;

/** The files that the client has open, as far as it offers to read and write them. */
export class OpenFiles {
  readonly #client: FilesClient;
  readonly #sessionId: string;
  readonly #cwd: string;
  readonly #patience: { readMs: number; writeMs: number };
  #interrupted = new AbortController();
  /** It was waited for in vain: each further try would cost as much. */
  #isSilent = false;

  constructor(client: FilesClient, sessionId: string, cwd: string, patience = PATIENCE) {
    this.#client = client;
    this.#patience = patience;
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
    const answer = await this.#ask(this.#patience.readMs, (signal) => this.#client.readFile(request, signal));
    return answer?.content;
  }

  async #write(path: string, content: string): Promise<boolean> {
    const request = { sessionId: this.#sessionId, path, content };
    const answer = await this.#ask(this.#patience.writeMs, (signal) =>
      this.#client.writeFile(request, signal),
    );
    return answer !== undefined;
  }

  /** Undefined when the client refuses, says nothing in time, or is waited for no longer. */
  async #ask<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.#isSilent) return undefined;
    const late = AbortSignal.timeout(ms);
    try {
      return await ask(AbortSignal.any([late, this.#interrupted.signal]));
    } catch {
      if (late.aborted) this.#giveUp();
      return undefined;
    }
  }

  #giveUp(): void {
    if (this.#isSilent) return;
    this.#isSilent = true;
    const text = "The editor does not answer about its files, so they are read and written on the disk.";
    this.#client.notice(this.#sessionId, "warning", text);
  }
}

/** A client that opened its folder through a link knows the files in it by that name, and tools work with real paths. */
function asClientKnows(cwd: string): (path: string) => string {
  const real = realpathSync(cwd);
  return (path) => (path.startsWith(`${real}/`) ? join(cwd, relative(real, path)) : path);
}
