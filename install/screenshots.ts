// Pictures of the terminal interface for docs/: `bun install/screenshots.ts [name...]` drives dist/interpreter in tmux
// against scripted models and writes docs/images/NAME.svg. Needs tmux and git.
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startFakeServer } from "../test/support/fake-server.ts";
import { startOllamaServer } from "../test/support/ollama-server/server.ts";
import { screenSvg } from "../test/support/screen-svg.ts";
import { startTmux } from "../test/support/tmux.ts";
import { SCENES, type Scene } from "./scenes.ts";

const root = dirname(import.meta.dir);
const SIZE = { columns: 92, rows: 26 };
const FILES = {
  "AGENTS.md": "Run `sh test.sh` before you are done.\n",
  "src/price.ts": [
    "export function total(prices: readonly number[]): number {",
    "  let sum = 0;",
    "  for (let i = 1; i < prices.length; i++) sum += prices[i] ?? 0;",
    "  return sum;",
    "}",
    "",
  ].join("\n"),
  "src/cart.ts":
    'import { total } from "./price.ts";\n\nexport const cart = [4, 8, 15];\nconsole.log(total(cart));\n',
  "src/parse-price.ts": "export const parsePrice = Number;\n",
  "docs/prices.md": "# Prices\n",
  "test.sh": 'for n in 1 2 3 4 5 6 7 8; do echo "ok $n - price $n"; sleep 0.4; done\n',
};

const MODELS = [
  { name: "qwen3-coder:30b", size: 18_556_701_140, contextLength: 262_144 },
  { name: "llama3.2:3b", size: 2_019_393_189, contextLength: 131_072 },
  { name: "gemma3:4b", size: 3_338_801_804, contextLength: 131_072, capabilities: ["completion", "vision"] },
];

const wanted = process.argv.slice(2);
for (const scene of SCENES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const svg = await pictureOf(scene);
  await Bun.write(join(root, "docs", "images", `${scene.name}.svg`), svg);
  console.log(`docs/images/${scene.name}.svg: ${Math.ceil(svg.length / 1024)} KiB`);
}

async function pictureOf({ name, title, turns, isNew, play }: Scene): Promise<string> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "shots-")));
  try {
    const cwd = join(home, "shop");
    await layOut(cwd);
    await using server = startFakeServer(turns);
    await using ollama = startOllamaServer({ models: isNew ? MODELS : [] });
    const settings = join(home, ".openinterpreter");
    await mkdir(settings);
    if (!isNew) await Bun.write(join(settings, "config.toml"), configFor(server.baseUrl, cwd));
    await using pane = await startTmux({
      argv: [join(root, "dist", "interpreter")],
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: home,
        INTERPRETER_HOME: settings,
        OLLAMA_HOST: ollama.host,
        TMPDIR: home,
        LANG: "C.UTF-8",
      },
      cwd,
      folder: home,
      ...SIZE,
    });
    await play(pane);
    return screenSvg(await pane.colored(), title, SIZE);
  } catch (cause) {
    throw new Error(`${name} could not be played`, { cause });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function layOut(cwd: string): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) await Bun.write(join(cwd, name), text);
  const author = ["-c", "user.email=someone@example.com", "-c", "user.name=Someone"];
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    [...author, "commit", "-qm", "Start"],
  ])
    Bun.spawnSync(["git", ...args], { cwd });
}

function configFor(baseUrl: string, cwd: string): string {
  return `model = "qwen3-coder:30b"
model_provider = "local"
harness = "native"
sandbox_mode = "workspace-write"
model_context_window = 262144
[model_providers.local]
name = "local"
base_url = "${baseUrl}"
wire_api = "chat"
[projects.${JSON.stringify(cwd)}]
trust_level = "trusted"
`;
}
