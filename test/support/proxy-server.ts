import { connect, createServer, type Socket } from "node:net";

export type ProxyServer = AsyncDisposable & {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The first line of each request, e.g. `CONNECT model.example:443 HTTP/1.1`. */
  requests: string[];
};

/** An HTTP proxy on loopback that leads every tunnel to one port of this machine, whatever host was asked for. */
export async function startProxy(targetPort: number): Promise<ProxyServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    track(client);
    client.once("data", (head) => {
      const [line = ""] = head.toString("latin1").split("\r\n");
      requests.push(line);
      const target = connect(targetPort, "127.0.0.1", () => {
        if (line.startsWith("CONNECT ")) client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        else target.write(head.toString("latin1").replace(/^(\S+) http:\/\/[^/\s]+/, "$1 "), "latin1");
        client.pipe(target).pipe(client);
      });
      track(target);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
