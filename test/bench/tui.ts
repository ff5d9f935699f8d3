// The terminal interface in figures: `bun test/bench/tui.ts [--runs 5] [--other PATH]`. Drives dist/interpreter, and any
// other program that reads the same config.toml (its home is in INTERPRETER_HOME and CODEX_HOME), in a terminal of its own
// against one scripted model. Builds nothing but an empty program to compare with. Linux only: figures come from /proc.
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildEmptyProgram } from "../support/empty-program.ts";
import { EXECUTABLE } from "../support/run.ts";
import { startPacedModel, TOKENS } from "./paced-model.ts";
import { type ProbeTerminal, startProbe } from "./probe-terminal.ts";
import { cpuMsOf, mainThreadMsOf, rssMbOf } from "./process-figures.ts";

type Program = { name: string; path: string };
type Figures = Record<string, number>;
/** What a compiled program that does nothing takes, start to end: a measure of the machine and its load. */
type Empty = { wallMs: number; cpuMs: number };

/** What is measured, in the order of the table, and what we want it to be at most. */
const ROWS: readonly { name: string; unit: string; target?: number; digits?: number }[] = [
  { name: "first key answered", unit: "ms", target: 150 },
  { name: "first key, times an empty program", unit: "x", digits: 1 },
  { name: "keys lost before", unit: "", target: 0 },
  { name: "CPU until then", unit: "ms" },
  { name: "CPU, times an empty program", unit: "x", target: 4, digits: 1 },
  { name: "key echo, median", unit: "ms", target: 5, digits: 1 },
  { name: "key echo, worst", unit: "ms", digits: 1 },
  { name: "idle CPU", unit: "%", target: 0.2, digits: 2 },
  { name: "memory, idle", unit: "MB", target: 90 },
  { name: "stream: bytes", unit: "", target: 150_000 },
  { name: "stream: writes", unit: "" },
  { name: "stream: CPU", unit: "ms", target: 1000 },
  { name: "stream: CPU of the main thread", unit: "ms" },
  { name: "stream: key echo, median", unit: "ms", target: 16, digits: 1 },
  { name: "stream: key echo, worst", unit: "ms", digits: 1 },
  { name: "long answer: CPU", unit: "ms", target: 500 },
  { name: "long answer: wall", unit: "ms" },
  { name: "long answer: memory", unit: "MB", target: 110 },
];
const IDLE_MS = 5000;
const KEYS = "жюящфцъэыдлпвгбкмнти";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "5" }, other: { type: "string" } },
});
const root = await realpath(await mkdtemp(join(tmpdir(), "bench-tui-")));
try {
  const programs = [
    { name: "interpreter", path: EXECUTABLE },
    ...(values.other === undefined ? [] : [{ name: "other", path: values.other }]),
  ];
  const empty = await emptyProgram();
  const results: Figures[] = [];
  for (const program of programs) results.push(await measure(program, Number(values.runs), empty));
  print(programs, results);
} finally {
  await rm(root, { recursive: true, force: true });
}

async function measure(program: Program, runs: number, empty: Empty): Promise<Figures> {
  const starts: Figures[] = [];
  for (let run = 0; run < runs; run++) {
    await using session = await open(program, `${run}`);
    starts.push(await untilReady(session.terminal));
  }
  const start = Object.fromEntries(
    Object.keys(starts[0] ?? {}).map((name) => [name, median(starts.map((figures) => figures[name] ?? NaN))]),
  );
  await using session = await open(program, "long");
  await untilReady(session.terminal);
  return {
    ...start,
    "CPU, times an empty program": (start["CPU until then"] ?? NaN) / empty.cpuMs,
    "first key, times an empty program": (start["first key answered"] ?? NaN) / empty.wallMs,
    ...(await atRest(session.terminal)),
    ...(await streamed(session.terminal)),
    ...(await longAnswer(session.terminal)),
  };
}

