import { type ModelChoice, modelsToChoose } from "../../../core/choices/models.ts";
import { toAppError } from "../../../util/errors.ts";
import type { Asker } from "../prompts/asker.ts";
import { modelRows } from "../prompts/model-rows.ts";
import { sayError } from "../prompts/say-error.ts";
import type { Around } from "./types.ts";

export type Listed = { provider: string; name: string; suggested: string | undefined };

/**
 * Asks a provider for its models, and the user for one of them. Where no list can be had, the name is typed. `refused`:
 * the provider did not take the key.
 */
export async function askListedModel(
  asker: Asker,
  { provider, name, suggested }: Listed,
  { config, env, signal }: Around,
): Promise<{ model: string } | "refused" | undefined> {
  let models: ModelChoice[] = [];
  try {
    const run = () => modelsToChoose({ provider, config, env }, signal);
    const found = await asker.work({ title: `asking ${name} for its models`, run });
    if (!found) return undefined;
    models = found;
  } catch (cause) {
    sayError(asker, cause);
    if (toAppError(cause).code === "auth") return "refused";
  }
  const model = await (models.length > 0
    ? chooseOne(asker, models, suggested)
    : asker.text({
        message: "Model",
        ...(suggested === undefined ? {} : { initial: suggested }),
        check: (value) => (value === "" ? "a name is needed" : undefined),
      }));
  return model === undefined ? undefined : { model };
}

async function chooseOne(
  asker: Asker,
  models: readonly ModelChoice[],
  suggested: string | undefined,
): Promise<string | undefined> {
  const rows = modelRows(models);
  return await asker.choose({
    message: "Model",
    choices: models.map(({ id }, i) => ({ value: id, label: rows[i] ?? id })),
    initial: Math.max(
      0,
      models.findIndex(({ id }) => id === suggested),
    ),
  });
}
