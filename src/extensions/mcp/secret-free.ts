import type { Environment } from "./child-env.ts";
import type { McpServerConfig } from "./config.ts";
import type { Connection } from "./connect.ts";

const SECRET_NAME = /key|token|secret|auth|cookie|password|credential/i;
/** Shorter values are words that a text may hold by chance. */
const SHORTEST_SECRET = 8;
const MASK = "[key]";

/** What the user has given to servers and nobody else should read, by the names under which they get it. */
export function secretsOf(servers: Iterable<McpServerConfig>, env: Environment): string[] {
  const given = [...servers].flatMap(({ reach }): [string, string | undefined][] => {
    const passed = (name: string): [string, string | undefined] => [name, env[name]];
    if (reach.kind === "program") return [...Object.entries(reach.env), ...reach.passedOn.map(passed)];
    const { headers, headerVariables, tokenVariable, secretVariable } = reach;
    return [
      ...Object.entries(headers),
      ...Object.entries(headerVariables).map(([header, name]): [string, string | undefined] => [
        header,
        env[name],
      ]),
      ["token", tokenVariable === undefined ? undefined : env[tokenVariable]],
      ["secret", secretVariable === undefined ? undefined : env[secretVariable]],
    ];
  });
  const values = given.flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) ? [value, value.replace(/^(?:bearer|basic) /i, "")] : [],
  );
  // The longest first: one may be part of another.
  return [...new Set(values)]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}

/**
 * The same connection, whose answers and failures hold none of the secrets: a server that repeats its token, in an address
 * or an error, would else have it sent to the model and written into the record.
 */
export async function withoutSecrets(
  connecting: Promise<Connection>,
  secrets: readonly string[],
): Promise<Connection> {
  if (secrets.length === 0) return await connecting;
  const connection = await connecting.catch((cause: unknown) => rethrow(cause, secrets));
  return {
    ...connection,
    closed: connection.closed.then((how) => hidden(how, secrets)),
    request: (call, signal) =>
      connection.request(call, signal).then(
        (answer) => hidden(answer, secrets),
        (cause: unknown) => rethrow(cause, secrets),
      ),
  };
}

function rethrow(cause: unknown, secrets: readonly string[]): never {
  if (!(cause instanceof Error)) throw cause;
  const message = hidden(cause.message, secrets);
  // Without the cause, which says the same.
  throw message === cause.message ? cause : new Error(message);
}

function hidden<T>(value: T, secrets: readonly string[]): T {
  const text = JSON.stringify(value) ?? "";
  const found = secrets
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .filter((one) => text.includes(one));
  if (found.length === 0) return value;
  return JSON.parse(found.reduce((rest, secret) => rest.replaceAll(secret, MASK), text));
}
