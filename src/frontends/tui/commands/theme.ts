import { join } from "node:path";
import { setKey } from "../../../config/edit.ts";
import { CONFIG_FILE } from "../../../config/paths.ts";
import type { Port } from "../port.ts";

/** Chooses the colours and keeps the choice in the user's settings. */
export async function changeTheme(port: Port): Promise<void> {
  const { config } = port;
  if (!config) return;
  const chosen = await port.ask((asker) =>
    asker.choose({
      message: "Colours for",
      choices: [
        { value: "dark", label: "a dark background" },
        { value: "light", label: "a light background" },
        { value: "auto", label: "what the terminal says at the next start" },
      ],
    }),
  );
  if (chosen === undefined) return;
  const file = join(config.home, CONFIG_FILE);
  await setKey(file, ["tui", "theme"], chosen === "auto" ? undefined : chosen);
  if (chosen !== "auto") port.setLight(chosen === "light");
  port.notice({ level: "info", text: `Written to ${file}: tui.theme` });
}
