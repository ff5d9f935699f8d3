import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The two MCP packages bring the same JSON Schema validator each, 150 kB. With this plugin the server's is the client's,
 * as long as both are the same code.
 */
export function oneValidator(modules: string): Bun.BunPlugin {
  const [client, server] = ["client", "server"].map((side) =>
    validatorIn(join(modules, "@modelcontextprotocol", side, "dist")),
  );
  return {
    name: "one validator",
    setup(build) {
      if (!client || !server || codeOf(client) !== codeOf(server)) return;
      build.onResolve({ filter: /^\.\/ajvProvider-[\w-]+\.mjs$/ }, () => ({ path: client }));
    },
  };
}

function validatorIn(folder: string): string | undefined {
  const name = readdirSync(folder).find((file) => /^ajvProvider-[\w-]+\.mjs$/.test(file));
  return name === undefined ? undefined : join(folder, name);
}

/** Without the lines that name other files of its own package. */
function codeOf(file: string): string {
  return readFileSync(file, "utf8").replace(/^(import .* from "\.\/|\/\/# sourceMappingURL=).*$/gm, "");
}
