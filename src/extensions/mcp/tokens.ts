import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { AppError } from "../../util/errors.ts";
import { codeOf, makePrivateFolder, writeFileAtomic } from "../../util/fs.ts";

const Entry = z.looseObject({
  client: z.looseObject({ client_id: z.string() }),
  tokens: z.looseObject({
    access_token: z.string(),
    token_type: z.string(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
  }),
  authority: z.looseObject({
    url: z.string(),
    metadata: z
      .looseObject({
        issuer: z.string(),
        authorization_endpoint: z.string(),
        token_endpoint: z.string(),
        response_types_supported: z.array(z.string()),
      })
      .optional(),
  }),
  resource: z.string().optional(),
  /** We have signed in as ourselves, with a secret that the user keeps in a variable. */
  isMachine: z.boolean().optional(),
  /** Rights that the server wanted in vain, for the next sign-in: scopes, separated by blanks. */
  wantedScope: z.string().optional(),
});

/**
 * What a sign-in left behind: who we are to the authority, what it gave us, and where and for what it is renewed. The
 * authority is kept because a server that names another one later must not get the old one's refresh token there.
 */
export type SignIn = z.infer<typeof Entry>;

const File = z.record(z.string(), z.unknown());

/**
 * The sign-ins of all MCP servers in one private file (0600), by the address they are for: a server whose address was
 * changed gets no token of the old one.
 */
export class TokenFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads the file anew each time: another session may have renewed the tokens. */
  async read(url: string): Promise<SignIn | undefined> {
    const { data } = Entry.safeParse((await this.#content())[url]);
    return data;
  }

  /** Keeps a sign-in, or forgets it when there is none; false when there was nothing to forget. */
  async write(url: string, signIn: SignIn | undefined): Promise<boolean> {
    const { [url]: before, ...others } = await this.#content();
    if (signIn === undefined && before === undefined) return false;
    const content = signIn === undefined ? others : { ...others, [url]: signIn };
    makePrivateFolder(dirname(this.#path));
    await writeFileAtomic(this.#path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    return true;
  }

  async #content(): Promise<Record<string, unknown>> {
    let text: string;
    try {
      text = await readFile(this.#path, "utf8");
    } catch (cause) {
      if (codeOf(cause) === "ENOENT") return {};
      throw unreadable(this.#path, codeOf(cause) ?? String(cause));
    }
    try {
      return File.parse(JSON.parse(text));
    } catch {
      throw unreadable(this.#path, "it is not a JSON object");
    }
  }
}

/** Tells at each call whether the file of sign-ins has been written since the call before. */
export function watchTokens(path: string): () => boolean {
  const writtenAt = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  let seen = writtenAt();
  return () => {
    const before = seen;
    seen = writtenAt();
    return seen !== before;
  };
}

function unreadable(path: string, why: string): AppError {
  return new AppError("config", `${path}: the sign-ins of MCP servers cannot be read (${why})`, {
    hint: "delete the file and sign in again",
  });
}
