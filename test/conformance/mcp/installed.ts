import { existsSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "..", "..", "..", ".tools", "mcp");

/** How the packages of `packages.txt` get where `installedProgram` looks for them. */
export const HOW_TO_INSTALL =
  "npm install --no-save --no-package-lock --prefix .tools/mcp $(cat test/conformance/mcp/packages.txt)";

/** The program of a package that is not a dependency of ours; undefined when it is not there. */
export function installedProgram(name: string): string | undefined {
  const path = join(FOLDER, "node_modules", ".bin", name);
  return existsSync(path) ? path : undefined;
}
