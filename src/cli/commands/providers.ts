import { overridesFrom, RUN_OPTIONS } from "../../config/flags.ts";
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import { providerInUse } from "../../core/model/model-choice.ts";
import type { ExitCode, Io } from "../../protocol/program.ts";
import { type BrokenProvider, listProviders, type ProviderFacts } from "../../providers/directory.ts";
import { type OptionSpec, parseArgs } from "../../util/args.ts";
import { AppError } from "../../util/errors.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";

const OWN_OPTIONS = [
  { long: "json", summary: "Print one JSON object" },
] as const satisfies readonly OptionSpec[];
const CONFIG_OPTIONS = RUN_OPTIONS.filter(({ long }) =>
  ["config", "profile", "oss", "local-provider"].includes(long),
);

export const PROVIDERS_COMMAND = {
  name: `${NAME} providers`,
  summary: "List model providers and the names of their keys",
  options: [...OWN_OPTIONS, ...CONFIG_OPTIONS],
  positionals: [],
  notes: `* marks the one in use. Keys are never shown. '${NAME} models --provider ID' lists its models.`,
} as const;

type Listing = { active: string; providers: ProviderFacts[]; broken: BrokenProvider[] };

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs({ ...PROVIDERS_COMMAND, options: [...OWN_OPTIONS, ...RUN_OPTIONS] }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(PROVIDERS_COMMAND));
    return 0;
  }
  const overrides = overridesFrom(parsed, io.cwd);
  const config = await loadConfig({ env: io.env, cwd: io.cwd, overrides, profile: parsed.value("profile") });
  const active = await activeProvider(config, io);
  const listing: Listing = { active, ...(await listProviders(config.values, io.env)) };
  await io.stdout.write(parsed.has("json") ? asJson(listing) : asText(listing));
  return 0;
}

/** A list is of use while no local server runs as well; none is marked then. */
async function activeProvider(config: LoadedConfig, io: Io): Promise<string> {
  try {
    return await providerInUse(config, io.env, io.signal);
  } catch (cause) {
    if (io.signal.aborted || !(cause instanceof AppError)) throw cause;
    return config.values.model_provider;
  }
}

function asJson({ active, providers, broken }: Listing): string {
  const entries = providers.map((provider) => ({
    id: provider.id,
    name: provider.name,
    wire: provider.wire,
    base_url: provider.baseUrl,
    key_from: KEY_ORIGINS[provider.keyFrom],
    key_variable: provider.keyVariable ?? null,
    ready: provider.isReady,
    local: provider.isLocal,
    configured: provider.isConfigured,
    default_model: provider.defaultModel ?? null,
    active: provider.id === active,
  }));
  return `${JSON.stringify({ active, providers: entries, broken }, null, 2)}\n`;
}

const KEY_ORIGINS = {
  variable: "environment",
  openai: "environment",
  command: "command",
  config: "config",
  nowhere: "none",
} as const satisfies Record<ProviderFacts["keyFrom"], string>;

/** The one in use comes first, then those that can be used now. */
function asText({ active, providers, broken }: Listing): string {
  const others = providers.filter(({ id }) => id !== active);
  const width = Math.max(...providers.map(({ id }) => id.length));
  const block = (title: string, list: readonly ProviderFacts[]) =>
    list.length === 0
      ? ""
      : `${title}\n${list.map((provider) => entry(provider, width, provider.id === active)).join("")}`;
  const inUse = active === "demo" ? "In use: demo, a recording\n" : "";
  const faults = broken.map(({ id, problem }) => `${id === active ? "*" : " "} ${id}: ${problem}\n`);
  const blocks = [
    inUse ||
      block(
        "In use:",
        providers.filter(({ id }) => id === active),
      ),
    block(
      "Ready to use:",
      others.filter(({ isReady }) => isReady),
    ),
    block(
      "Without their key:",
      others.filter(({ isReady }) => !isReady),
    ),
    faults.length === 0 ? "" : `Not usable as configured:\n${faults.join("")}`,
  ];
  return terminalSafe(blocks.filter((text) => text !== "").join("\n"));
}

/** Two lines of at most 80 columns: the longest address would not fit beside the rest. */
function entry(provider: ProviderFacts, width: number, isActive: boolean): string {
  const first = `${isActive ? "*" : " "} ${provider.id.padEnd(width)}  ${provider.wire.padEnd(9)}  ${keyColumn(provider)}`;
  return `${first.trimEnd()}\n      ${provider.baseUrl}\n`;
}

function keyColumn({ keyFrom, keyVariable, isReady }: ProviderFacts): string {
  switch (keyFrom) {
    case "variable":
    case "openai":
      return `${keyVariable} ${isReady ? "(set)" : "(not set)"}`;
    case "command":
      return "key from a program";
    case "config":
      return "key in config.toml";
    case "nowhere":
      return "no key";
  }
}
