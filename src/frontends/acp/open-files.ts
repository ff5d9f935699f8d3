import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { Editor } from "../../protocol/editor.ts";
import type { Client } from "./client.ts";

/** A client that does not answer must not hold up the work: after this long the disk counts. */
const READ_MS = 3_000;
const WRITE_MS = 10_000;

/** The files that the client has open, as far as it offers to read and write them; undefined when it offers neither. */
export function openFiles(
  client: Pick<Client, "facts" | "readFile" | "writeFile">,
  sessionId: string,
  cwd: string,
): Editor | undefined {
  const { readsFiles, writesFiles } = client.facts;
  if (!readsFiles && !writesFiles) return undefined;
  const known = asClientKnows(cwd);
  return {
    ...(readsFiles
      ? {
          async read(path) {
            const request = { sessionId, path: known(path) };
            const answer = await client
              .readFile(request, AbortSignal.timeout(READ_MS))
              .catch(() => undefined);
            return answer?.content;
          },
        }
      : {}),
    ...(writesFiles
      ? {
          write(path, content) {
            const request = { sessionId, path: known(path), content };
            return client.writeFile(request, AbortSignal.timeout(WRITE_MS)).then(
              () => true,
              () => false,
            );
          },
        }
      : {}),
  };
}

/** A client that opened its folder through a link knows the files in it by that name, and tools work with real paths. */
function asClientKnows(cwd: string): (path: string) => string {
  const real = realpathSync(cwd);
  return (path) => (path.startsWith(`${real}/`) ? join(cwd, relative(real, path)) : path);
}
