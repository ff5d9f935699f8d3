import type { Command } from "./types.ts";

/** Every slash command, in the order of the palette. What a command needs is loaded when it runs. */
export const COMMANDS: readonly Command[] = [
  {
    name: "new",
    about: "start a new conversation",
    isForMain: true,
    isIdleOnly: true,
    run: async (port, argument) => (await import("./threads.ts")).startNew(port, argument),
  },
  {
    name: "resume",
    about: "continue an earlier conversation",
    isForMain: true,
    isIdleOnly: true,
    asks: true,
    run: async (port, argument) => (await import("./threads.ts")).resume(port, argument),
  },
  {
    name: "fork",
    about: "continue in a copy of this conversation",
    isForMain: true,
    isIdleOnly: true,
    run: async (port, argument) => (await import("./threads.ts")).fork(port, argument),
  },
  {
    name: "edit",
    about: "change an earlier message and go on from there",
    key: "esc esc",
    isIdleOnly: true,
    asks: true,
    draw: async (port) => (await import("./edit-earlier.ts")).editEarlier(port),
    run: async (port) => (await import("./edit-earlier.ts")).goBackBefore(port),
  },
  {
    name: "side",
    aliases: ["btw"],
    about: "begin a conversation beside this one, or go back from it",
    key: "ctrl+/",
    isIdleOnly: false,
    run: (port, argument) => port.aside(argument),
  },
  {
    name: "compact",
    about: "replace the conversation by a summary of it",
    isIdleOnly: true,
    run: async (port) => (await import("./threads.ts")).compact(port),
  },
  {
    name: "clear",
    about: "start a new conversation on an empty screen",
    isForMain: true,
    isIdleOnly: true,
    draw: async (port) => (await import("./threads.ts")).clear(port),
    run: async (port) => (await import("./threads.ts")).startNew(port, ""),
  },
  {
    name: "rename",
    about: "give this conversation a name",
    isForMain: true,
    isIdleOnly: false,
    run: async (port, argument) => (await import("./threads.ts")).rename(port, argument),
  },
  {
    name: "status",
    aliases: ["usage"],
    about: "model, permissions, folder and tokens of this conversation",
    isIdleOnly: false,
    run: async (port) => (await import("./status.ts")).showStatus(port),
  },
  {
    name: "model",
    about: "choose provider, model and reasoning effort",
    isForMain: true,
    isIdleOnly: true,
    asks: true,
    run: async (port, argument) => (await import("./choices.ts")).changeModel(port, argument),
  },
  {
    name: "harness",
    about: "choose how the model is spoken to",
    isForMain: true,
    isIdleOnly: true,
    asks: true,
    run: async (port, argument) => (await import("./choices.ts")).changeHarness(port, argument),
  },
  {
    name: "permissions",
    aliases: ["approvals"],
    about: "choose what commands may do",
    isIdleOnly: false,
    asks: true,
    run: async (port) => (await import("./choices.ts")).changePermissions(port),
  },
  {
    name: "mcp",
    about: "the MCP servers and their state; with verbose, their tools",
    isIdleOnly: false,
    run: async (port, argument) => (await import("./inside.ts")).listServers(port, argument),
  },
  {
    name: "skills",
    about: "the skills that can be named with $",
    isIdleOnly: false,
    run: async (port) => (await import("./inside.ts")).listSkills(port),
  },
  {
    name: "agent",
    aliases: ["subagents"],
    about: "look at what an agent of the model does",
    isIdleOnly: false,
    asks: true,
    draw: async (port) => (await import("./inside.ts")).showAgent(port),
    run: async (port) => (await import("./inside.ts")).printAgent(port),
  },
  {
    name: "ps",
    about: "commands that run in the background",
    isIdleOnly: false,
    run: async (port) => (await import("./background.ts")).listBackground(port),
  },
  {
    name: "stop",
    aliases: ["clean"],
    about: "end commands in the background",
    isIdleOnly: false,
    run: async (port, argument) => (await import("./background.ts")).stopBackground(port, argument),
  },
  {
    name: "plan",
    about: "plan first: nothing is changed until you agree to a plan",
    key: "shift+tab",
    isIdleOnly: true,
    run: async (port, argument) => (await import("./planning.ts")).plan(port, argument),
  },
  {
    name: "init",
    about: "let the model write AGENTS.md for this project",
    isForMain: true,
    isIdleOnly: true,
    run: async (port) => (await import("./project.ts")).init(port),
  },
  {
    name: "review",
    about: "let the model review changes: uncommitted, of a branch or of a commit",
    isIdleOnly: true,
    asks: true,
    run: async (port, argument) => (await import("./review.ts")).review(port, argument),
  },
  {
    name: "diff",
    about: "what is changed in this folder",
    isIdleOnly: false,
    draw: async (port) => (await import("./diff.ts")).showDiff(port),
    run: async (port) => (await import("./diff.ts")).printDiff(port),
  },
  {
    name: "mention",
    about: "name a file",
    key: "@",
    isIdleOnly: false,
    draw: async (port) => (await import("./settings.ts")).mention(port),
  },
  {
    name: "transcript",
    about: "the whole conversation, unfolded",
    key: "ctrl+t",
    isIdleOnly: false,
    draw: async (port) => (await import("./transcript.ts")).showTranscript(port),
  },
  {
    name: "copy",
    about: "copy the last answer",
    key: "ctrl+o",
    isIdleOnly: false,
    run: async (port) => (await import("./copy.ts")).copyAnswer(port),
  },
  {
    name: "export",
    about: "write the conversation to a Markdown file",
    isIdleOnly: false,
    run: async (port, argument) => (await import("./export.ts")).exportTranscript(port, argument),
  },
  {
    name: "doctor",
    about: "check this installation and what the model needs",
    isIdleOnly: false,
    run: async (port) => (await import("./doctor.ts")).doctor(port),
  },
  {
    name: "debug-config",
    about: "the settings that count, and where they come from",
    isIdleOnly: false,
    run: async (port) => (await import("./settings.ts")).debugConfig(port),
  },
  {
    name: "theme",
    about: "colours for a light or a dark background",
    isIdleOnly: false,
    asks: true,
    draw: async (port) => (await import("./theme.ts")).changeTheme(port),
  },
  {
    name: "vim",
    about: "switch the keys of vim in the composer on or off",
    isIdleOnly: false,
    draw: async (port) => (await import("./vim.ts")).toggleVim(port),
  },
  {
    name: "statusline",
    about: "choose what the status line shows",
    isIdleOnly: false,
    asks: true,
    draw: async (port) => (await import("./status-line.ts")).changeStatusLine(port),
  },
  {
    name: "experimental",
    about: "switch features on and off",
    isForMain: true,
    isIdleOnly: true,
    asks: true,
    run: async (port) => (await import("./features.ts")).switchFeatures(port),
  },
  {
    name: "help",
    about: "the table of keys; in lines, the commands",
    key: "?",
    isIdleOnly: false,
    draw: (port) => port.change({ showsKeys: true }),
    run: (port) => port.notice({ level: "info", text: helpText() }),
  },
  {
    name: "quit",
    aliases: ["exit"],
    about: "leave",
    key: "ctrl+d",
    isIdleOnly: false,
    run: (port) => port.quit(),
  },
];

/** Those of them that work in lines. */
export const PLAIN_COMMANDS = COMMANDS.filter(({ run }) => run !== undefined);

/** Why a command can't be run here; undefined when it can. */
export function refusalAside({ name, isForMain }: Command, isAside: boolean): string | undefined {
  return isForMain && isAside ? `/${name}: not in a side conversation; /side goes back` : undefined;
}

function helpText(): string {
  const rows = PLAIN_COMMANDS.map(({ name, about }) => `/${name.padEnd(13)} ${about}`);
  return [
    ...rows,
    "!COMMAND       run a command of your own, without the sandbox",
    "A line that ends with a backslash goes on in the next one. Ctrl+C stops what runs.",
  ].join("\n");
}
