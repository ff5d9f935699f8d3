import { join } from "node:path";
import { setKey } from "../../../config/edit.ts";
import { CONFIG_FILE } from "../../../config/paths.ts";
import { liveSettings } from "../live-settings.ts";
import { STATUS_ITEMS } from "../view/status-items.ts";
import type { CommandPort } from "./types.ts";

/** Chooses what the status line shows, and keeps the choice in the user's settings. */
export async function changeStatusLine(port: CommandPort): Promise<void> {
  const { config, env } = port;
  if (!config) return;
  const shown = liveSettings(config.values.tui, env).statusItems;
  const names = STATUS_ITEMS.map(({ name }) => name);
  const marked = names.flatMap((name, i) => (shown === undefined || shown.includes(name) ? [i] : []));
  const choices = STATUS_ITEMS.map(({ name, about }) => ({
    value: name,
    label: name.padEnd(21),
    hint: about,
  }));
  const chosen = await port.ask((asker) =>
    asker.chooseMany({ message: "The status line shows", choices, marked }),
  );
  if (chosen === undefined) return;
  const file = join(config.home, CONFIG_FILE);
  const isAll = chosen.length === names.length;
  await setKey(file, ["tui", "status_line"], isAll ? undefined : chosen);
  await port.reconfigure([]);
  port.notice({ level: "info", text: `Written to ${file}: tui.status_line` });
}
