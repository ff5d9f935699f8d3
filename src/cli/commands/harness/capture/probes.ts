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
  branch: string;
  commit: string;
};

export const PROBE_OUTPUT = "probe-output";
export const UNKNOWN_TOOL = "probe_nonsense";
const EXIT_CODE = 3;

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
  const run = (kind: ProbeKind, command: string): Probe[] => {
    if (!shell) return [];
    const input = inputFor(shell, { [shell.native === "exec" ? "cmd" : "command"]: command });
    return [call(kind, shell.seen.name, input)];
  };
  return [
    ...run("ok", `echo ${PROBE_OUTPUT}`),
    ...run("again", `echo ${PROBE_OUTPUT}`),
    ...run("fail", `echo ${PROBE_OUTPUT}; exit ${EXIT_CODE}`),
    ...run("silent", "true"),
    ...(read ? [call("read", read.seen.name, inputFor(read, { path: `${cwd}/${file}` }))] : []),
    call("unknown", UNKNOWN_TOOL, {}),
  ];
}

const SHELLS: ReadonlySet<string> = new Set(["shell", "exec"]);
