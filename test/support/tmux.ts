import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export type TmuxPane = AsyncDisposable & {
  /** Characters as they are, in one write. */
  type(text: string): Promise<void>;
  /** The names that tmux gives to keys: `Enter`, `C-t`, `Down`. */
  press(...keys: string[]): Promise<void>;
  /** What is on the screen, without colours. */
  screen(): Promise<string>;
  /** The same with colour sequences. */
  colored(): Promise<string>;
  /** Resolves when the screen holds it; rejects with the screen after a minute. */
  until(text: string | RegExp): Promise<void>;
};

export type TmuxOptions = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  columns: number;
  rows: number;
  /** Where the server's socket may be made. */
  folder: string;
};

const PATIENCE_MS = 60_000;

/** Runs a program in tmux, with a server of its own that ends with the pane. */
export async function startTmux({ argv, env, cwd, columns, rows, folder }: TmuxOptions): Promise<TmuxPane> {
  const socket = join(folder, "tmux");
  const tmux = async (args: readonly string[]): Promise<string> => {
    const child = Bun.spawn(["tmux", "-u", "-S", socket, "-f", "/dev/null", ...args], {
      cwd,
      env: { ...env, TERM: "xterm-256color" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, problem, exitCode] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    if (exitCode !== 0) throw new Error(`tmux ${args[0]}: ${problem.trim()}`);
    return out;
  };
  const size = ["-x", String(columns), "-y", String(rows)];
  const colors = ["env", "TERM=tmux-256color", "COLORTERM=truecolor"];
  await tmux(["new-session", "-d", ...size, ...colors, ...argv, ";", "set-option", "status", "off"]);
  await tmux(["resize-window", ...size]);
  const screen = () => tmux(["capture-pane", "-p"]);
  return {
    type: async (text) => void (await tmux(["send-keys", "-l", "--", text])),
    press: async (...keys) => void (await tmux(["send-keys", ...keys])),
    screen,
    colored: () => tmux(["capture-pane", "-p", "-e"]),
    async until(text) {
      const end = performance.now() + PATIENCE_MS;
      for (;;) {
        const shown = await screen();
        if (typeof text === "string" ? shown.includes(text) : text.test(shown)) return;
        if (performance.now() > end) throw new Error(`never seen: ${text}\n${shown}`);
        await sleep(30);
      }
    },
    [Symbol.asyncDispose]: async () => void (await tmux(["kill-server"]).catch(() => "")),
  };
}