async function open(
  { name, path }: Program,
  run: string,
): Promise<AsyncDisposable & { terminal: ProbeTerminal }> {
  const home = join(root, `${name} ${run}`);
  const [settings, cwd] = [join(home, "settings"), join(home, "work")];
  await Promise.all([mkdir(settings, { recursive: true }), mkdir(cwd, { recursive: true })]);
  const server = startPacedModel();
  await Bun.write(
    join(settings, "config.toml"),
    `model = "fake-1"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "${server.baseUrl}"
wire_api = "responses"
[projects.${JSON.stringify(cwd)}]
trust_level = "trusted"
`,
  );
  const terminal = await startProbe([path], {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      INTERPRETER_HOME: settings,
      CODEX_HOME: settings,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
    },
  });
  return {
    terminal,
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Types a letter each 20 ms until one is answered; then waits for the others. */
async function untilReady(terminal: ProbeTerminal): Promise<Figures> {
  const typed: string[] = [];
  let isAnswered = false;
  const typing = async () => {
    for (let i = 0; !isAnswered && i < 1500; i++) {
      const key = String.fromCodePoint(0x4e00 + i);
      typed.push(key);
      terminal.type(key);
      await sleep(20);
    }
  };
  const answered = terminal.until(/[\u4e00-\u54ff]/u);
  const typist = typing();
  await answered;
  isAnswered = true;
  const readyMs = performance.now() - terminal.startedAt;
  const cpuMs = cpuMsOf(terminal.pid);
  await typist;
  await sleep(1000);
  const lost = typed.filter((key) => !terminal.raw.includes(key)).length;
  terminal.type("\u0015");
  await sleep(300);
  return { "first key answered": readyMs, "keys lost before": lost, "CPU until then": cpuMs };
}

async function atRest(terminal: ProbeTerminal): Promise<Figures> {
  const { middle, worst } = await echo(terminal);
  await sleep(2000);
  const before = cpuMsOf(terminal.pid);
  await sleep(IDLE_MS);
  return {
    "key echo, median": middle,
    "key echo, worst": worst,
    "idle CPU": ((cpuMsOf(terminal.pid) - before) / IDLE_MS) * 100,
    "memory, idle": rssMbOf(terminal.pid),
  };
}

async function streamed(terminal: ProbeTerminal): Promise<Figures> {
  const before = {
    cpu: cpuMsOf(terminal.pid),
    main: mainThreadMsOf(terminal.pid),
    bytes: terminal.bytes,
    writes: terminal.writes,
  };
  await ask(terminal, "answer-slowly", "STREAM-END");
  const figures = {
    "stream: bytes": terminal.bytes - before.bytes,
    "stream: writes": terminal.writes - before.writes,
    "stream: CPU": cpuMsOf(terminal.pid) - before.cpu,
    "stream: CPU of the main thread": mainThreadMsOf(terminal.pid) - before.main,
  };
  const second = ask(terminal, "answer-slowly", "STREAM-END");
  await sleep(2000);
  const { middle, worst } = await echo(terminal);
  await second;
  return { ...figures, "stream: key echo, median": middle, "stream: key echo, worst": worst };
}

async function longAnswer(terminal: ProbeTerminal): Promise<Figures> {
  const cpu = cpuMsOf(terminal.pid);
  const startedAt = performance.now();
  await ask(terminal, "answer-at-length", "LONG-END");
  return {
    "long answer: CPU": cpuMsOf(terminal.pid) - cpu,
    "long answer: wall": performance.now() - startedAt,
    "long answer: memory": rssMbOf(terminal.pid),
  };
}

/** Until the end of the answer is on the screen and nothing was written for half a second. */
async function ask(terminal: ProbeTerminal, question: string, end: string): Promise<void> {
  terminal.type(question);
  await terminal.until(/answer/);
  await sleep(200);
  terminal.type("\r");
  await terminal.until(new RegExp(end));
  await sleep(500);
}

async function echo(terminal: ProbeTerminal): Promise<{ middle: number; worst: number }> {
  const times: number[] = [];
  for (const key of KEYS) {
    const answered = terminal.until(new RegExp(key, "u"));
    const startedAt = performance.now();
    terminal.type(key);
    await answered;
    times.push(performance.now() - startedAt);
    await sleep(70);
  }
  terminal.type("\u0015");
  await sleep(200);
  return { middle: median(times), worst: Math.max(...times) };
}

async function emptyProgram(): Promise<Empty> {
  const outfile = await buildEmptyProgram(root);
  const samples = Array.from({ length: 9 }, () => {
    const startedAt = performance.now();
    const { cpuTime } = Bun.spawnSync([outfile]).resourceUsage;
    return { wallMs: performance.now() - startedAt, cpuMs: Number(cpuTime.total) / 1000 };
  });
  return {
    wallMs: median(samples.map(({ wallMs }) => wallMs)),
    cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
  };
}

function print(programs: readonly Program[], results: readonly Figures[]): void {
  const [ours = {}, other] = results;
  console.log(`${TOKENS} tokens a stream; load average ${loadavg()[0]?.toFixed(1)}`);
  console.log(
    [
      "".padEnd(36),
      ...programs.map(({ name }) => name.padStart(12)),
      other ? "   ratio" : "",
      "  target",
    ].join(""),
  );
  for (const { name, unit, target, digits = 0 } of ROWS) {
    const cells = results.map((figures) => (figures[name] ?? NaN).toFixed(digits).padStart(12));
    const mine = ours[name] ?? NaN;
    const theirs = other?.[name] ?? 0;
    const ratio = theirs > 0 && mine > 0 ? (theirs / mine).toFixed(1) : "";
    const verdict = target === undefined ? "" : `  ${target} ${mine <= target ? "held" : "MISSED"}`;
    console.log(
      `${`${name}${unit ? `, ${unit}` : ""}`.padEnd(36)}${cells.join("")}${other ? ratio.padStart(8) : ""}${verdict}`,
    );
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
