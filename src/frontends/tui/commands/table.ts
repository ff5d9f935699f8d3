import type { Command } from "./types.ts";

/** Every slash command, in the order of the palette. What a command needs is loaded when it runs. */
export const COMMANDS: readonly Command[] = [
  {
    name: "new",
    about: "start a new conversation",
    isIdleOnly: true,
    run: async (port, argument) => (await import("./threads.ts")).startNew(port, argument),
  },
  {
    name: "resume",
    about: "continue an earlier conversation",
    isIdleOnly: true,
    asks: true,
    run: async (port, argument) => (await import("./threads.ts")).resume(port, argument),
  },
  {
    name: "fork",
    about: "continue in a copy of this conversation",
    isIdleOnly: true,
    run: async (port, argument) => (await import("./threads.ts")).fork(port, argument),
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
    isIdleOnly: true,
    run: async (port) => (await import("./threads.ts")).clear(port),
  },
  {
    name: "rename",
    about: "give this conversation a name",
    isIdleOnly: false,
    run: async (port, argument) => (await import("./threads.ts")).rename(port, argument),
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
