import { modelsToChoose } from "../../../core/choices/models.ts";
import type { LocalServer } from "../../../core/choices/servers.ts";
import { type ServedWindow, SMALL_WINDOW, servedWindow } from "../../../core/choices/window.ts";
import { toAppError } from "../../../util/errors.ts";
import type { Asker, Choice } from "../prompts/asker.ts";
import { modelRows } from "../prompts/model-rows.ts";
import { sayError } from "../prompts/say-error.ts";
import { pullModel } from "./pull-model.ts";
import type { Around, Setup } from "./types.ts";

type Pick = Picked | "pull" | "back";
/** `most`: tokens that the model was made for. */
type Picked = { model: string; most?: number | undefined };

/** Asks which model of a running server to use; one that is not there yet can be downloaded. */
export async function chooseLocalModel(
  asker: Asker,
  server: LocalServer,
  around: Around,
): Promise<Setup | undefined> {
  for (;;) {
    const picked = await askModel(asker, server, around);
    if (picked === undefined || picked === "back") return undefined;
    const chosen = picked === "pull" ? await pulled(asker, around) : picked;
    if (chosen === undefined) continue;
    const { model } = chosen;
    const window = await askWindow(asker, chosen, server, around);
    return {
      values: [
        [["model_provider"], server.id],
        [["model"], model],
        ...(window === undefined ? [] : [[["model_context_window"], window] as const]),
      ],
    };
  }
}

async function pulled(asker: Asker, around: Around): Promise<Picked | undefined> {
  const model = await pullModel(asker, around);
  return model === undefined ? undefined : { model };
}

async function askModel(asker: Asker, { id }: LocalServer, around: Around): Promise<Pick | undefined> {
  const { config, env, signal } = around;
  try {
    const models = await modelsToChoose({ provider: id, config, env }, signal);
    const rows = modelRows(models);
    const choices: Choice<Pick>[] = [
      ...models.map(
        ({ id: model, context: most }, i): Choice<Pick> => ({
          value: { model, most },
          label: rows[i] ?? model,
        }),
      ),
      ...(id === "ollama" ? [{ value: "pull", label: "pull another…" } satisfies Choice<Pick>] : []),
      { value: "back", label: "another server or provider…" },
    ];
    return await asker.choose({ message: "Model", choices });
  } catch (cause) {
    sayError(asker, cause);
    return undefined;
  }
}

/** A window that is too small for work is said, and a larger one offered where it can be asked for. */
async function askWindow(
  asker: Asker,
  { model, most = SMALL_WINDOW }: Picked,
  server: LocalServer,
  around: Around,
): Promise<number | undefined> {
  const { config, env, signal } = around;
  let served: ServedWindow;
  try {
    served = await servedWindow({ provider: server.id, model, config, env }, signal);
  } catch (cause) {
    // Opening the session will meet the same problem, and says it with what to do.
    if (toAppError(cause).code === "aborted") throw cause;
    return undefined;
  }
  const isSmall = served.tokens < SMALL_WINDOW;
  const notes = isSmall && served.warnings.length === 0 ? [smallText(served.tokens)] : served.warnings;
  if (notes.length > 0) asker.say(notes.join("\n"));
  if (!isSmall || most < SMALL_WINDOW || server.id !== "ollama") return undefined;
  return await asker.choose({
    message: `${model} would have a context of only ${served.text}`,
    choices: [
      { value: SMALL_WINDOW, label: `${SMALL_WINDOW} tokens`, hint: "takes more memory" },
      { value: undefined, label: "leave it" },
    ],
  });
}

function smallText(tokens: number): string {
  return `a context of ${tokens} tokens is small: long tasks will be summarised often`;
}
