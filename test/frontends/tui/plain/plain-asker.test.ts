import { expect, test } from "bun:test";
import { askApproval } from "../../../../src/frontends/tui/plain/plain-approvals.ts";
import { PlainAsker } from "../../../../src/frontends/tui/plain/plain-asker.ts";
import type { ApprovalRequest } from "../../../../src/protocol/approvals.ts";

/** An asker whose questions get these lines, one each; undefined is Ctrl+C. */
function askerWith(...lines: (string | undefined)[]) {
  const seen = { written: "", echo: [] as boolean[] };
  const asker: PlainAsker = new PlainAsker({
    write: (text) => {
      seen.written += text;
    },
    setEcho: (isOn) => seen.echo.push(isOn),
    onOpen: () =>
      queueMicrotask(() => {
        const line = lines.shift();
        if (line === undefined) asker.cancel();
        else asker.take(line);
      }),
  });
  return { asker, seen };
}

const FRUIT = ["apple", "banana"].map((name) => ({ value: name, label: name }));

test("choices are numbered lines, and a number takes one", async () => {
  const { asker, seen } = askerWith("2");
  expect(await asker.choose({ message: "Fruit", choices: FRUIT })).toBe("banana");
  expect(seen.written).toBe("needs answer: Fruit\n  1. apple\n  2. banana\nanswer with a number: ");
});

test("what is not a choice is said, and asked again", async () => {
  const { asker, seen } = askerWith("7", "", "ban", "Banana");
  expect(await asker.choose({ message: "Fruit", choices: FRUIT })).toBe("banana");
  expect(seen.written.match(/There is no choice "(\w*)"\. Type a number from 1 to 2\.\n/g)).toHaveLength(3);
});

test("several choices are taken by their numbers, and Enter alone takes none", async () => {
  const { asker, seen } = askerWith("2, 1", "", "1 5", "2", undefined);
  const many = () => asker.chooseMany({ message: "Fruit", choices: FRUIT });
  expect(await many()).toEqual(["banana", "apple"]);
  expect(await many()).toEqual([]);
  expect(await many()).toEqual(["banana"]);
  expect(seen.written).toContain('"1 5" names no choices. Type numbers from 1 to 2.\n');
  expect(await many()).toBeUndefined();
});

test("Enter takes the choice that is named for it, and Ctrl+C puts the question aside", async () => {
  const { asker } = askerWith("", undefined);
  expect(await asker.choose({ message: "Fruit", choices: FRUIT, initial: 1 })).toBe("banana");
  expect(await asker.choose({ message: "Fruit", choices: FRUIT })).toBeUndefined();
});

test("a confirmation means no when only Enter is pressed", async () => {
  const { asker } = askerWith("", "2");
  expect([await asker.confirm({ message: "Sure?" }), await asker.confirm({ message: "Sure?" })]).toEqual([
    false,
    true,
  ]);
});

test("the echo of the terminal is off while a secret is typed, also when it is put aside", async () => {
  const { asker, seen } = askerWith("sk-1", undefined);
  expect(await asker.secret({ message: "Key" })).toBe("sk-1");
  expect(await asker.secret({ message: "Key" })).toBeUndefined();
  expect(seen.echo).toEqual([false, true, false, true]);
});

test("of a long task each step and each tenth is one line", async () => {
  const { asker, seen } = askerWith();
  await asker.work({
    title: "pull tiny",
    run: async (report) => {
      report("pulling manifest");
      report("pulling manifest");
      for (let mb = 0; mb <= 1000; mb += 10) report(`${mb}.0 MB of 1.0 GB, 5 MB/s`);
    },
  });
  expect(seen.written.split("\n").map((line) => line.replace(/,.*/, ""))).toEqual([
    "running: pull tiny",
    "  pulling manifest",
    ...Array.from({ length: 11 }, (_, i) => `  ${i * 100}.0 MB of 1.0 GB`),
    "done: pull tiny",
    "",
  ]);
});

test("after the end of the input no question waits", async () => {
  const { asker } = askerWith();
  asker.close();
  expect(await asker.text({ message: "Name" })).toBeUndefined();
});

const request: ApprovalRequest = {
  id: "1",
  callId: "c",
  kind: "command",
  argv: ["/bin/bash", "-lc", "npm install\nleft-pad"],
  cwd: "/w",
  reason: "install a package",
};

test("an approval names the command and the reach of each answer; Enter alone answers nothing", async () => {
  const { asker, seen } = askerWith("", "2");
  expect(await askApproval(asker, request)).toEqual({ decision: "approved_for_session" });
  const lines = seen.written.split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "reason: install a package",
    "  $ npm install",
    "    left-pad",
    "needs answer: Run this command?",
  ]);
  expect(lines[5]).toBe("  2. this session, this exact command (a)");
});

test("a rule is what was offered, or longer; anything else is asked for again", async () => {
  const argv = ["/bin/bash", "-lc", "npm install left-pad"];
  const ruled: ApprovalRequest = { ...request, argv, proposedRule: ["npm", "install"] };
  const rule = { decision: "approved_with_rule" as const, rule: ["npm", "install"] };
  expect(await askApproval(askerWith("p", "").asker, ruled)).toEqual(rule);
  expect(await askApproval(askerWith("p", "npm", "npm install").asker, ruled)).toEqual(rule);
});

test("a refusal takes what to do instead; Ctrl+C refuses and stops the turn", async () => {
  expect(await askApproval(askerWith("n", "use bun").asker, request)).toEqual({
    decision: "denied",
    message: "the user denied this call and says: use bun",
  });
  expect(await askApproval(askerWith("n", "").asker, request)).toEqual({ decision: "denied" });
  expect(await askApproval(askerWith(undefined).asker, request)).toEqual({ decision: "abort" });
});
