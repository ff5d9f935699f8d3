import type { LoadedConfig } from "../../config/load.ts";
import type { Dialogs } from "./dialogs.ts";

type Env = Readonly<Record<string, string | undefined>>;
export type FirstQuestions = {
  config: LoadedConfig;
  env: Env;
  cwd: string;
  signal: AbortSignal;
  /** Reads the settings again, after an answer was written to them. */
  reload(env: Env): Promise<LoadedConfig>;
};

/** Whoever can open questions: on a screen, or in lines. */
export type Opener = Pick<Dialogs, "hold" | "release" | "open">;

/**
 * Asks at the start what the settings leave open: which model, and whether the folder is trusted. Gives back what counts
 * then; undefined when the user rather leaves. Most starts ask nothing, and load nothing for it.
 */
export async function askFirst(
  questions: FirstQuestions,
  dialogs: Opener,
): Promise<{ config: LoadedConfig; env: Env } | undefined> {
  const { originOf, trust } = questions.config;
  if (trust !== undefined && originOf("model_provider") !== undefined) return questions;
  const [{ isUnconfigured }, { isUndecided }] = await Promise.all([
    import("../../core/choices/servers.ts"),
    import("./onboarding/trust.ts"),
  ]);
  const needsModel = await isUnconfigured(questions.config, questions.env);
  if (!needsModel && !isUndecided(questions.config)) return questions;
  dialogs.hold();
  try {
    return await ask(questions, dialogs, needsModel);
  } finally {
    dialogs.release();
  }
}

async function ask(
  { config, env, cwd, signal, reload }: FirstQuestions,
  dialogs: Opener,
  needsModel: boolean,
): Promise<{ config: LoadedConfig; env: Env } | undefined> {
  const [{ onboard }, { askTrust, isUndecided }] = await Promise.all([
    import("./onboarding/onboard.ts"),
    import("./onboarding/trust.ts"),
  ]);
  return await dialogs.open(async (asker) => {
    let now = { config, env };
    if (needsModel) {
      const chosen = await onboard(asker, { config, env, signal });
      if (!chosen) return undefined;
      const completed = { ...env, ...chosen.env };
      now = { env: completed, config: await reload(completed) };
    }
    if (!isUndecided(now.config)) return now;
    const answer = await askTrust(asker, { config: now.config, cwd });
    if (answer === "quit") return undefined;
    return answer === "trusted" ? { ...now, config: await reload(now.env) } : now;
  });
}
