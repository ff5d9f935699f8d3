import { speedText } from "../../../protocol/usage.ts";
import { costText, countText } from "../view/duration.ts";
import type { CommandPort } from "./types.ts";

/** Model, permissions, folder and use of this conversation. */
export function showStatus(port: CommandPort): void {
  const { conversation, config, cwd, progress } = port;
  const opened = conversation.opened;
  if (!opened || !config) {
    port.notice({ level: "warning", text: "No session is open yet." });
    return;
  }
  const { names, settings } = opened;
  const files = opened.inside.instructionFiles;
  const { total, contextLeft = 100, lastSpeed } = progress;
  const speed = speedText(lastSpeed);
  const cost = costText(progress.cost);
  const rows = [
    ["model", `${names.model} via ${names.provider}${settings.effort ? `, effort ${settings.effort}` : ""}`],
    ["harness", names.harnessReason ? `${names.harness} (${names.harnessReason})` : names.harness],
    ["folder", cwd],
    ["sandbox", settings.sandboxMode],
    ["approvals", settings.approvals],
    ["project", config.trust ?? "not decided"],
    ...(files.length === 0 ? [] : [["reads", files.join(", ")]]),
    ["session", names.session],
    [
      "tokens",
      `${countText(total.input)} in (${countText(total.cachedInput)} cached), ${countText(total.output)} out`,
    ],
    ["context", `${contextLeft}% left${names.window ? ` of ${names.window}` : ""}`],
    ...(cost === undefined ? [] : [["cost", cost]]),
    ...(speed === "" ? [] : [["speed", speed]]),
  ];
  port.notice({
    level: "info",
    text: rows.map(([name = "", value]) => `${`${name}:`.padEnd(11)} ${value}`).join("\n"),
  });
}
