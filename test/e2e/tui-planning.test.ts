import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { calls, says } from "../support/fake-server.ts";
import { openTalk, type Talk } from "./talk.ts";

setDefaultTimeout(120_000);

const SHIFT_TAB = "\u001b[Z";
const REST_MS = 350;
const PATCH = "*** Begin Patch\n*** Add File: made.txt\n+x\n*** End Patch\n";
const PLAN = says("I looked.\n\n<proposed_plan>\n1. write made.txt\n</proposed_plan>");

function body({ server }: Talk, index: number): string {
  return JSON.stringify(server.requests[index]?.body);
}

test("while planning, commands and patches change nothing; a plan that is agreed to is carried out", async () => {
  const writes = calls("exec_command", { cmd: "touch by-command" });
  const patches = calls("exec_command", { cmd: `apply_patch <<'EOF'\n${PATCH}EOF` });
  await using one = await openTalk([writes, patches, PLAN, patches, says("ALL-DONE")]);
  one.tui.type(SHIFT_TAB);
  await one.tui.until("plan mode: nothing is changed");
  one.tui.type("make it\r");
  await one.tui.until(/^ +plan mode · fake-1/m);
  await one.tui.until("Carry out this plan?");
  expect(body(one, 0).match(/<plan_mode>/g)).toHaveLength(1);
  expect(body(one, 2)).toContain("nothing is changed while you plan");
  expect(existsSync(join(one.home.cwd, "by-command"))).toBe(false);
  expect(one.tui.history).toContain("Proposed plan");
  expect(one.tui.history).not.toContain("proposed_plan>");
  await Bun.sleep(REST_MS);
  one.tui.type("1");
  await one.tui.until("ALL-DONE");
  expect(body(one, 3)).toMatch(/Carry out the plan\.[\s\S]*Planning is over/);
  expect(existsSync(join(one.home.cwd, "made.txt"))).toBe(true);
  expect(one.tui.screen).not.toContain("plan mode");
});

test("a plan can be carried out in a conversation that knows only the plan", async () => {
  await using one = await openTalk([PLAN, says("ALL-DONE")]);
  one.tui.type("/plan make it\r");
  await one.tui.until("Carry out this plan?");
  await Bun.sleep(REST_MS);
  one.tui.type("2");
  await one.tui.until("ALL-DONE");
  expect(body(one, 1)).toContain("Carry out this plan:\\n\\n1. write made.txt");
  expect(body(one, 1)).not.toContain("plan_mode");
});

test("what is said against a plan goes back to the model, which goes on planning", async () => {
  await using one = await openTalk([PLAN, says("thinking again")]);
  one.tui.type(SHIFT_TAB);
  await one.tui.until("plan mode");
  one.tui.type("make it\r");
  await one.tui.until("Carry out this plan?");
  await Bun.sleep(REST_MS);
  one.tui.type("4");
  await one.tui.until("In your own words");
  one.tui.type("use another name\r");
  await one.tui.until("thinking again");
  expect(body(one, 1)).toContain("use another name");
  await one.tui.until(/plan mode · fake-1/);
});

test("planning stays with a conversation that goes on under another model, and ends with Shift+Tab", async () => {
  await using one = await openTalk([says("first answer"), says("second answer"), says("third answer")]);
  one.tui.type(SHIFT_TAB);
  await one.tui.until("plan mode");
  one.tui.type("look\r");
  await one.tui.until("first answer");
  await one.tui.until(/^› Ask/m);
  one.tui.type("/model other-1\r");
  await one.tui.until(/plan mode · other-1/);
  one.tui.type("look again\r");
  await one.tui.until("second answer");
  expect(body(one, 1).match(/<plan_mode>/g)).toHaveLength(1);
  await one.tui.until(/^› Ask/m);
  one.tui.type(SHIFT_TAB);
  await one.tui.until("plan mode is off");
  one.tui.type("do it\r");
  await one.tui.until("third answer");
  expect(body(one, 2)).toContain("Planning is over");
});

test("in lines, /plan switches planning on, and a plan is asked about by number", async () => {
  await using one = await openTalk([PLAN, says("ALL-DONE")], { env: { TERM: "dumb" } });
  one.tui.type("/plan make it\n");
  await one.tui.until("answer with a number, Enter for 1:");
  expect(one.tui.screen).toContain("Proposed plan:\n1. write made.txt");
  one.tui.type("1\n");
  await one.tui.until("ALL-DONE");
  expect(body(one, 1)).toContain("Carry out the plan.");
});
