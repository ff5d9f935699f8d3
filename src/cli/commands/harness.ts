import { overridesFrom, RUN_OPTIONS } from "../../config/flags.ts";
import { loadConfig } from "../../config/load.ts";
import type { ExitCode, Io } from "../../protocol/program.ts";
import { type OptionSpec, parseArgs, unknownWord, usageError } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import type { Ask } from "./harness/ask.ts";

const OWN_OPTIONS = [
  { long: "request", summary: "show: print the first request that would be sent, secrets masked" },
  { long: "from", value: "ID", summary: "new, capture: the harness to start from" },
  {
    long: "provider",
    value: "ID",
    summary: "which, show --request: this provider instead of the configured one",
  },
] as const satisfies readonly OptionSpec[];
const CONFIG_OPTIONS = RUN_OPTIONS.filter(({ long }) => ["config", "profile", "model"].includes(long));

export const HARNESS_COMMAND = {
  name: `${NAME} harness`,
  summary: "List, explain and make harnesses",
  options: [...OWN_OPTIONS, ...CONFIG_OPTIONS],
  positionals: [
    {
      name: "ACTION",
      summary: "list, show ID, which, validate FILE, new ID --from ID, diff ID ID, capture ID -- COMMAND...",
    },
    { name: "[ARGUMENT]...", summary: "What the action is about" },
  ],
} as const;

const ACTIONS = {
  list: {
    wanted: [],
    run: async (ask: Ask) => (await import("./harness/list.ts")).listHarnesses(ask),
  },
  show: { wanted: ["ID"], run: async (ask: Ask) => (await import("./harness/show.ts")).showHarness(ask) },
  which: { wanted: [], run: async (ask: Ask) => (await import("./harness/which.ts")).whichHarness(ask) },
  validate: {
    wanted: ["FILE"],
    run: async (ask: Ask) => (await import("./harness/validate.ts")).validateHarness(ask),
  },
  new: { wanted: ["ID"], run: async (ask: Ask) => (await import("./harness/new.ts")).newHarness(ask) },
  capture: {
    wanted: "more",
    run: async (ask: Ask) => (await import("./harness/capture.ts")).captureHarness(ask),
  },
  diff: {
    wanted: ["ID", "ID"],
    run: async (ask: Ask) => (await import("./harness/diff.ts")).diffHarnesses(ask),
  },
} as const;

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs({ ...HARNESS_COMMAND, options: [...OWN_OPTIONS, ...RUN_OPTIONS] }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(HARNESS_COMMAND));
    return 0;
  }
  const [name = "", ...words] = parsed.positionals;
  if (!isAction(name)) throw unknownWord(HARNESS_COMMAND, "ACTION", name, Object.keys(ACTIONS));
  const action = ACTIONS[name];
  if (action.wanted === "more" ? words.length < 2 : words.length !== action.wanted.length) {
    const wanted =
      action.wanted === "more" ? "an id and a command after --" : action.wanted.join(" ") || "no more";
    throw usageError(HARNESS_COMMAND, `${name}: wanted ${wanted}, found ${words.join(" ") || "nothing"}`);
  }
  const provider = parsed.value("provider");
  const overrides = [
    ...overridesFrom(parsed, io.cwd),
    ...(provider === undefined ? [] : [{ path: ["model_provider"], option: "--provider", set: provider }]),
  ];
  const config = await loadConfig({ env: io.env, cwd: io.cwd, overrides, profile: parsed.value("profile") });
  const ask = { words, config, request: parsed.has("request"), from: parsed.value("from"), io };
  await io.stdout.write(terminalSafe(await action.run(ask)));
  return 0;
}

function isAction(name: string): name is keyof typeof ACTIONS {
  return Object.hasOwn(ACTIONS, name);
}
