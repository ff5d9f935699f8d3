import { BROKEN_LINE, FIXED_LINE } from "./repository.ts";

/** One answer of the recorded model: what it thinks, says and runs, and what must come back for it to go on. */
export type Step = { thinking: string; text: string; command: string; expects: string };

export const STEPS: readonly Step[] = [
  {
    thinking:
      "The tests fail, so I need to know two things: what slug.sh does, and what test.sh expects of it.",
    text: "I'll read the tool and its tests first.",
    command: "cat slug.sh test.sh",
    expects: BROKEN_LINE,
  },
  {
    thinking: "Before I change anything I want to see the failure itself.",
    text: "Now I run the tests to see what fails.",
    command: "sh test.sh",
    expects: "1 passed, 3 failed",
  },
  {
    thinking:
      "`Hello, World!` becomes `hello--world-`: each character that is not a letter or digit gets a dash of its own, also at the end. A run of them should become one dash, and none should stay at either end.",
    text: "Every odd character turns into its own dash, so `Hello, World!` gives `hello--world-`. A run of them should become one dash, with none left at the ends.",
    command: `apply_patch <<'EOF'
*** Begin Patch
*** Update File: slug.sh
@@
-${BROKEN_LINE}
+${FIXED_LINE}
*** End Patch
EOF`,
    expects: "M slug.sh",
  },
  {
    thinking: "The edit is in. It counts only when the tests agree.",
    text: "The fix is in place. I run the tests again.",
    command: "sh test.sh",
    expects: "4 passed, 0 failed",
  },
];

export const ENDING = `Fixed: all four tests pass. The pattern in \`slug.sh\` replaced each odd character by itself; it now replaces whole runs and trims dashes at both ends.

This was a demo: the answers above are a recording, no model was asked. The commands, the edit and the tests were real and ran on this machine.

To work with a real model:
- local, with Ollama: \`interpreter exec --oss --local-provider ollama -m NAME "your task"\`
- hosted: \`export DEEPSEEK_API_KEY=...\` and \`interpreter exec -c model_provider=deepseek "your task"\`; docs/models.md lists the providers.`;

export const PLAYED =
  "The recording is at its end: it knows one task only, and no model is connected. Run `interpreter exec --oss --local-provider ollama -m NAME` for a local model, or choose a hosted one as docs/models.md shows.";

export const NO_COMMAND_TOOL =
  "The recording needs a tool that runs commands, and none was offered. I stop here.";

/** Said when a result is not the one of the recording: it could only pretend to go on. */
export function unexpected(step: Step, output: string): string {
  return `I stop here. This is a recording, not a model: after \`${firstLine(step.command)}\` it expected \`${step.expects}\`, but the result was:

${output.trim().slice(0, 600) || "(nothing)"}

If something is missing there, put that right first. \`interpreter exec --demo\` starts anew, in a folder of its own.`;
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}
