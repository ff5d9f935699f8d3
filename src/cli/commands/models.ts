import { overridesFrom, RUN_OPTIONS } from "../../config/flags.ts";
import { loadConfig } from "../../config/load.ts";
import { modelInUse, namedProvider, providerInUse } from "../../core/model/model-choice.ts";
import type { ExitCode, Io } from "../../protocol/program.ts";
import { EFFORTS, type Effort } from "../../protocol/settings.ts";
import type { ListedModel } from "../../providers/listed-model.ts";
import { listModels, type ModelList } from "../../providers/model-list.ts";
import { modelInfo } from "../../providers/models.ts";
import { resolveProvider } from "../../providers/resolve.ts";
import type { ModelInfo, Provider } from "../../providers/types.ts";
import { type OptionSpec, parseArgs } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";
import { NAME, VERSION } from "../../util/package.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";

const OWN_OPTIONS = [
  { long: "provider", value: "ID", summary: "Ask this provider instead of the configured one" },
  { long: "json", summary: "Print one JSON object" },
] as const satisfies readonly OptionSpec[];
const CONFIG_OPTIONS = RUN_OPTIONS.filter(({ long }) =>
  ["config", "profile", "oss", "local-provider"].includes(long),
);

export const MODELS_COMMAND = {
  name: `${NAME} models`,
  summary: "List the models of a provider",
  options: [...OWN_OPTIONS, ...CONFIG_OPTIONS],
  positionals: [],
} as const;

type Listing = {
  provider: string;
  /** The model that a run would use, when this is the configured provider. */
  current: string | undefined;
  models: Row[];
} & Pick<ModelList, "fetchedAt" | "staleBecause">;

/** `window` in tokens, where it is known. */
type Row = ModelInfo & { window: number | undefined };

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs({ ...MODELS_COMMAND, options: [...OWN_OPTIONS, ...RUN_OPTIONS] }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(MODELS_COMMAND));
    return 0;
  }
  const overrides = overridesFrom(parsed, io.cwd);
  const config = await loadConfig({ env: io.env, cwd: io.cwd, overrides, profile: parsed.value("profile") });
  const { values, home } = config;
  const asked = parsed.value("provider");
  const current = asked === undefined ? providerInUse : namedProvider;
  const configured = await current(config, io.env, io.signal);
  const id = asked ?? configured;
  const client = { env: io.env, originator: "interpreter_models", version: VERSION };
  const session = { ...client, sessionId: () => "" };
  const provider = await resolveProvider({ ...client, values, id });
  const list = await listModels(provider, { home, now: () => new Date() }, io.signal);
  const isListed = list.models.some((listed) => listed.id === values.model);
  const used = () => (isListed ? values.model : modelInUse(id, config, session, io.signal));
  const listing: Listing = {
    ...list,
    provider: id,
    current: id === configured ? await used() : undefined,
    models: list.models.map((listed) => rowOf(listed, provider)),
  };
  if (listing.staleBecause) await io.stderr.write(staleWarning(listing.staleBecause));
  await io.stdout.write(parsed.has("json") ? asJson(listing) : asTable(listing));
  return 0;
}

/** The user's own window is not in it: that is meant for one model. Of a local one, only the server knows what it loads. */
function rowOf(listed: ListedModel, { id: provider, isLocal, stream, model }: Provider): Row {
  const info = stream ? model(listed.id) : modelInfo(listed.id, { provider, isLocal, listed });
  const isKnown = info.known && (!isLocal || listed.contextWindow !== undefined);
  return { ...info, window: isKnown ? info.contextWindow : undefined };
}

function staleWarning({ message }: { message: string }): string {
  return terminalSafe(`warning: showing an earlier list: ${message}\n`);
}

function asJson({ provider, current, models, fetchedAt, staleBecause }: Listing): string {
  const entries = models.map((model) => ({
    id: model.id,
    name: model.label,
    context_window: model.window ?? null,
    efforts: model.efforts,
    images: model.images,
    tools: model.tools,
    current: model.id === current,
  }));
  const answer = { provider, cached: staleBecause !== undefined, fetched_at: fetchedAt, models: entries };
  return `${JSON.stringify(answer, null, 2)}\n`;
}

const WIDEST_ID = 38;

/** At most 80 columns; an id that is longer than its column has a line to itself. */
function asTable({ provider, current, models, fetchedAt, staleBecause }: Listing): string {
  const count = models.length === 1 ? "1 model" : `${models.length} models`;
  const when = staleBecause ? `, cached ${fetchedAt.slice(0, 16).replace("T", " ")} UTC` : "";
  const head = `${provider}: ${count}${when}\n`;
  if (models.length === 0) return head;
  const ids = models.map(({ id }) => id.length).filter((length) => length <= WIDEST_ID);
  const width = Math.max("MODEL".length, ...ids);
  const rows = models.map((model) => {
    const mark = model.id === current ? "*" : " ";
    const name = model.id.length > width ? `${model.id}\n${" ".repeat(width + 2)}` : model.id.padEnd(width);
    return `${mark} ${name}  ${columns(String(model.window ?? "?"), abilitiesOf(model), effortsOf(model.efforts))}`;
  });
  const titles = `  ${"MODEL".padEnd(width)}  ${columns("CONTEXT", "TAKES", "EFFORTS")}`;
  return terminalSafe(`${head}\n${[titles, ...rows].map((row) => `${row.trimEnd()}\n`).join("")}`);
}

function columns(context: string, abilities: string, efforts: string): string {
  return `${context.padStart(9)}  ${abilities.padEnd(13)}  ${efforts}`;
}

function abilitiesOf({ images, tools, known }: ModelInfo): string {
  if (!known) return "?";
  return [...(tools ? ["tools"] : []), ...(images ? ["images"] : [])].join(", ") || "text only";
}

/** Three or more in a row are written as their ends: `none,low-xhigh`. */
function effortsOf(efforts: readonly Effort[]): string {
  const runs: Effort[][] = [];
  for (const effort of EFFORTS.filter((one) => efforts.includes(one))) {
    const run = runs.at(-1);
    const previous = run?.at(-1);
    const isNext = previous !== undefined && EFFORTS.indexOf(effort) === EFFORTS.indexOf(previous) + 1;
    if (run && isNext) run.push(effort);
    else runs.push([effort]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(","))).join(",") || "-";
}
