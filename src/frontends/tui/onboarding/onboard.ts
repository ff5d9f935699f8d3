import { join } from "node:path";
import { CONFIG_FILE } from "../../../config/paths.ts";
import type { ProviderChoice } from "../../../core/choices/providers.ts";
import { findServers, type LocalServer } from "../../../core/choices/servers.ts";
import type { Asker, Choice } from "../prompts/asker.ts";
import { cloudProvider, keyedProviders, setUpProvider } from "./cloud-provider.ts";
import { chooseLocalModel } from "./local-model.ts";
import { otherServer } from "./other-server.ts";
import type { Around, Env, Setup } from "./types.ts";

type Source =
  | { kind: "server"; server: LocalServer }
  | { kind: "keyed"; provider: ProviderChoice }
  | { kind: "other" | "cloud" | "again" };

/**
 * Asks which model to use, when nothing says so, and writes it to the user's config.toml. Gives back what the environment
 * of the program must have from now on; undefined when the user put the question aside. Only this machine is asked
 * before the user chose something else. Throws AppError "config" when the answer can't be saved.
 */
export async function onboard(asker: Asker, around: Around): Promise<{ env: Env } | undefined> {
  let servers = await findServers(around.config, around.env, around.signal);
  const keyed = await keyedProviders(around);
  const only = keyed.length === 0 ? onlyServer(servers) : undefined;
  if (only) asker.say(`No model is set up yet. Found on this machine: ${describe(only.server)}`);
  let source: Source | undefined = only;
  for (;;) {
    source ??= await askSource(asker, servers, keyed);
    if (!source) return undefined;
    const setup = await setupFrom(source, asker, around);
    if (setup) {
      asker.say((await save(setup, around.config.home)).join("\n"));
      return { env: setup.key ? { [setup.key.variable]: setup.key.value } : {} };
    }
    source = undefined;
    servers = await findServers(around.config, around.env, around.signal);
  }
}

type FromServer = Extract<Source, { kind: "server" }>;

/** With one server that has models, there is one question less. */
function onlyServer(servers: readonly LocalServer[]): FromServer | undefined {
  const [server, ...others] = servers.filter(({ modelCount }) => modelCount !== undefined);
  const isOnly = server?.modelCount !== undefined && server.modelCount > 0 && others.length === 0;
  return isOnly ? { kind: "server", server } : undefined;
}

async function askSource(
  asker: Asker,
  servers: readonly LocalServer[],
  keyed: readonly ProviderChoice[],
): Promise<Source | undefined> {
  const isAny = keyed.length > 0 || servers.some(({ modelCount }) => modelCount !== undefined);
  const choices: Choice<Source>[] = [
    ...servers.map((server): Choice<Source> => ({ value: { kind: "server", server }, label: row(server) })),
    ...keyed.map(
      (provider): Choice<Source> => ({
        value: { kind: "keyed", provider },
        label: `${provider.name.padEnd(9)}  ${provider.keyVariable} is set`,
      }),
    ),
    { value: { kind: "other" }, label: "Other server (base URL)" },
    { value: { kind: "cloud" }, label: "Cloud provider with an API key" },
    { value: { kind: "again" }, label: "Look again", key: "r", hint: "r" },
  ];
  const running = servers.findIndex(({ modelCount }) => modelCount !== undefined);
  const found = running < 0 && keyed.length > 0 ? servers.length : running;
  return await asker.choose({
    message: `No model is set up yet. ${isAny ? "Found on this machine:" : "No model server runs on this machine."}`,
    choices,
    initial: Math.max(0, found),
  });
}

function row(server: LocalServer): string {
  const { name, address, modelCount } = server;
  return `${name.padEnd(9)}  ${address.padEnd(16)}  ${modelCount === undefined ? "not running" : countOf(modelCount)}`;
}

function describe({ name, address, modelCount = 0 }: LocalServer): string {
  return `${name}, ${address}, ${countOf(modelCount)}`;
}

function countOf(models: number): string {
  return models === 1 ? "1 model" : `${models} models`;
}

async function setupFrom(source: Source, asker: Asker, around: Around): Promise<Setup | undefined> {
  switch (source.kind) {
    case "again":
      return undefined;
    case "other":
      return await otherServer(asker, around);
    case "cloud":
      return await cloudProvider(asker, around);
    case "keyed":
      return await setUpProvider(asker, source.provider, around);
    case "server": {
      const { server } = source;
      if (server.modelCount !== undefined) return await chooseLocalModel(asker, server, around);
      asker.say(HOW_TO_START[server.id]);
      return undefined;
    }
  }
}

const HOW_TO_START = {
  ollama:
    "Start Ollama with `ollama serve`, or its app; OLLAMA_HOST=host:port names one that runs elsewhere. Then look again.",
  lmstudio:
    "Start LM Studio's server with `lms server start`, or in the app under Developer. Then look again.",
} as const;

/** Writes the answer, and tells what was written, line by line. A key is never among the lines. */
async function save({ values, key }: Setup, home: string): Promise<string[]> {
  const file = join(home, CONFIG_FILE);
  const { setKey } = await import("../../../config/edit.ts");
  for (const [path, value] of values) await setKey(file, path, value);
  const lines = values.map(([path, value]) => `${path.join(".")} = ${JSON.stringify(value)}`);
  const written = [`Written to ${file}:`, ...lines.map((line) => `  ${line}`)];
  if (!key) return written;
  const { saveKey } = await import("./key-file.ts");
  const keyFile = await saveKey(home, key);
  return [...written, `The key is in ${keyFile}, readable by you only.`];
}
