import type { Item } from "../../../protocol/items.ts";
import { historyCells } from "../history-cells.ts";
import type { Port } from "../port.ts";
import { entryRows } from "../transcript-rows.ts";
import { makeTheme, type Theme } from "../view/theme.ts";
import type { CommandPort } from "./types.ts";

/** The MCP servers as they are now: their state, and with `verbose` their tools. */
export function listServers(port: CommandPort, argument: string): void {
  const configured = port.config?.values.mcp_servers ?? {};
  const running = port.conversation.opened?.inside.servers() ?? [];
  const isVerbose = argument.trim() === "verbose";
  const rows = running.flatMap(({ name, state, reason, tools, faults }) => [
    `${name}  ${state === "ready" ? `ready, ${counted(tools.length, "tool")}` : state}${reason === "" ? "" : `: ${reason}`}`,
    ...(isVerbose ? tools.map((tool) => `    ${tool}`) : []),
    ...faults.map((fault) => `    warning: ${fault}`),
  ]);
  const known = new Set(running.map(({ name }) => name));
  const others = Object.keys(configured).filter((name) => !known.has(name));
  const off = others.map(
    (name) => `${name}  ${configured[name]?.enabled === false ? "switched off" : "not started"}`,
  );
  if (rows.length + off.length === 0) {
    const hint = "add one with `interpreter mcp add`";
    port.notice({ level: "info", text: "No MCP servers are configured.", hint });
    return;
  }
  const hint = isVerbose ? {} : { hint: "/mcp verbose names their tools" };
  port.notice({ level: "info", text: [...rows, ...off].join("\n"), ...hint });
}

/** The skills that can be named with a dollar sign. */
export function listSkills(port: CommandPort): void {
  const skills = port.conversation.opened?.skills ?? [];
  if (skills.length === 0) {
    const hint = `a folder with a SKILL.md below ${port.config?.home ?? "~/.openinterpreter"}/skills is one`;
    port.notice({ level: "info", text: "There are no skills.", hint });
    return;
  }
  const rows = skills.map(({ name, description, path }) => `$${name}  ${oneLine(description)}\n    ${path}`);
  port.notice({
    level: "info",
    text: rows.join("\n"),
    hint: "name one in a message, such as $NAME, to have it read",
  });
}

/** Shows what one of the model's agents has heard and said. */
export async function showAgent(port: Port): Promise<void> {
  const chosen = await chooseAgent(port);
  if (!chosen) return;
  const cells = historyCells(chosen.history).map((cell) => {
    const rows = (width: number) => ["", ...rowsOf(cell, width, port.theme)];
    return { rows, text: Bun.stripANSI(rows(100_000).join("\n")).trim() };
  });
  await port.page({ title: `agent ${chosen.name}`, cells, startsAtEnd: true });
}

/** The same in lines. */
export async function printAgent(port: CommandPort): Promise<void> {
  const chosen = await chooseAgent(port);
  if (!chosen) return;
  const theme = makeTheme({ level: 0, isUnicode: false, hasStyles: false });
  const rows = historyCells(chosen.history).flatMap((cell) => rowsOf(cell, 1000, theme));
  port.notice({ level: "info", text: rows.join("\n") });
}

async function chooseAgent(
  port: CommandPort,
): Promise<{ name: string; history: readonly Item[] } | undefined> {
  const inside = port.conversation.opened?.inside;
  const agents = inside?.agents() ?? [];
  if (agents.length === 0) {
    const hint = "some harnesses let the model start them";
    port.notice({ level: "info", text: "The model has started no agents in this conversation.", hint });
    return undefined;
  }
  const choices = agents.map((agent) => ({
    value: agent.id,
    label: `${agent.kind}  ${oneLine(agent.description)}`,
    hint: agent.status,
  }));
  const id = await port.ask((asker) =>
    asker.choose({ message: "Agent", choices, initial: choices.length - 1 }),
  );
  const history = id === undefined ? undefined : inside?.agentHistory(id);
  const name = oneLine(agents.find((agent) => agent.id === id)?.description ?? "");
  return history && { name, history };
}

function rowsOf(cell: Parameters<typeof entryRows>[0]["cell"], width: number, theme: Theme): string[] {
  return entryRows({ cell, isRunning: false }, { width, theme, isExpanded: true });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
