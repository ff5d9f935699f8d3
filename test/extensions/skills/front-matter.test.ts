import { expect, test } from "bun:test";
import { readFrontMatter, splitSkill } from "../../../src/extensions/skills/front-matter.ts";

const head = (yaml: string) => readFrontMatter(`---\n${yaml}\n---\nDo it.\n`);

test("name and description are read, with blanks and line ends made one", async () => {
  expect(await head("name: tidy\ndescription: >-\n  Cleans up\n  the   house.")).toEqual({
    name: "tidy",
    description: "Cleans up the house.",
  });
});

test("a short description for people is kept beside the other", async () => {
  expect(await head("description: long\nmetadata:\n  short-description: short")).toEqual({
    description: "long",
    short: "short",
  });
});

test("a value with a colon in it is understood although it is not YAML", async () => {
  expect(await head("name: tidy\ndescription: Use this: it helps")).toEqual({
    name: "tidy",
    description: "Use this: it helps",
  });
});

test("what is wrong with a head is said", async () => {
  const problem = async (text: string) => {
    const read = await readFrontMatter(text);
    return "problem" in read ? read.problem : read;
  };
  expect(await problem("# Tidy\n")).toBe("it must begin with YAML between two lines of ---");
  expect(await problem("---\nname: tidy\n---\n")).toBe("its head has no description");
  expect(await problem("---\n- one\n---\n")).toBe("its head must be YAML with a name and a description");
  expect(await problem(`---\nname: ${"x".repeat(65)}\ndescription: y\n---\n`)).toBe(
    "its name is longer than 64 characters",
  );
});

test("the instructions are what follows the head, whatever its line ends are", () => {
  expect(splitSkill("\uFEFF---\r\nname: a\r\n---\r\n\r\nDo it.\r\n")).toEqual({
    head: "name: a\r\n",
    body: "Do it.",
  });
  expect(splitSkill("---\n---\nDo it.")).toEqual({ head: "", body: "Do it." });
  expect(splitSkill("Do it.\n---\n")).toEqual({ head: undefined, body: "Do it.\n---" });
});
