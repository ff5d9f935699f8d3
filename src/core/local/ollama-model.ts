import { cloudForbidden } from "../../providers/air-gap.ts";
import type { Installed } from "../../providers/ollama/client.ts";
import { findInstalled, isCloudName, nearMisses } from "../../providers/ollama/names.ts";
import { AppError } from "../../util/errors.ts";
import { NAME } from "../../util/package.ts";
import { someNames } from "./some-names.ts";

/** The best known start for tools on ordinary hardware, when it is there. */
const PREFERRED = "gpt-oss:20b";

type Where = { origin: string; isAirGapped: boolean };

/** The installed name that the user means. Throws AppError "config" that names what is installed. */
export function exactModel(named: string, installed: readonly Installed[], where: Where): string {
  const found = findInstalled(
    named,
    installed.map(({ name }) => name),
  );
  const model = installed.find(({ name }) => name === found);
  const isCloud = model ? model.isCloud : isCloudName(named);
  if (isCloud && where.isAirGapped) throw cloudForbidden(named);
  if (model) return model.name;
  throw missing(named, installed, where);
}

/** The model to use when none was named: what is loaded, else what is known to work, else the newest with tools. */
export function defaultModel(
  installed: readonly Installed[],
  loaded: readonly string[],
  where: Where,
): string {
  const own = installed.filter(({ isCloud, capabilities }) => {
    return !isCloud && (capabilities === undefined || capabilities.includes("completion"));
  });
  const withTools = own.filter(({ capabilities }) => capabilities?.includes("tools") !== false);
  const choice =
    withTools.find(({ name }) => loaded.includes(name)) ??
    withTools.find(({ name }) => name === PREFERRED) ??
    withTools[0] ??
    own[0];
  if (choice) return choice.name;
  throw new AppError("config", `Ollama at ${where.origin} has no model that runs on this machine`, {
    hint: `install one: \`${NAME} pull ${PREFERRED}\` (13 GB), or a smaller one such as qwen3:4b; without a network see docs/local-models.md`,
  });
}

const MOST_GUESSES = 5;

function missing(named: string, installed: readonly Installed[], { origin }: Where): AppError {
  const names = installed.filter(({ isCloud }) => !isCloud).map(({ name }) => name);
  const list = names.length === 0 ? "nothing is" : `installed: ${someNames(names)}`;
  const close = nearMisses(named, names).slice(0, MOST_GUESSES);
  const guess = close.length === 0 ? "" : `did you mean ${close.join(" or ")}? Else `;
  return new AppError("config", `the model ${named} is not installed in Ollama at ${origin}; ${list}`, {
    hint: `${guess}\`${NAME} pull ${named}\` downloads it; without a network see docs/local-models.md`,
  });
}
