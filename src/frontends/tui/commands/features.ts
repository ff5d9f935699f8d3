import { join } from "node:path";
import { setKey } from "../../../config/edit.ts";
import { FEATURES, featureEnabled, isFeatureName } from "../../../config/features.ts";
import { CONFIG_FILE } from "../../../config/paths.ts";
import { continueWith } from "./threads.ts";
import type { CommandPort } from "./types.ts";

/** Switches features that have an effect, and keeps them in the user's settings. The conversation goes on with them. */
export async function switchFeatures(port: CommandPort): Promise<void> {
  const { config } = port;
  if (!config) return;
  const isOn = (name: keyof typeof FEATURES) => featureEnabled(config.values.features, name);
  const names = Object.keys(FEATURES)
    .filter(isFeatureName)
    .filter((name) => FEATURES[name].stage !== "unavailable" && FEATURES[name].stage !== "removed");
  const choices = names.map((name) => ({ value: name, label: name }));
  const marked = names.flatMap((name, i) => (isOn(name) ? [i] : []));
  const chosen = await port.ask((asker) => asker.chooseMany({ message: "Features", choices, marked }));
  const changed = names.filter((name) => chosen && chosen.includes(name) !== isOn(name));
  if (!chosen || changed.length === 0) return;
  const file = join(config.home, CONFIG_FILE);
  for (const name of changed) await setKey(file, ["features", name], chosen.includes(name));
  await continueWith(port, []);
  port.notice({
    level: "info",
    text: `Written to ${file}: ${changed.map((name) => `features.${name}`).join(", ")}`,
  });
}
