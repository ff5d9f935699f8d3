import { expect, test } from "bun:test";
import { choicesOf } from "../../../../src/frontends/tui/approval/choices.ts";
import { GUARD_MS } from "../../../../src/frontends/tui/approval/keys.ts";
import { approvalRows, fullText } from "../../../../src/frontends/tui/approval/rows.ts";
import { Approvals } from "../../../../src/frontends/tui/approvals.ts";
import type { Approval, AppState } from "../../../../src/frontends/tui/state.ts";
import { makeTheme } from "../../../../src/frontends/tui/view/theme.ts";
import type { ApprovalRequest } from "../../../../src/protocol/approvals.ts";
import { scriptOf } from "../../../../src/util/shown-command.ts";
import { AROUND, after, keys, WORKING } from "../support.ts";

const REQUEST: ApprovalRequest = {
  id: "q1",
  callId: "c1",
  kind: "command",
  argv: ["/bin/bash", "-lc", "npm install left-pad"],
  cwd: "/w",
  reason: "install a package",
  leavesSandbox: true,
};
const OPEN: Approval = { request: REQUEST, openAt: AROUND.now, stage: "choose" };

function asked(approval: Approval = OPEN): AppState {
  return { ...WORKING, approvals: [approval] };
}

function decisions(state: AppState, ...written: string[]) {
  return after(state, keys(...written)).effects.flatMap((effect) =>
    effect.do === "decide" ? [effect.decision] : [],
  );
}

test("each letter has one meaning, with its reach", () => {
  expect(choicesOf(REQUEST).map(({ key, text }) => `${key} ${text}`)).toEqual([
    "y once",
    "a this session, this exact command",
    "n no, and say what to do instead",
    "e edit the command first",
    "v full text",
  ]);
  expect(decisions(asked(), "y")).toEqual([{ decision: "approved" }]);
  expect(decisions(asked(), "a")).toEqual([{ decision: "approved_for_session" }]);
  expect(decisions(asked(), "escape")).toEqual([{ decision: "abort" }]);
});

const TOOL: ApprovalRequest = { id: "q", callId: "c", kind: "mcp", server: "s", tool: "t", input: {} };

test("a yes to a tool may be for ever where it can be kept", () => {
  const kept: ApprovalRequest = { ...TOOL, mayKeep: true };
  const [without, within] = [TOOL, kept].map((one) => choicesOf(one).map(({ key }) => key));
  expect([without, within]).toEqual([
    ["y", "a", "n", "v"],
    ["y", "a", "w", "n", "v"],
  ]);
  expect(decisions(asked({ ...OPEN, request: kept }), "w")).toEqual([{ decision: "approved_always" }]);
  expect(decisions(asked({ ...OPEN, request: TOOL }), "w")).toEqual([]);
});

test.each(["approved_for_session", "approved_always"] as const)(
  "a yes to a tool (%s) answers the calls of it that wait, whatever they are called with",
  async (decision) => {
    const approvals = new Approvals(() => {});
    const never = new AbortController().signal;
    const [one, two] = [
      approvals.ask(TOOL, never),
      approvals.ask({ ...TOOL, id: "q2", input: { a: 1 } }, never),
    ];
    approvals.decide("q", { decision });
    expect([await one, await two]).toEqual([{ decision }, { decision: "approved" }]);
  },
);

const WITH_RULE: Approval = { ...OPEN, request: { ...REQUEST, proposedRule: ["npm", "install"] } };

