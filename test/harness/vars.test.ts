import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PromptContext, renderBody, renderPrompt, variableNames } from "../../src/harness/vars.ts";

const context: PromptContext = {
  cwd: "/w",
  shell: "zsh",
  version: "1.2.3",
  now: new Date(2026, 2, 4, 23, 59),
  model: { id: "m", contextWindow: 5000 },
  flags: { images: true },
};

test("a prompt speaks of the folder, the shell, the date, the model and the version", async () => {
  const text = await renderPrompt(
    "{{cwd}} {{shell}} {{date}} {{model}} {{contextWindow}} {{version}}",
    context,
  );
  expect(text).toBe("/w zsh 2026-03-04 m 5000 1.2.3");
});

test("the day is told in the forms that programs write it in", async () => {
  const text = "{{date}} | {{dateShort}} | {{dateNumbers}} | {{dateLong}} | {{dateFull}}";
  expect(await renderPrompt(text, context)).toBe(
    "2026-03-04 | Wed Mar 04 2026 | 3/4/2026 | March 4, 2026 | Wednesday, March 4, 2026",
  );
});

test("skills and tools that are kept back are names, empty when there are none", async () => {
  const text = "{{#skills}}{{skills}}{{/skills}}|{{deferredTools}}";
  expect(await renderPrompt(text, context)).toBe("|");
  const some = { ...context, skills: () => "- tidy: cleans", deferredTools: ["A", "B"] };
  expect(await renderPrompt(text, some)).toBe("- tidy: cleans|A\nB");
});

test("every known name has a value", async () => {
  const values = await Promise.all(variableNames().map((name) => renderPrompt(`{{${name}}}`, context)));
  expect(values.every((value) => typeof value === "string")).toBe(true);
  expect(variableNames()).toContain("unified_exec");
});

test("a prompt may ask for flags; one that nobody set is off", async () => {
  const text = "{{#images}}i{{/images}}{{^update_plan}}p{{/update_plan}}";
  expect(await renderPrompt(text, context)).toBe("ip");
});

test("a prompt knows whether it works inside a git repository", async () => {
  const root = await mkdtemp(join(tmpdir(), "vars-"));
  try {
    await mkdir(join(root, "a", ".git"), { recursive: true });
    await mkdir(join(root, "a", "b"));
    const inside = (cwd: string) => renderPrompt("{{isGitRepository}}", { ...context, cwd });
    expect([await inside(join(root, "a", "b")), await inside(root)]).toEqual(["true", "false"]);
  } finally {
    await rm(root, { recursive: true });
  }
});

test("a name that nobody knows is an error", async () => {
  await expect(renderPrompt("{{weather}}", context)).rejects.toThrow("{{weather}} is not a known name");
});

test("numbers of a request body stay numbers, and unknown ones are left out", async () => {
  const body = {
    max: "{{contextWindow}}",
    out: "{{maxOutput}}",
    text: "in {{cwd}}",
    deep: { list: ["{{images}}", 1, null] },
  };
  expect(await renderBody(body, context)).toEqual({
    max: 5000,
    text: "in /w",
    deep: { list: [true, 1, null] },
  });
});
