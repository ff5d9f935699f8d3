import { type ProviderChoice, providersToChoose } from "../../../core/choices/providers.ts";
import type { Asker } from "../prompts/asker.ts";
import { askListedModel } from "./ask-listed-model.ts";
import type { Around, Key, Setup } from "./types.ts";

/** Providers whose key is in the environment, one for each key. None of them is contacted. */
export async function keyedProviders({ config, env }: Around): Promise<ProviderChoice[]> {
  const all = await providersToChoose(config, env);
  const keyed = all.filter(({ isReady, isLocal, keyFrom }) => isReady && !isLocal && keyFrom === "variable");
  return keyed.filter((one, i) => keyed.findIndex((it) => it.keyVariable === one.keyVariable) === i);
}

/** Asks for a provider, its key when it has none yet, and a model. */
export async function cloudProvider(asker: Asker, around: Around): Promise<Setup | undefined> {
  const provider = await askProvider(asker, around);
  return provider && (await setUpProvider(asker, provider, around));
}

async function askProvider(asker: Asker, around: Around): Promise<ProviderChoice | undefined> {
  const all = await providersToChoose(around.config, around.env);
  const remote = all.filter(({ isLocal, baseUrl }) => !isLocal && URL.canParse(baseUrl));
  const width = Math.max(...remote.map(({ name }) => Bun.stringWidth(name)));
  return await asker.choose({
    message: "Provider",
    choices: remote.map((one) => ({
      value: one,
      label: `${one.name}${" ".repeat(width - Bun.stringWidth(one.name))}  ${stateOf(one)}`,
    })),
  });
}

/** Asks for the key of a provider when it has none yet, and for one of its models. */
export async function setUpProvider(
  asker: Asker,
  provider: ProviderChoice,
  around: Around,
): Promise<Setup | undefined> {
  for (;;) {
    const key = provider.isReady ? "none" : await askKey(asker, provider);
    if (key === undefined) return undefined;
    const env = key === "none" ? around.env : { ...around.env, [key.variable]: key.value };
    const listed = { provider: provider.id, name: provider.name, suggested: provider.defaultModel };
    const answer = await askListedModel(asker, listed, { ...around, env });
    if (answer === "refused" && key !== "none") continue;
    if (answer === undefined || answer === "refused") return undefined;
    return {
      values: [
        [["model_provider"], provider.id],
        [["model"], answer.model],
      ],
      ...(key === "none" ? {} : { key }),
    };
  }
}

function stateOf({ isReady, keyVariable }: ProviderChoice): string {
  if (keyVariable === undefined) return "";
  return isReady ? `${keyVariable} is set` : keyVariable;
}

async function askKey(
  asker: Asker,
  { name, keyVariable, id }: ProviderChoice,
): Promise<Key | "none" | undefined> {
  if (keyVariable === undefined) return "none";
  if (/^(CODEX_|INTERPRETER_)/i.test(keyVariable)) {
    asker.say(`${id} takes its key only from the environment: set ${keyVariable} and start again.`);
    return undefined;
  }
  const value = await asker.secret({
    message: `API key of ${name} (${keyVariable})`,
    check: (text) => (/^\S+$/.test(text) ? undefined : "a key has no spaces, and is not empty"),
  });
  return value === undefined ? undefined : { variable: keyVariable, value };
}