test("a rule is shown before it counts, can be made longer, and must be how the command begins", () => {
  expect(choicesOf(WITH_RULE.request).map(({ key, text }) => `${key} ${text}`)).toContain(
    "p this session, commands that begin with  npm install",
  );
  const { state } = after(asked(WITH_RULE), keys("p"));
  expect(state.composer.draft.text).toBe("npm install");
  const rule = (...written: string[]) => decisions(asked(WITH_RULE), "p", ...written, "enter");
  expect(rule()).toEqual([{ decision: "approved_with_rule", rule: ["npm", "install"] }]);
  expect(rule(" left-pad")).toEqual([
    { decision: "approved_with_rule", rule: ["npm", "install", "left-pad"] },
  ]);
  expect(rule(" right-pad")).toEqual([]);
  expect(rule("ctrl+w")).toEqual([]);
  expect(decisions(asked(WITH_RULE), "p", "escape")).toEqual([]);
  expect(decisions(asked(), "p")).toEqual([]);
});

test("a rule also answers the waiting questions that it covers", async () => {
  let waiting = 0;
  const approvals = new Approvals((requests) => {
    waiting = requests.length;
  });
  const command = (id: string, script: string): ApprovalRequest => ({
    id,
    callId: id,
    kind: "command",
    argv: ["/bin/bash", "-lc", script],
    cwd: "/w",
  });
  const signal = new AbortController().signal;
  const first = approvals.ask(command("1", "npm install a"), signal);
  const second = approvals.ask(command("2", "npm install b"), signal);
  void approvals.ask(command("3", "npm ci"), signal);
  approvals.decide("1", { decision: "approved_with_rule", rule: ["npm", "install"] });
  expect([(await first).decision, (await second).decision]).toEqual(["approved_with_rule", "approved"]);
  expect(waiting).toBe(1);
});

test("Enter says nothing before a choice was moved to", () => {
  expect(decisions(asked(), "enter")).toEqual([]);
  expect(decisions(asked(), "down", "enter")).toEqual([{ decision: "approved" }]);
});

test("keys right after the question came say nothing, and each makes it wait anew", () => {
  const fresh = asked({ ...OPEN, openAt: AROUND.now + GUARD_MS });
  const { state, effects } = after(fresh, keys("yes"));
  expect(effects).toEqual([]);
  const later = { ...AROUND, now: AROUND.now + GUARD_MS };
  expect(after(state, keys("y"), later).effects).toEqual([
    { do: "decide", id: "q1", decision: { decision: "approved" } },
  ]);
});

test("what is typed before the question was painted goes into the composer", () => {
  const { openAt: _, ...unseen } = OPEN;
  expect(after(asked(unseen), keys("yes")).state.composer.draft.text).toBe("yes");
});

test("n asks what to do instead; the reason goes with the refusal and the old draft comes back", () => {
  const state = after(WORKING, keys("half a draft")).state;
  const { state: end, effects } = after({ ...state, approvals: [OPEN] }, keys("n", "use yarn", "enter"));
  expect(effects).toEqual([
    {
      do: "decide",
      id: "q1",
      decision: { decision: "denied", message: "the user denied this call and says: use yarn" },
    },
  ]);
  expect(end.composer.draft.text).toBe("half a draft");
});

test("n and then Esc refuses without a word, and the turn goes on", () => {
  expect(decisions(asked(), "n", "escape")).toEqual([{ decision: "denied" }]);
});

test("e hands another command to the model, Esc goes back to the question", () => {
  const editing = after(asked(), keys("e")).state;
  expect(editing.composer.draft.text).toBe("npm install left-pad");
  expect(decisions(editing, " --dry-run", "enter")).toEqual([
    {
      decision: "denied",
      message: "the user wants another command in its place; run this one: npm install left-pad --dry-run",
    },
  ]);
  expect(after(editing, keys("escape")).state.approvals[0]?.stage).toBe("choose");
});

test("the question names the effect, the reason, the command and how many wait", () => {
  const rows = approvalRows(OPEN, 3, { width: 80, theme: makeTheme({ level: 0 }), maxRows: 20 });
  expect(rows.map((row) => Bun.stripANSI(row).trimEnd())).toEqual([
    `▲ Run outside the sandbox? (1 of 3)${" ".repeat(19)}reason: install a package`,
    "  $ npm install left-pad",
    "  y  once",
    "  a  this session, this exact command",
    "  n  no, and say what to do instead",
    "  e  edit the command first",
    "  v  full text",
  ]);
});

