import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { tempHome } from "../support/home.ts";
import { program } from "../support/run.ts";

// Only a real terminal wraps its rows anew when its size changes; tmux is one that a test can read.
setDefaultTimeout(120_000);
const hasTmux = Bun.which("tmux") !== null;
const SOCKET = `interpreter-test-${process.pid}`;

function tmux(...args: string[]): string {
  const { stdout } = Bun.spawnSync(["tmux", "-u", "-L", SOCKET, "-f", "/dev/null", ...args]);
  return stdout.toString();
}

function everything(): string {
  return tmux("capture-pane", "-p", "-S", "-", "-t", "a");
}

/** Reads the screen until it is as wanted. */
async function until(isTrue: (screen: string) => boolean): Promise<string> {
  for (let i = 0; i < 400; i++) {
    const screen = tmux("capture-pane", "-p", "-t", "a");
    if (isTrue(screen)) return screen;
    await Bun.sleep(50);
  }
  throw new Error(`never seen\n${tmux("capture-pane", "-p", "-t", "a")}`);
}

afterAll(() => {
  if (hasTmux) tmux("kill-server");
});

test.skipIf(!hasTmux)(
  "a draft is there once, in the scrollback too, after the window got narrower and wider (needs tmux)",
  async () => {
    await using home = await tempHome();
    await home.write(
      "~/config.toml",
      `model = "m"\nmodel_provider = "p"\n[model_providers.p]\nname = "P"\nbase_url = "http://127.0.0.1:9/v1"\nwire_api = "chat"\n[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`,
    );
    const env = Object.entries({ ...home.env, TERM: "tmux-256color" }).flatMap(([key, value]) => [
      "-e",
      `${key}=${value}`,
    ]);
    tmux("new-session", "-d", "-s", "a", "-x", "100", "-y", "30", "-c", home.cwd, ...env, ...program());
    await until((screen) => screen.includes("100% left"));
    // A screen that is full: of one that is nearly empty, tmux itself moves live rows into the scrollback.
    for (const count of [1, 2, 3]) {
      tmux("send-keys", "-t", "a", "-l", "/status");
      await until((screen) => screen.includes("› /status"));
      tmux("send-keys", "-t", "a", "Enter");
      await until(() => [...everything().matchAll(/approvals: /g)].length === count);
    }
    tmux(
      "send-keys",
      "-t",
      "a",
      "-l",
      "draft text that is long enough to be wrapped when there are forty columns only",
    );
    await until((screen) => screen.includes("columns only"));
    for (const [columns, rows] of [
      ["60", "20"],
      ["40", "12"],
      ["120", "40"],
    ] as const) {
      tmux("resize-window", "-t", "a", "-x", columns, "-y", rows);
      const width = Number(columns);
      await until((screen) =>
        screen
          .split("\n")
          .some((row) => row.length > 0 && row.endsWith("100% left") && row.length >= width - 2),
      );
    }
    const screen = await until((text) => text.includes("draft text"));
    expect(screen.match(/draft text/g)).toHaveLength(1);
    expect(screen.match(/^› /gm)).toHaveLength(1);
    expect(everything().match(/draft te/g)).toHaveLength(1);
  },
);
