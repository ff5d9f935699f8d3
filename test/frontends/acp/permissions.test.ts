import { expect, test } from "bun:test";
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk/unstable";
import { approverOf } from "../../../src/frontends/acp/permissions.ts";
import type { ApprovalRequest } from "../../../src/protocol/approvals.ts";

const REQUEST: ApprovalRequest = {
  id: "a1",
  callId: "c1",
  kind: "command",
  argv: ["bash", "-lc", "make"],
  cwd: "/w",
};

async function decide(
  answer: (question: RequestPermissionRequest) => Promise<RequestPermissionResponse>,
  request = REQUEST,
) {
  const { signal } = new AbortController();
  const refused: string[] = [];
  const calls = {
    asked: () => ({ toolCallId: "c1" }),
    refused: (callId: string) => void refused.push(callId),
  };
  const decision = await approverOf({ permission: answer }, { sessionId: "s1", calls }).ask(request, signal);
  return { decision, refused };
}

const choose = (optionId: string) => () =>
  Promise.resolve({ outcome: { outcome: "selected" as const, optionId } });

test("each answer of the person is the decision that it names", async () => {
  expect(await decide(choose("allow_once"))).toEqual({ decision: { decision: "approved" }, refused: [] });
  expect(await decide(choose("allow_always"))).toEqual({
    decision: { decision: "approved_for_session" },
    refused: [],
  });
  expect(await decide(choose("reject_once"))).toEqual({ decision: { decision: "denied" }, refused: ["c1"] });
  expect(await decide(choose("something else"))).toMatchObject({ decision: { decision: "denied" } });
});

test("a question that is taken back stops the turn", async () => {
  const cancelled = () => Promise.resolve({ outcome: { outcome: "cancelled" as const } });
  expect(await decide(cancelled)).toEqual({ decision: { decision: "abort" }, refused: ["c1"] });
});

test("a client that can't ask refuses the call with its reason, not the turn", async () => {
  const fails = () => Promise.reject(new Error("no such method"));
  expect(await decide(fails)).toEqual({
    decision: {
      decision: "denied",
      message: "the user could not be asked, so the call was refused: no such method",
    },
    refused: ["c1"],
  });
});

test("where commands that begin alike may be allowed, that is offered, and it means these beginnings", async () => {
  const offered: string[] = [];
  const answer = ({ options }: RequestPermissionRequest) => {
    offered.push(...options.map(({ name, kind }) => `${kind}: ${name}`));
    return choose("allow_alike")();
  };
  const { decision } = await decide(answer, { ...REQUEST, proposedRule: ["npm", "test"] });
  expect(decision).toEqual({ decision: "approved_with_rule", rule: ["npm", "test"] });
  expect(offered).toEqual([
    "allow_once: Allow once",
    "allow_always: Allow this exact command for this session",
    "allow_always: Allow commands that begin with npm test for this session",
    "reject_once: Reject, and go on without it",
  ]);
  expect((await decide(choose("allow_alike"))).decision).toEqual({ decision: "denied" });
});
