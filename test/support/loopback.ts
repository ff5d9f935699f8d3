export type LoopbackServer = AsyncDisposable & { port: number; host: string; origin: string };

/** Serves on loopback until it is disposed; port 0 is any free one. What a handler throws becomes an empty 500. */
export function serveOnLoopback(
  answer: (request: Request) => Response | Promise<Response>,
  port = 0,
): LoopbackServer {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 0,
    development: false,
    error: () => new Response(null, { status: 500 }),
    fetch: answer,
  });
  const host = `127.0.0.1:${server.port}`;
  return {
    port: Number(server.port),
    host,
    origin: `http://${host}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A server with one JSON document at each path; everything else is a 404. */
export function serveDocuments(documents: Readonly<Record<string, unknown>>): LoopbackServer {
  return serveOnLoopback((request) => {
    const { pathname } = new URL(request.url);
    return Object.hasOwn(documents, pathname)
      ? Response.json(documents[pathname])
      : new Response("not found", { status: 404 });
  });
}

/** A port of loopback where nothing listens. */
export async function closedPort(): Promise<number> {
  await using server = serveOnLoopback(() => new Response());
  return server.port;
}
