import { expect, test } from "bun:test";
import { join } from "node:path";

test("no variable of the runtime makes it print the headers of a request", async () => {
  await using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("ok") });
  const module = join(import.meta.dir, "..", "..", "src", "util", "same-server.ts");
  const script = `
    const { fetchFromSameServer } = await import(${JSON.stringify(module)});
    const { response } = await fetchFromSameServer("${server.url}", { headers: { "x-api-key": "secret" } });
    console.log(await response.text());
  `;
  const child = Bun.spawn([process.execPath, "-e", script], {
    env: { BUN_CONFIG_VERBOSE_FETCH: "curl" },
    stdout: "pipe",
    stderr: "pipe",
  });
  expect([await new Response(child.stdout).text(), await new Response(child.stderr).text()]).toEqual([
    "ok\n",
    "",
  ]);
});
