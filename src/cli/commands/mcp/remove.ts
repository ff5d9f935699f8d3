import { join } from "node:path";
import { setKey } from "../../../config/edit.ts";
import { readLayer } from "../../../config/layers.ts";
import { CONFIG_FILE, findHome, userHome } from "../../../config/paths.ts";
import { valueAt } from "../../../config/toml-table.ts";
import type { ExitCode, Io } from "../../../protocol/program.ts";
import { parseArgs } from "../../../util/args.ts";
import { helpText } from "../../../util/help.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import { REMOVE } from "./options.ts";

/** Looks at the user's own file only: other files are not ours to change. */
export async function removeServer(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs(REMOVE, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(REMOVE));
    return 0;
  }
  const [name = ""] = parsed.positionals;
  const file = join(await findHome(io.env), CONFIG_FILE);
  const path = ["mcp_servers", name];
  const layer = await readLayer(file, userHome(io.env));
  const isThere = layer !== undefined && valueAt(layer.table, path) !== undefined;
  if (isThere) await setKey(file, path, undefined);
  const text = isThere ? `Removed global MCP server '${name}'.` : `No MCP server named '${name}' found.`;
  await io.stdout.write(terminalSafe(`${text}\n`));
  return 0;
}
