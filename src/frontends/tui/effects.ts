import { toAppError } from "../../util/errors.ts";
import { fullText } from "./approval/rows.ts";
import { commandsIn } from "./commands/prompts.ts";
import { refusalAside } from "./commands/table.ts";
import { paste, type Written } from "./input/composer.ts";
import { followWord } from "./popup/follow.ts";
import type { Port } from "./port.ts";
import type { Effect } from "./state.ts";
import { errorNotice } from "./view/notices.ts";

/** Does what a step asked for. */
export function perform(effect: Effect, port: Port): void {
  switch (effect.do) {
    case "send":
      port.turns.start(effect.message);
      return;
    case "steer":
      port.turns.steer(effect.message);
      return;
    case "interrupt":
      port.turns.interrupt();
      return;
    case "quit":
      port.quit();
      return;
    case "suspend":
      port.terminal.suspend();
      return;
    case "repaint":
      port.redraw(true);
      return;
    case "decide":
      port.awaited.approvals.decide(effect.id, effect.decision);
      return;
    case "full_text":
      void port.page(fullText(effect.request, port.theme));
      return;
    case "remember":
      remember(port, effect.text, effect.as);
      return;
    case "paste":
      pasted(port, effect.text);
      return;
    case "command":
      command(port, effect.name, effect.argument);
      return;
    case "arm_quit":
      setTimeout(() => disarm(port), QUIT_MS).unref();
      return;
    case "shell":
      run(port, async () => (await import("./commands/user-command.ts")).runOwn(port, effect.command));
      return;
    case "transcript":
      run(port, async () => (await import("./commands/transcript.ts")).showTranscript(port));
      return;
    case "editor":
      run(port, async () => (await import("./commands/editor.ts")).editDraft(port));
      return;
    case "copy":
      run(port, async () => (await import("./commands/copy.ts")).copyAnswer(port));
      return;
    case "paste_image":
      run(port, async () => (await import("./commands/clipboard-image.ts")).pasteImage(port));
      return;
    case "find_files":
      run(port, async () => (await import("./commands/find-files.ts")).findFiles(port, effect.query));
      return;
    case "effort":
      run(port, async () => (await import("./commands/effort.ts")).changeEffort(port, effect.by));
      return;
  }
}

/** How long Ctrl+C counts as the first of two. */
const QUIT_MS = 2000;

function disarm(port: Port): void {
  if (port.state.isQuitArmed) port.change({ isQuitArmed: false, hint: undefined });
}

function remember(port: Port, text: string, as: Written | undefined): void {
  const entry = { text, at: Date.now(), cwd: port.cwd };
  const history = [as ? { ...entry, as } : entry, ...port.state.history.filter((one) => one.text !== text)];
  port.change({ history });
  const sessionId = port.conversation.opened?.session.id ?? "";
  void port.inputHistory.add({ ...entry, sessionId });
}

function pasted(port: Port, text: string): void {
  const isPath = text.length < 4096 && IMAGE_PATH.test(text.trim());
  if (isPath) {
    run(port, async () => (await import("./commands/attach-image.ts")).attachPath(port, text.trim()));
    return;
  }
  const { state, surroundings } = port;
  port.apply(followWord({ ...state, composer: paste(state.composer, text) }, surroundings));
}

/** One path of a picture, as terminals deliver a dropped file. */
const IMAGE_PATH = /^(?:file:\/\/)?['"]?[^\n]+\.(?:png|jpe?g|gif|webp)['"]?$/i;

function command(port: Port, name: string, argument: string): void {
  const found = commandsIn(port.conversation).find((one) => one.name === name || one.aliases?.includes(name));
  if (!found) return;
  const refusal = refusalAside(found, port.isAside);
  if (refusal !== undefined) {
    port.hint(refusal);
    return;
  }
  const act = () => (found.draw ? found.draw(port, argument) : found.run(port, argument));
  if (!found.asks || argument !== "") {
    run(port, act);
    return;
  }
  // What is typed from here on is meant for the question, which is not there yet.
  port.dialogs.hold();
  run(port, async () => {
    try {
      await act();
    } finally {
      port.dialogs.release();
    }
  });
}

/** Runs work on its own; a failure is a sentence among the cells. */
function run(port: Port, work: () => void | Promise<void>): void {
  void Promise.try(work).catch((cause: unknown) => {
    port.notice(errorNotice(toAppError(cause)));
  });
}