test("a long command is folded, and v shows all of it and of the reason in a pager", () => {
  const script = Array.from({ length: 12 }, (_, i) => `echo ${i}`).join("\n");
  const long = { ...OPEN, request: { ...REQUEST, argv: ["sh", "-c", script] } };
  const options = { width: 60, theme: makeTheme({ level: 0 }), maxRows: 40 };
  const texts = (approval: Approval) =>
    approvalRows(approval, 1, options).map((row) => Bun.stripANSI(row).trim());
  expect(texts(long)).toContain("… +6 lines · v shows all");
  expect(after(asked(long), keys("v")).effects).toEqual([{ do: "full_text", request: long.request }]);
  const [cell] = fullText({ ...long.request, reason: "why\nso" }, makeTheme({ level: 0 })).cells;
  expect(cell?.rows(60).map((row) => Bun.stripANSI(row))).toEqual([
    "Run outside the sandbox?",
    "  reason: why",
    "  so",
    "  $ echo 0",
    ...Array.from({ length: 11 }, (_, i) => `    echo ${i + 1}`),
  ]);
});

test("only a shell's script is taken out of its argv", () => {
  expect(scriptOf(["/bin/bash", "-lc", "a | b"])).toBe("a | b");
  expect(scriptOf(["git", "-c", "x=y"])).toBe("git -c x=y");
});

test("a yes for the session also answers the same question that waits, an abort of the turn answers all", async () => {
  const shown: string[][] = [];
  const approvals = new Approvals((requests) => shown.push(requests.map(({ id }) => id)));
  const turn = new AbortController();
  const first = approvals.ask(REQUEST, turn.signal);
  const same = approvals.ask({ ...REQUEST, id: "q2", callId: "c2" }, turn.signal);
  const other = approvals.ask({ ...REQUEST, id: "q3", argv: ["ls"] }, turn.signal);
  approvals.decide("q1", { decision: "approved_for_session" });
  expect(await first).toEqual({ decision: "approved_for_session" });
  expect(await same).toEqual({ decision: "approved" });
  turn.abort();
  expect(await other).toEqual({ decision: "abort" });
  expect(shown.at(-1)).toEqual([]);
});

const PLAIN = makeTheme({ level: 0 });
const LONG_SCRIPT = Array.from({ length: 9 }, (_, i) => `step ${i + 1}`).join("\n");
const LONG: Approval = { ...OPEN, request: { ...REQUEST, argv: ["/bin/bash", "-lc", LONG_SCRIPT] } };

function shown(approval: Approval, maxRows: number, width = 60): string[] {
  return approvalRows(approval, 1, { width, theme: PLAIN, maxRows }).map((row) =>
    Bun.stripANSI(row).trimEnd(),
  );
}

test("on a screen too small for all, what would happen stays in sight", () => {
  expect(shown(LONG, 8).slice(0, 4)).toEqual([
    "▲ Run outside the sandbox?        reason: install a package",
    "  $ step 1",
    "    … +8 lines · v shows all",
    "  y  once",
  ]);
  expect(shown(LONG, 4)).toEqual([
    "▲ Run outside the sandbox?        reason: install a package",
    "  $ step 1",
    "    … +8 lines · v shows all",
    "  y a n e v  up and down show what they mean",
  ]);
  expect(shown({ ...LONG, selected: 2 }, 3)).toEqual([
    "▲ Run outside the sandbox?        reason: install a package",
    "  $ step 1                                       … +8 lines",
    "› n  no, and say what to do instead",
  ]);
  for (let rows = 3; rows < 30; rows++) {
    for (const width of [20, 60]) expect(shown(LONG, rows, width).length).toBeLessThanOrEqual(rows);
  }
});
