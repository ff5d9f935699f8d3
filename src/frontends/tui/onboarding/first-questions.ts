import type { LoadedConfig } from "../../../config/load.ts";
import type { Override } from "../../../config/overrides.ts";
import { isUnconfigured } from "../../../core/choices/servers.ts";
import type { Asker } from "../prompts/asker.ts";
import { projectFindings } from "./project-findings.ts";
import { askTrust, isUndecided } from "./trust.ts";
import type { Env } from "./types.ts";

export type FirstAnswers = {
  /** What the program's environment must have from now on. */
  env: Env;
  /** Settings for this run. */
  overrides: readonly Override[];
  hasQuit: boolean;
  /** Files were written: the settings must be read again. */
  isChanged: boolean;
};

type Place = { config: LoadedConfig; env: Env; cwd: string };

/** What has to be asked before a session can begin; most of the time nothing. */
export async function dueQuestions(place: Place): Promise<{ model: boolean; trust: boolean }> {
  const model = await isUnconfigured(place.config, place.env);
  return { model, trust: isUndecided(place.config) && (model || (await bringsSomething(place))) };
}

/** Without something that trust would switch on, a folder that was not decided about is just not written to. */
async function bringsSomething({ config, cwd }: Place): Promise<boolean> {
  const { home, projectRoot } = config;
  return (await projectFindings({ cwd, projectRoot, home })).length > 0;
}

/** Asks what is due: the model, then the trust in the folder. */
export async function askFirst(
  asker: Asker,
  due: { model: boolean; trust: boolean },
  place: Place & { signal: AbortSignal },
): Promise<FirstAnswers> {
  let found: { env: Env } | undefined;
  if (due.model) {
    const { onboard } = await import("./onboard.ts");
    found = await onboard(asker, place);
  }
  const answers = { env: found?.env ?? {}, overrides: [], hasQuit: false, isChanged: found !== undefined };
  if (!due.trust || (due.model && found === undefined)) return answers;
  const trust = await askTrust(asker, place);
  if (trust === "quit") return { ...answers, hasQuit: true };
  if (trust === "trusted") return { ...answers, isChanged: true };
  return { ...answers, overrides: [{ path: ["sandbox_mode"], option: "trust question", set: "read-only" }] };
}
