import { realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { z } from "zod";
import { AppError } from "../../util/errors.ts";
import { repositoryRoot } from "../../util/git.ts";
import { CLOSED_FOLDERS } from "../../util/walk.ts";
import type { RunContext } from "../types.ts";
import { isWithin } from "./denied.ts";
import { type GrepEngine, type GrepLine, type GrepQuery, MAX_SEARCHED_BYTES } from "./grep-query.ts";

const Text = z.union([
  z.looseObject({ text: z.string() }).transform(({ text }) => text),
  z
    .looseObject({ bytes: z.string() })
    .transform(({ bytes }) => Buffer.from(bytes, "base64").toString("utf8")),
]);
const Message = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("begin"), data: z.looseObject({ path: Text }) }),
  z.looseObject({ type: z.literal("end") }),
  z.looseObject({ type: z.literal("summary") }),
  z.looseObject({ type: z.literal("match"), data: z.looseObject({ lines: Text, line_number: z.number() }) }),
  z.looseObject({
    type: z.literal("context"),
    data: z.looseObject({ lines: Text, line_number: z.number() }),
  }),
]);

/**
 * The ripgrep on PATH that may be started outside the sandbox: not one that the work itself could have put there, in the
 * working folder or in a folder that commands may write to.
 */
export async function findRipgrep({
  env: { PATH = "" },
  cwd,
  policy,
}: RunContext): Promise<string | undefined> {
  const writable = policy.mode === "restricted" ? [cwd, ...policy.write] : [];
  for (const folder of PATH.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const program = await realpath(join(folder, "rg")).catch(() => undefined);
    if (program === undefined || writable.some((root) => isWithin(program, root))) continue;
    const stats = await stat(program);
    if (stats.isFile() && (stats.mode & 0o111) !== 0) return program;
  }
  return undefined;
}

/** Searches by `program`; ends it as soon as nobody wants more hits. */
export function ripgrep(program: string, env: Readonly<Record<string, string>>): GrepEngine {
  return async function* (query, signal) {
    const child = Bun.spawn([program, ...(await argumentsFor(query))], {
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      signal,
    });
    const complaint = new Response(child.stderr).text();
    try {
      let path = "";
      let lines: GrepLine[] = [];
      for await (const line of linesFrom(child.stdout)) {
        const message = Message.parse(JSON.parse(line));
        if (message.type === "begin") path = message.data.path;
        if (message.type === "match" || message.type === "context")
          lines.push(...linesOf(message.data.lines, message.data.line_number, message.type === "match"));
        if (message.type !== "end") continue;
        if (query.accepts(path)) yield { path, lines };
        lines = [];
      }
      // 2: some error, which may be an unreadable file; a pattern that can't be read has no output at all.
      if (
        (await child.exited) === 2 &&
        /regex (parse )?error|error parsing|regex could not/i.test(await complaint)
      )
        throw new AppError(
          "tool.input",
          `the pattern is not a regular expression: ${(await complaint).trim()}`,
        );
    } finally {
      child.kill();
    }
  };
}

async function argumentsFor({
  pattern,
  literal,
  ignoreCase,
  multiline,
  before,
  after,
  root,
  includeIgnored,
}: GrepQuery): Promise<string[]> {
  const inRepository = repositoryRoot(root) !== undefined;
  return [
    "--json",
    "--sort=path",
    "--no-config",
    "--no-messages",
    "--hidden",
    "--crlf",
    "--no-ignore-global",
    "--no-ignore-exclude",
    ...(includeIgnored ? ["--no-ignore"] : []),
    ...(inRepository ? [] : ["--no-require-git", "--no-ignore-parent"]),
    ...CLOSED_FOLDERS.map((name) => `--glob=!${name}/`),
    `--max-filesize=${MAX_SEARCHED_BYTES}`,
    `--before-context=${before}`,
    `--after-context=${after}`,
    ...(literal ? ["--fixed-strings"] : []),
    ...(ignoreCase ? ["--ignore-case"] : []),
    ...(multiline ? ["--multiline", "--multiline-dotall"] : []),
    `--regexp=${pattern}`,
    "--",
    root,
  ];
}

function linesOf(text: string, number: number, matches: boolean): GrepLine[] {
  return text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((line, i) => ({ number: number + i, text: line, matches }));
}

async function* linesFrom(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield line;
  }
}
