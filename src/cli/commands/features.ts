import { existsSync } from "node:fs";
import { join } from "node:path";
import { setKey } from "../../config/edit.ts";
import { FEATURES, featureEnabled, isFeatureName, requireFeature } from "../../config/features.ts";
import { overridesFrom, RUN_OPTIONS } from "../../config/flags.ts";
import { loadConfig, profileFile } from "../../config/load.ts";
import { CONFIG_FILE, findHome } from "../../config/paths.ts";
import type { ExitCode, Io } from "../../protocol/program.ts";
import { parseArgs, unknownWord, usageError } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";

export const FEATURES_COMMAND = {
  name: `${NAME} features`,
  summary: "List and switch features",
  options: RUN_OPTIONS.filter(({ long }) => ["config", "enable", "disable", "profile"].includes(long)),
  positionals: [
    { name: "ACTION", summary: "list, enable or disable" },
    { name: "[FEATURE]", summary: "Name of the feature to switch" },
  ],
} as const;

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs({ ...FEATURES_COMMAND, options: RUN_OPTIONS }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(FEATURES_COMMAND));
    return 0;
  }
  const [action, feature] = parsed.positionals;
  switch (action) {
    case "list":
      await io.stdout.write(await featureTable(io, overridesFrom(parsed, io.cwd), parsed.value("profile")));
      return 0;
    case "enable":
    case "disable":
      if (feature === undefined)
        throw usageError(FEATURES_COMMAND, `wanted the name of a feature to ${action}`);
      await io.stdout.write(await switchFeature(io, feature, action === "enable", parsed.value("profile")));
      return 0;
    default:
      throw unknownWord(FEATURES_COMMAND, "<ACTION>", action ?? "", ["list", "enable", "disable"]);
  }
}

async function featureTable(
  io: Io,
  overrides: ReturnType<typeof overridesFrom>,
  profile: string | undefined,
): Promise<string> {
  const { values, warnings } = await loadConfig({ env: io.env, cwd: io.cwd, overrides, profile });
  for (const warning of warnings) await io.stderr.write(`warning: ${terminalSafe(warning)}\n`);
  const rows = Object.keys(FEATURES)
    .filter(isFeatureName)
    .sort()
    .map((name) => [name, FEATURES[name].stage, String(featureEnabled(values.features, name))] as const);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, stage, state]) => `${name.padEnd(width)}  ${stage.padEnd(11)}  ${state}\n`)
    .join("");
}

async function switchFeature(
  io: Io,
  feature: string,
  enabled: boolean,
  profile: string | undefined,
): Promise<string> {
  const name = requireFeature(feature);
  const { file, table } = placeOfSettings(await findHome(io.env), profile);
  await setKey(file, [...table, "features", name], enabled);
  const note = FEATURES[name].stage !== "stable" ? " It has no effect in this program." : "";
  return `${enabled ? "Enabled" : "Disabled"} feature ${name} in ${file}.${note}\n`;
}

/** A profile has a file of its own, or else a table. */
function placeOfSettings(home: string, profile: string | undefined): { file: string; table: string[] } {
  const file = join(home, CONFIG_FILE);
  if (profile === undefined) return { file, table: [] };
  const own = profileFile(home, profile);
  return existsSync(own) ? { file: own, table: [] } : { file, table: ["profiles", profile] };
}
