import { expect, test } from "bun:test";
import { git } from "../../src/tools/git.ts";
import { workbench } from "./files/workbench.ts";

/** The command line that would run. */
async function commandOf(input: object): Promise<string> {
  await using bench = await workbench();
  const { access } = await bench.ready(git, input);
  return access.argv?.at(-1) ?? "";
}

const COMMANDS: readonly [input: object, command: string][] = [
  [{ command: "status" }, "git --no-pager status --short --branch --"],
  [{ command: "status", path: "a b" }, "git --no-pager status --short --branch -- 'a b'"],
  [
    { command: "diff", cached: true, unified: 0, path: "$(x)" },
    "git --no-pager diff --no-color --cached '--unified=0' -- '$(x)'",
  ],
  [
    { command: "log", author: "me; rm x", since: "1 week ago", maxCount: 3 },
    "git --no-pager log --no-color --oneline --decorate '--max-count=3' '--author=me; rm x' '--since=1 week ago' --",
  ],
  [
    { command: "show", rev: "HEAD", patch: false },
    "git --no-pager show --no-color --stat --no-patch HEAD --",
  ],
  [
    { command: "show", rev: "HEAD~1", stat: false, unified: 1 },
    "git --no-pager show --no-color --patch '--unified=1' 'HEAD~1' --",
  ],
  [{ command: "blame", path: "a", startLine: 2, maxLines: 3 }, "git --no-pager blame -L '2,+3' -- a"],
];
for (const [input, command] of COMMANDS)
  test(`runs: ${command}`, async () => {
    expect(await commandOf(input)).toBe(command);
  });

test("a commit that git would take for an option is refused", async () => {
  await using bench = await workbench();
  const text = await bench.ask(git, { command: "show", rev: "--output=/etc/x" });
  expect(text).toBe('wanted a commit, found "--output=/etc/x"');
});
