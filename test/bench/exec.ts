// What runs of exec cost: `bun test/bench/exec.ts [--runs 15] [--other BIN] [--only hello,stream]`. Builds nothing of ours.
//
// Programs take turns, so that a busy machine is as unkind to each of them, and medians of CPU time are printed: of an
// empty compiled Bun program, of dist/interpreter, and of another program with the same command line. The model is a
// script on loopback. "per call" is the time between two requests of the model, free of start-up.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildEmptyProgram } from "../support/empty-program.ts";
import { calls, type FakeTurn, says, sends, startFakeServer } from "../support/fake-server.ts";
import { EXECUTABLE } from "../support/run.ts";

type Workload = { name: string; args: readonly string[]; turns?: () => readonly FakeTurn[] };
type Sample = { cpuMs: number; wallMs: number; perCallMs?: number };
type Program = { name: string; path: string };

const CALLS = 20;
const DELTAS = 2_000;
const tools = () => [
  ...Array.from({ length: CALLS }, (_, n) => calls("exec_command", { cmd: "true" }, `call_${n}`)),
  says("done"),
];
const WORKLOADS: readonly Workload[] = [
  { name: "--version", args: ["--version"] },
  { name: "hello", args: ["-s", "read-only"], turns: () => [says("Hello there")] },
  { name: "calls, sandboxed", args: ["-s", "read-only"], turns: tools },
  { name: "calls, open", args: ["-s", "danger-full-access"], turns: tools },
  { name: "stream", args: ["-s", "read-only"], turns: () => [sends(streamed())] },
];

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "15" },
    other: { type: "string" },
    only: { type: "string" },
  },
});
const runs = Number(values.runs);
const root = await mkdtemp(join(tmpdir(), "bench-"));
try {
  const programs = [
    { name: "interpreter", path: EXECUTABLE },
    ...(values.other === undefined ? [] : [{ name: "other", path: resolve(values.other) }]),
  ];
  const empty = { name: "empty program", path: await buildEmptyProgram(root) };
  for (const workload of WORKLOADS) {
    if (values.only !== undefined && !values.only.split(",").some((word) => workload.name.includes(word)))
      continue;
    await compare(workload, programs, empty);
  }
} finally {
  await rm(root, { recursive: true, force: true });
}

async function compare(workload: Workload, programs: readonly Program[], empty: Program): Promise<void> {
  const samples = new Map<string, Sample[]>();
  const take = async (program: Program, isWarmUp: boolean) => {
    const sample = await measure(program, program === empty ? { name: "", args: [] } : workload);
    if (!isWarmUp) samples.set(program.name, [...(samples.get(program.name) ?? []), sample]);
  };
  const all = [empty, ...programs];
  for (const program of all) await take(program, true);
  for (let run = 0; run < runs; run++)
    for (const program of run % 2 === 0 ? all : all.toReversed()) await take(program, false);

  const floor = medianOf(samples.get(empty.name), ({ cpuMs }) => cpuMs);
  console.log(`${workload.name}\n  ${"empty program".padEnd(14)} ${cell(floor)} ms CPU`);
  for (const { name } of programs) {
    const own = samples.get(name);
    const cpu = medianOf(own, ({ cpuMs }) => cpuMs);
    const perCall = medianOf(own, ({ perCallMs }) => perCallMs ?? Number.NaN);
    const beyond = `${cell(cpu - floor)} beyond empty, ${(cpu / floor).toFixed(1)}x`;
    const wall = `${cell(medianOf(own, ({ wallMs }) => wallMs))} ms wall`;
    const call = Number.isNaN(perCall) ? "" : `, ${cell(perCall)} ms per call`;
    console.log(`  ${name.padEnd(14)} ${cell(cpu)} ms CPU (${beyond}), ${wall}${call}`);
  }
  const [ours, theirs] = programs.map(({ name }) => samples.get(name));
  if (theirs === undefined) return;
  const ratio = (of: (sample: Sample) => number) => (medianOf(ours, of) / medianOf(theirs, of)).toFixed(2);
  const perCall =
    workload.turns === tools ? `, per call ${ratio(({ perCallMs }) => perCallMs ?? Number.NaN)}` : "";
  console.log(`  ratio: CPU ${ratio(({ cpuMs }) => cpuMs)}, wall ${ratio(({ wallMs }) => wallMs)}${perCall}`);
}

async function measure({ name, path }: Program, { args, turns }: Workload): Promise<Sample> {
  const home = join(root, `home ${name}`);
  const cwd = join(root, `work ${name}`);
  await Promise.all([mkdir(join(home, "settings"), { recursive: true }), mkdir(cwd, { recursive: true })]);
  const times: number[] = [];
  const script = turns?.() ?? [];
  await using server = startFakeServer(
    script.map((turn) => () => {
      times.push(performance.now());
      return turn;
    }),
  );
  const run =
    turns === undefined
      ? args
      : ["exec", "--json", "--skip-git-repo-check", ...args, ...model(server.baseUrl), "go"];
  const startedAt = performance.now();
  const child = Bun.spawn([path, ...run], {
    cwd,
    env: environment(home),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const exitCode = await child.exited;
  const wallMs = performance.now() - startedAt;
  if (exitCode !== 0) throw new Error(`${path} ${run.join(" ")} ended with ${exitCode}`);
  if (times.length !== script.length)
    throw new Error(`${path} asked ${times.length} times, not ${script.length}`);
  const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? Number.NaN) / 1000;
  const [first = 0, last = 0] = [times.at(0), times.at(-1)];
  return { cpuMs, wallMs, ...(times.length > 2 ? { perCallMs: (last - first) / (times.length - 1) } : {}) };
}

/** As options, which any program with this command line understands. */
function model(baseUrl: string): string[] {
  const settings = [
    'model_provider="fake"',
    'model_providers.fake.name="fake"',
    `model_providers.fake.base_url="${baseUrl}"`,
    'model_providers.fake.wire_api="responses"',
    'model="fake-1"',
  ];
  return settings.flatMap((setting) => ["-c", setting]);
}

function environment(home: string): Record<string, string> {
  const settings = join(home, "settings");
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    INTERPRETER_HOME: settings,
    CODEX_HOME: settings,
    LANG: "C.UTF-8",
    TERM: "dumb",
  };
}

function streamed(): string[] {
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const text = "word and ".repeat(DELTAS);
  const item = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text }] };
  const usage = { input_tokens: 10, output_tokens: DELTAS, total_tokens: 10 + DELTAS };
  return [
    event("response.created", { response: { id: "resp_1" } }),
    event("response.output_item.added", { output_index: 0, item: { ...item, content: [] } }),
    ...Array.from({ length: DELTAS }, () =>
      event("response.output_text.delta", { output_index: 0, item_id: "msg_1", delta: "word and " }),
    ),
    event("response.output_item.done", { output_index: 0, item }),
    event("response.completed", { response: { id: "resp_1", status: "completed", usage } }),
  ];
}

function medianOf(samples: readonly Sample[] | undefined, of: (sample: Sample) => number): number {
  const sorted = (samples ?? []).map(of).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function cell(ms: number): string {
  return ms.toFixed(0).padStart(5);
}
