import { join } from "node:path";

/**
 * The MCP packages load their usual validator also where they are given another one, as they are by us. It is 150 kB, once
 * for the client and once for the server: a build goes without both.
 */
export const leaveOutAjv: Bun.BunPlugin = {
  name: "leave out Ajv",
  setup(build) {
    const given = join(import.meta.dir, "given-validator.ts");
    build.onResolve({ filter: /^\.\/ajvProvider-[\w-]+\.mjs$/ }, () => ({ path: given }));
  },
};
