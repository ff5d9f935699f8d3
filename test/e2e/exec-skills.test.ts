import { expect, setDefaultTimeout, test } from "bun:test";
import { asObject, bodyOf, dialogue, exec, listIn, useServer } from "../support/exec.ts";
import { calls, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const SKILL = "---\nname: tidy\ndescription: Cleans the house.\n---\nSweep first.\n";

const NO_BUNDLED = "skills.bundled.enabled = false";

function trust(home: TempHome): string {
  return `projects = { ${JSON.stringify(home.cwd)} = { trust_level = "trusted" } }`;
}

test("the model is told of the skills that there are, and of none when there are none", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done"), says("done")]);
  await useServer(home, server, { more: NO_BUNDLED });
  await exec(home, ["go"]);
  expect(dialogue(bodyOf(server, 0)).filter((line) => line.includes("<skills>"))).toEqual([]);
  const path = await home.write("~/skills/tidy/SKILL.md", SKILL);
  await exec(home, ["go"]);
  const [told = ""] = dialogue(bodyOf(server, 1)).filter((line) => line.includes("<skills>"));
  expect(told).toStartWith("developer: <skills>\n");
  expect(told).toContain(`\n- tidy: Cleans the house. (${path})\n`);
});

test("a project's skills count once it is trusted", async () => {
  await using home = await tempHome();
  await home.write(".agents/skills/tidy/SKILL.md", SKILL);
  await using server = startFakeServer([says("done"), says("done")]);
  await useServer(home, server);
  const { events } = await exec(home, ["go"]);
  expect(JSON.stringify(events)).toContain("the skills of this project were not read");
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain("Cleans the house.");
  await useServer(home, server, { more: trust(home) });
  await exec(home, ["go"]);
  expect(JSON.stringify(server.requests[1]?.body)).toContain("Cleans the house.");
});

test("a skill that the user names with a dollar sign is read out to the model", async () => {
  await using home = await tempHome();
  const path = await home.write("~/skills/tidy/SKILL.md", SKILL);
  await using server = startFakeServer([says("done")]);
  await useServer(home, server);
  await exec(home, ["use $tidy now"]);
  expect(dialogue(bodyOf(server, 0)).slice(-2)).toEqual([
    "user: use $tidy now",
    `user: <skill name="tidy" path="${path}">\n${SKILL}</skill>`,
  ]);
});

for (const harness of ["claude-code", "zcode"])
  test(`${harness}: skills are listed after the prompt and loaded with Skill`, async () => {
    await using home = await tempHome();
    await home.write("~/skills/tidy/SKILL.md", SKILL);
    await using server = startFakeServer([calls("Skill", { skill: "tidy", args: "the hall" }), says("done")]);
    await useServer(home, server, { wire: "messages", more: `harness = "${harness}"` });
    await exec(home, ["--dangerously-bypass-approvals-and-sandbox", "go"]);
    const [, told, , result] = listIn(bodyOf(server, 1), "messages").map((one) =>
      JSON.stringify(asObject(one)),
    );
    expect(told).toContain("- tidy: Cleans the house.");
    expect(result).toContain("Sweep first.\\n\\nthe hall");
  });

test("our own skills come last in the list, and can be read by a command in the sandbox", async () => {
  await using home = await tempHome();
  await home.write("~/skills/tidy/SKILL.md", SKILL);
  await using server = startFakeServer([
    calls("exec_command", { cmd: `cat ${home.path}/skills/.system/*/qa/references/web.md` }),
    says("done"),
  ]);
  await useServer(home, server);
  const { events } = await exec(home, ["test the page"]);
  const told = dialogue(bodyOf(server, 0)).find((line) => line.includes("<skills>")) ?? "";
  const named = told.split("\n").flatMap((line) => /^- ([\w-]+):/.exec(line)?.[1] ?? []);
  expect(named).toEqual(["tidy", "qa", "skill-creator", "harness-author"]);
  expect(JSON.stringify(events)).toContain("# Driving a web page");
});

test("a small window is not told of our own skills, and can still be given one by name", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done"), says("done")]);
  await useServer(home, server, { more: "model_context_window = 16000" });
  await exec(home, ["go"]);
  await exec(home, ["use $qa here"]);
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain("<skills>");
  expect(dialogue(bodyOf(server, 1)).at(-1)).toContain('user: <skill name="qa" path="');
});

test("a variable of the shell is not a mention, and a link names the skill at its path", async () => {
  await using home = await tempHome();
  await home.write("~/skills/HOME/SKILL.md", SKILL.replace("tidy", "HOME"));
  const path = await home.write("~/skills/tidy/SKILL.md", SKILL);
  await using server = startFakeServer([says("done"), says("done")]);
  await useServer(home, server);
  await exec(home, ["print $HOME"]);
  await exec(home, [`use [$clean](${path})`]);
  expect(dialogue(bodyOf(server, 0)).at(-1)).toBe("user: print $HOME");
  expect(dialogue(bodyOf(server, 1)).at(-1)).toContain('<skill name="tidy"');
});
