import { isRecord } from "../../util/json.ts";

type Env = Readonly<Record<string, string | undefined>>;
export type LiveSettings = {
  keymap: unknown;
  isAnimated: boolean;
  theme: string | undefined;
  isPlain: boolean;
  hasVim: boolean;
  /** Pagers may use the alternate screen. */
  hasAlternate: boolean;
  /** Names of what the status line shows; undefined for all. */
  statusItems: readonly string[] | undefined;
  notifies: boolean;
  notifiesAlways: boolean;
};

/** The table `tui` of the settings, as far as this interface knows it. */
export function liveSettings(tui: unknown, env: Env): LiveSettings {
  const table = isRecord(tui) ? tui : {};
  const { keymap, animations, theme, plain } = table;
  return {
    keymap,
    isAnimated: animations !== false && !env["REDUCED_MOTION"],
    theme: typeof theme === "string" ? theme : undefined,
    isPlain: plain === true,
    hasVim: table["vim_mode_default"] === true,
    hasAlternate: table["alternate_screen"] !== "never",
    statusItems: namesIn(table["status_line"]),
    notifies: table["notifications"] !== false,
    notifiesAlways: table["notification_condition"] === "always",
  };
}

function namesIn(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : undefined;
}
