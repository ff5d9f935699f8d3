import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../util/errors.ts";

/** The line of slug.sh that is wrong, and what the recording replaces it with. */
export const BROKEN_LINE = `printf '%s\\n' "$*" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9]/-/g'`;
export const FIXED_LINE = `printf '%s\\n' "$*" | tr '[:upper:]' '[:lower:]' | sed -e 's/[^a-z0-9][^a-z0-9]*/-/g' -e 's/^-//' -e 's/-$//'`;

/** What the user asks for in the demo, unless there is a prompt. */
export const DEMO_PROMPT =
  "The tests of this folder fail. Find the bug in slug.sh, fix it, and run the tests again.";

const SLUG = `#!/bin/sh
# Turns a title into a name for a web address:
#   sh slug.sh "Hello, World!"   prints   hello-world
${BROKEN_LINE}
`;

const TEST = `#!/bin/sh
# Compares what slug.sh makes of some titles with what it should. Ends with 1 when one is wrong.
cd "$(dirname "$0")" || exit 2
passed=0
failed=0

check() {
  found=$(sh ./slug.sh "$1")
  if [ "$found" = "$2" ]; then
    passed=$((passed + 1))
    echo "ok      $1"
  else
    failed=$((failed + 1))
    echo "FAILED  $1: wanted '$2', found '$found'"
  fi
}

check "Release notes" "release-notes"
check "Hello, World!" "hello-world"
check "  Spaces  around  " "spaces-around"
check "Cats & Dogs: a story" "cats-dogs-a-story"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
`;

const README = `# slug

A small shell tool that turns titles into names for web addresses, and its tests: \`sh test.sh\`.
It belongs to the demo of interpreter; one of its lines is wrong on purpose.
`;

const FILES: Readonly<Record<string, string>> = { "README.md": README, "slug.sh": SLUG, "test.sh": TEST };

/** Makes the demo repository in `dir`, which must be empty or absent; commits it when git is there. */
export async function layOutDemoRepository(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  if ((await readdir(dir)).length > 0) {
    throw new AppError("config", `the demo needs an empty folder, found files in ${dir}`, {
      hint: "run it in a new folder",
    });
  }
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(dir, name), text);
  await commit(dir);
}

async function commit(dir: string): Promise<void> {
  const git = Bun.which("git");
  if (!git) return;
  // Nothing of the user's own git set-up may take part: no template, no hook, no signing.
  const quiet = ["-c", "user.name=demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgSign=false"];
  const steps = [
    ["init", "--quiet", "--template="],
    ["add", ...Object.keys(FILES)],
    [...quiet, "commit", "--quiet", "--no-verify", "-m", "slug: a tool and its tests"],
  ];
  for (const args of steps) {
    const child = Bun.spawn([git, ...args], {
      cwd: dir,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    if ((await child.exited) !== 0) return;
  }
}
