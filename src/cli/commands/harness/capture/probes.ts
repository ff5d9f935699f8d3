import { inputFor } from "./bind.ts";
import { newestResult } from "./seen-request.ts";
import type { BoundTool, ProbeKind, ProbeResults, Recorded, Step } from "./types.ts";

/** Where the program works while it is looked at: a folder with known contents. */
export type ProbePlace = {
  cwd: string;
  home: string;
  prompt: string;
  model: string;
  /** The text of its AGENTS.md. */
  rules: string;
  /** The file to be read, whose lines are `probe line N`. */
  file: string;
  /** What git knows of it; `changed` is a file that is not committed. */
  branch: string;
  mainBranch: string;
  user: string;
  changed: string;
  commit: string;
};

export const PROBE_OUTPUT = "probe-output";
export const UNKNOWN_TOOL = "probe_nonsense";
export const EXIT_CODE = 3;

/** Commands for the probes of a shell. What they print does not stand in them, so that the two can be told apart. */
export const COMMANDS = {
  ok: "printf 'probe-%s\\n' output",
  again: "printf 'probe-%s\\n' output",
  fail: `printf 'probe-%s\\n' output; exit ${EXIT_CODE}`,
  silent: "true",
} as const;

type Probe = { kind: ProbeKind; step: Step };

/** Asks a program for its calls one after the other, and keeps what it answers. */
export class ProbeScript {
  readonly results: ProbeResults = {};
  readonly #bind: (request: Recorded) => BoundTool[];
  readonly #place: ProbePlace;
  #left: Probe[] | undefined;
  #asked: ProbeKind | undefined;

  constructor(place: ProbePlace, bind: (request: Recorded) => BoundTool[]) {
    this.#place = place;
    this.#bind = bind;
  }

  next(request: Recorded): Step {
    this.#left ??= probesFor(this.#bind(request), this.#place, request.wire);
    const result = this.#asked && newestResult(request);
    if (this.#asked && result) this.results[this.#asked] = result;
    const probe = this.#left.shift();
    this.#asked = probe?.kind;
    return probe?.step ?? { text: "Done." };
  }
}

function probesFor(tools: readonly BoundTool[], { cwd, file }: ProbePlace, wire: Recorded["wire"]): Probe[] {
  const shell = tools.find(({ native, seen }) => SHELLS.has(native) && seen.parameters);
  const read = tools.find(({ native, seen }) => native === "read" && seen.parameters);
  const call = (kind: ProbeKind, name: string, input: Record<string, unknown> | string): Probe => {
    const id = `${wire === "messages" ? "toolu" : "call"}_probe_${kind}`;
    return { kind, step: { call: { id, name, input } } };
  };
  const run = (kind: keyof typeof COMMANDS): Probe[] => {
    if (!shell) return [];
    const input = inputFor(shell, { [shell.native === "exec" ? "cmd" : "command"]: COMMANDS[kind] });
    return [call(kind, shell.seen.name, input)];
  };
  return [
    ...run("ok"),
    ...run("again"),
    ...run("fail"),
    ...run("silent"),
    ...(read ? [call("read", read.seen.name, inputFor(read, { path: `${cwd}/${file}` }))] : []),
    call("unknown", UNKNOWN_TOOL, {}),
  ];
}

const SHELLS: ReadonlySet<string> = new Set(["shell", "exec"]);
