import { expect, setDefaultTimeout, test } from "bun:test";
import { bodyOf, exec, useServer } from "../support/exec.ts";
import { answers, calls, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { type Asked, brokenPrefix, play, results, rolesOf } from "./session.ts";

setDefaultTimeout(120_000);

const block = (command: string) => says(`I think.\n\n\`\`\`\n${command}\n\`\`\``);
const typed = (fields: object) => says(JSON.stringify({ analysis: "a", plan: "p", ...fields }));
const keys = (keystrokes: string, duration = 10) => ({ keystrokes, duration });

/** What the model was told after its first answer. */
function told({ messages }: Asked): unknown[] {
  const all = messages.at(-1) ?? [];
  const first = all.findIndex(({ role }) => role === "assistant");
  return all.slice(first).flatMap(({ role, content }) => (role === "user" ? [content] : []));
}

test("mini-swe-agent: results are JSON, and a submission ends the turn", async () => {
  await using home = await tempHome();
  const asked = await play(home, "mini-swe-agent", [
    calls("bash", { command: "echo hello; echo warn >&2" }),
    calls("bash", { command: "echo '\"out\"'; exit 3" }),
    calls("bash", { command: "head -c 12000 /dev/zero | tr '\\0' x" }),
    answers(
      { type: "call", name: "bash", input: { command: "sleep 0.3; touch first" } },
      { type: "call", name: "bash", input: { command: "ls" } },
    ),
    says("I am done."),
    calls("bash", { cmd: "ls" }),
    calls("bash", { command: "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" }),
    says("never asked for"),
  ]);
  expect(asked.messages).toHaveLength(7);
  expect(results(asked)).toEqual([
    '{\n  "returncode": 0,\n  "output": "hello\\nwarn\\n"\n}',
    '{\n  "returncode": 3,\n  "output": "\\"out\\"\\n"\n}',
    `{\n  "returncode": 0,\n  "output_head": "${"x".repeat(5000)}",\n  "output_tail": "${"x".repeat(5000)}",\n  "elided_chars": 2000,\n  "warning": "The output is too long to be shown as a whole; write it to a file and look at parts, or narrow the command."\n}`,
    '{\n  "returncode": 0,\n  "output": ""\n}',
    // The second command waited for the end of the first.
    '{\n  "returncode": 0,\n  "output": "first\\n"\n}',
    expect.stringMatching(/^<error>\n[\s\S]+\n<\/error>$/),
  ]);
  expect(told(asked)).toEqual([expect.stringMatching(/^<error>\n[^\n]+no call[\s\S]+<\/error>$/)]);
  expect(asked.messages[0]?.[1]?.content).toMatch(/^This is the task:\ngo\n[\s\S]+<\/example_response>$/);
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("a model that makes no calls whatever it is told is let go", async () => {
  await using home = await tempHome();
  const asked = await play(home, "mini-swe-agent", ["one", "two", "three", "four"].map(says));
  expect(asked.messages).toHaveLength(4);
});

test("swe-agent: commands stand in the text, and results are words of the user", async () => {
  await using home = await tempHome();
  await home.write("a.txt", "alpha\nbeta\n");
  const asked = await play(home, "swe-agent", [
    block("echo hello; echo warn >&2"),
    block("true"),
    block("echo out; exit 3"),
    block("str_replace_editor view a.txt --view_range 2 2"),
    block("str_replace_editor str_replace a.txt --old_str 'beta\n' --new_str 'it'\\''s\n'"),
    block("str_replace_editor str_replace a.txt --old_str 'none' --new_str 'x'"),
    block('str_replace_editor create b/c.txt --file_text "one\ntwo"'),
    block("str_replace_editor undo_edit a.txt"),
    says("Only words."),
    says("<execute_bash>\necho a &amp;&amp; cat a.txt\n</execute_bash>"),
    block("submit"),
    block("submit"),
  ]);
  const [hello, ...others] = told(asked);
  expect(hello).toBe("OBSERVATION:\nhello\nwarn\n");
  expect(others).toEqual([
    "The command ran and wrote nothing.",
    "OBSERVATION:\nout\n\n(exit code 3)",
    `OBSERVATION:\n${home.cwd}/a.txt, lines 2 to 2 of 2:\n     2\tbeta`,
    expect.stringContaining("it's"),
    expect.stringMatching(/^OBSERVATION:\nthe text to replace was not found/),
    `OBSERVATION:\nThe file ${home.cwd}/b/c.txt has been made.`,
    expect.stringContaining("no command undo_edit"),
    expect.stringContaining("no command of the right form"),
    "OBSERVATION:\na\nalpha\nit's\n",
    expect.stringMatching(/^OBSERVATION:\nThe changes can't be listed[\s\S]+<diff>\n<\/diff>$/),
  ]);
  expect(await Bun.file(`${home.cwd}/b/c.txt`).text()).toBe("one\ntwo");
  expect(asked.tools.flat()).toEqual([]);
  expect(rolesOf(asked).slice(0, 4)).toEqual(["system", "user", "assistant", "user"]);
  expect(asked.messages[0]?.[1]?.content).toMatch(
    /^<uploaded_files>\n[\s\S]+<pr_description>\ngo\n<\/pr_description>/,
  );
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("terminus-2: keys go into one terminal, and the task is complete when that was said twice", async () => {
  await using home = await tempHome();
  await home.write("src/a.txt", "alpha\n");
  const asked = await play(home, "terminus-2", [
    typed({ commands: [keys("cd src\n"), keys("WORD=plum\n")] }),
    typed({ commands: [keys('echo "[$WORD]"; cat a.txt\n')] }),
    says("no object"),
    typed({ commands: [{ duration: 1 }] }),
    says(
      `Well: ${JSON.stringify({ analysis: "a", plan: "p", commands: [keys("cat\n", 0.3), keys("C-c")] })}`,
    ),
    typed({ commands: [], task_complete: true }),
    typed({ commands: [keys("ls\n")], task_complete: false }),
    typed({ commands: [], task_complete: true }),
    typed({ commands: [], task_complete: true }),
  ]);
  const prompt = (folder: string) => `${home.cwd}${folder}\\$? ?[$#] `;
  expect(told(asked)).toEqual([
    expect.stringMatching(/^The terminal is new\.\nThe terminal shows:\n[\s\S]*cd src\n[\s\S]*WORD=plum\n/),
    expect.stringMatching(new RegExp(`\\n\\[plum\\]\\nalpha\\n${prompt("/src")}$`)),
    expect.stringMatching(/^Previous response could not be used:\n- there is no JSON object in it\n/),
    expect.stringContaining("each command needs keystrokes"),
    expect.stringMatching(/^Warning: [^\n]+\n\nThe terminal shows:\n[\s\S]+\^C\n/),
    expect.stringContaining("You say that the task is complete."),
    expect.stringContaining("a.txt"),
    expect.stringContaining("You say that the task is complete."),
  ]);
  expect(rolesOf(asked).slice(0, 3)).toEqual(["user", "assistant", "user"]);
  expect(String(asked.messages[0]?.[0]?.content)).toMatch(/Task:\ngo\n\nThe terminal shows:\n\S+\$$/);
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("what stands around the first message stays there when the session goes on, and is not in its record", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([
    block("echo hi"),
    block("submit"),
    block("submit"),
    block("submit"),
    block("submit"),
  ]);
  await useServer(home, server, { wire: "chat", more: 'harness = "swe-agent"' });
  const open = "--dangerously-bypass-approvals-and-sandbox";
  await exec(home, [open, "go"]);
  await exec(home, [open, "resume", "--last", "more"]);
  const [first, last] = [0, 3].map((at) => bodyOf(server, at)["messages"]);
  const earlier = Array.isArray(first) ? first : [];
  expect(Array.isArray(last) ? last.slice(0, earlier.length) : []).toEqual(earlier);
  expect(JSON.stringify(last)).toContain('"content":"more"');
});
