import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Cell } from "../transcript-entry.ts";
import { entryRows } from "../transcript-rows.ts";
import { makeTheme } from "../view/theme.ts";
import type { CommandPort } from "./types.ts";

/** Writes the conversation as Markdown into a file, which must not exist. */
export async function exportTranscript(port: CommandPort, name: string): Promise<void> {
  const id = port.conversation.opened?.session.id ?? "conversation";
  const file = resolve(port.cwd, name === "" ? `interpreter-${id.slice(0, 8)}.md` : name);
  const text = port.transcript.cells
    .map(markdownOf)
    .filter((one) => one !== "")
    .join("\n\n");
  await writeFile(file, `${text}\n`, { flag: "wx", mode: 0o600 });
  port.notice({ level: "info", text: `Written to ${file}` });
}

function markdownOf(cell: Cell): string {
  if (cell.kind === "turn_end") return "";
  if (cell.kind === "user") return `## ${cell.text.split("\n").join("\n## ")}`;
  if (cell.kind === "item" && cell.item.type === "agent_message") return cell.item.text.trim();
  if (cell.kind === "item" && cell.item.type === "reasoning") return "";
  const theme = makeTheme({ level: 0 });
  const rows = entryRows({ cell, isRunning: false }, { width: 120, theme, isExpanded: true });
  const text = Bun.stripANSI(rows.join("\n")).trimEnd();
  return cell.kind === "item" ? `\`\`\`\`\n${text}\n\`\`\`\`` : `> ${text.split("\n").join("\n> ")}`;
}
