import type { HarnessTool } from "../../../../harness/schema.ts";
import type { BoundTools } from "../../../../harness/tools.ts";
import { textOf } from "../../../../protocol/items.ts";
import { COMMANDS, EXIT_CODE, PROBE_OUTPUT, type ProbePlace, UNKNOWN_TOOL } from "./probes.ts";
import type { BoundTool, ProbeResults } from "./types.ts";

type Result = NonNullable<HarnessTool["result"]>;

/** Why a command was refused or changed is ours to say, after what the program would say. */
const NOTE = "{{#note}}\n{{note}}{{/note}}";

/**
 * How the program words the results of commands, from what it answered. Undefined when that changes from call to call (a
 * time, an id), so that one answer tells too little.
 */
export function shellResult(
  { ok, again, fail, silent }: ProbeResults,
  place: ProbePlace,
): Pick<Result, "ok" | "error"> | undefined {
  if (!ok || !fail || !silent || ok.text !== again?.text) return undefined;
  const texts = [ok.text, fail.text, silent.text];
  if (texts.some((text) => text.includes(place.cwd) || /\d\.\d/.test(text) || text.includes("{{")))
    return undefined;
  const good = withOutput(ok.text.replace(COMMANDS.ok, "{{command}}"));
  const bad = withOutput(fail.text.replace(COMMANDS.fail, "{{command}}"));
  if (good === undefined || bad === undefined) return undefined;
  const name = good.includes("{{output}}") ? "output" : "trimmed";
  const silence = silent.text.replace(COMMANDS.silent, "{{command}}");
  return {
    ok: `{{#${name}}}${good}{{/${name}}}{{^${name}}}${silence}{{/${name}}}${NOTE}`,
    error: `${bad.replace(new RegExp(`\\b${EXIT_CODE}\\b`), "{{exitCode}}")}${NOTE}`,
  };
}

/** Would a tool of a harness of ours have said the same of these commands? Times are no reason to differ. */
export function saysTheSame(tools: BoundTools, tool: HarnessTool, results: ProbeResults): boolean {
  const runs = [
    { kind: "ok", output: `${PROBE_OUTPUT}\n`, exitCode: 0 },
    { kind: "silent", output: "", exitCode: 0 },
    { kind: "fail", output: `${PROBE_OUTPUT}\n`, exitCode: EXIT_CODE },
  ] as const;
  return runs.every(({ kind, output, exitCode }) => {
    const command = { command: COMMANDS[kind], directory: "", description: "" };
    const outcome = { output, trimmed: output.trimEnd(), exitCode, failed: exitCode !== 0, case: "ended" };
    const fields = { ...command, ...outcome, callId: "", wallTime: "0.0", wallTimeSeconds: 0 };
    const result = { ok: exitCode === 0, content: [], fields, detail: { kind: "none" } as const };
    return withoutTimes(textOf(tools.render(tool, result))) === withoutTimes(results[kind]?.text ?? "");
  });
}

function withoutTimes(text: string): string {
  return text.replace(/\d+\.\d+/g, "0.0");
}

/** With the line end where the program keeps it. */
function withOutput(text: string): string | undefined {
  if (text.includes(`${PROBE_OUTPUT}\n`) && text.endsWith("\n"))
    return text.replace(`${PROBE_OUTPUT}\n`, "{{output}}");
  return text.includes(PROBE_OUTPUT) ? text.replace(PROBE_OUTPUT, "{{trimmed}}") : undefined;
}

/** How lines of files are numbered, and what stands around them. */
export function readResult({ read }: ProbeResults): { numbers: string; result: Result } | undefined {
  const lines = read?.text.split("\n") ?? [];
  const first = lines.findIndex((line) => line.endsWith("probe line 1"));
  const last = lines.findLastIndex((line) => /probe line \d+$/.test(line));
  const prefix = lines[first]?.slice(0, -"probe line 1".length);
  if (prefix === undefined || read?.text.includes("{{")) return undefined;
  const [before, after] = [lines.slice(0, first), lines.slice(last + 1)].map((some) => some.join("\n"));
  const width = /^ *1/.exec(prefix)?.[0].length ?? 0;
  const numbers = prefix.replace(/^ *1/, width > 1 ? `{n:${width}}` : "{n}");
  const text = `${before === "" ? "" : `${before}\n`}{{text}}${after ? `\n${after}` : ""}`;
  return { numbers, result: { cases: { text } } };
}

/** What the program says of a tool that is not there. */
export function unknownToolText({ unknown }: ProbeResults): string | undefined {
  if (!unknown || unknown.text === "" || unknown.text.includes("{{")) return undefined;
  return unknown.text.replaceAll(UNKNOWN_TOOL, "{{tool}}");
}

/** Tools whose good results say that they are good. */
export function marksSuccess(results: ProbeResults, tools: readonly BoundTool[]): string[] {
  const shell = tools.find(({ native }) => native === "shell" || native === "exec");
  const read = tools.find(({ native }) => native === "read");
  return [
    ...(results.ok?.isError === false && shell ? [shell.seen.name] : []),
    ...(results.read?.isError === false && read ? [read.seen.name] : []),
  ];
}
