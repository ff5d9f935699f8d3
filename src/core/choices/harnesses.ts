import type { LoadedConfig } from "../../config/load.ts";
import { harnessIds, loadHarness } from "../../harness/load.ts";
import { chooseHarness } from "../../harness/route.ts";
import type { WireApi } from "../../protocol/items.ts";
import { resolveProvider } from "../../providers/resolve.ts";
import { VERSION } from "../../util/package.ts";
import { harnessHome, harnessWire } from "../harness/harness-choice.ts";
import { toolsOf } from "../harness/harness-report.ts";

export type HarnessChoice = {
  id: string;
  /** Names of the tools that a model sees. */
  tools: string[];
  /** It would be chosen for this model by itself. */
  isRecommended: boolean;
};
export type HarnessQuestion = {
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  /** Id. */
  provider: string;
  model: string;
};

/** The harnesses that work with a provider, the recommended one first. Files that are wrong are left out. */
export async function harnessesToChoose(question: HarnessQuestion): Promise<HarnessChoice[]> {
  const { config, env, model } = question;
  const home = harnessHome(config);
  const client = { env, originator: "interpreter_tui", version: VERSION };
  const provider = await resolveProvider({ ...client, values: config.values, id: question.provider });
  const wire: WireApi = harnessWire(provider.wire);
  const { id, label, baseUrl } = provider;
  const facts = { id, label, wire, ...(baseUrl === undefined ? {} : { baseUrl }) };
  const route = await chooseHarness({ chosen: undefined, provider: facts, model, home });
  const loaded = await Promise.all(
    (await harnessIds(home)).map((name) => loadHarness(name, home).catch(() => undefined)),
  );
  return loaded
    .flatMap((harness) => (harness?.wires.includes(wire) ? [harness] : []))
    .map((harness) => ({
      id: harness.id,
      tools: toolsOf(harness).map(({ name }) => name),
      isRecommended: harness.id === route.id,
    }))
    .sort((a, b) => Number(b.isRecommended) - Number(a.isRecommended));
}
