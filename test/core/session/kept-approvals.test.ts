import { expect, test } from "bun:test";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "../../../src/config/load.ts";
import type { Override } from "../../../src/config/overrides.ts";
import { keepingApprover } from "../../../src/core/session/kept-approvals.ts";
import type { ApprovalDecision, ApprovalRequest } from "../../../src/protocol/approvals.ts";
import { type TempHome, tempHome } from "../../support/home.ts";

const REQUEST: ApprovalRequest = {
  id: "q",
  callId: "c",
  kind: "mcp",
  server: "my.s",
  tool: "a b",
  input: {},
};
const OWN = '# mine\n[mcp_servers."my.s"]\ncommand = "run" # it\n';

/** What was asked, what came of it, and the file afterwards. */
async function asked(
  home: TempHome,
  {
    config = OWN,
    overrides = [],
    answer = "approved_always",
    request = REQUEST,
  }: {
    config?: string;
    overrides?: Override[];
    answer?: ApprovalDecision["decision"] & ("approved" | "approved_always");
    request?: ApprovalRequest;
  } = {},
) {
  await home.write("~/config.toml", config);
  const loaded = await loadConfig({ env: home.env, cwd: home.cwd, overrides });
  const shown: ApprovalRequest[] = [];
  const approver = keepingApprover(
    {
      ask: async (one) => {
        shown.push(one);
        return { decision: answer };
      },
    },
    loaded,
  );
  const { decision } = await approver.ask(request, new AbortController().signal);
  return { shown, decision, file: await readFile(join(home.path, "config.toml"), "utf8") };
}

test("a yes for ever is written beside the server, and all else of the file stays", async () => {
  await using home = await tempHome();
  const { shown, decision, file } = await asked(home);
  expect([shown, decision]).toEqual([[{ ...REQUEST, mayKeep: true }], "approved_always"]);
  expect(file).toStartWith(OWN);
  const { values } = await loadConfig({ env: home.env, cwd: home.cwd, overrides: [] });
  expect(values.mcp_servers["my.s"]?.tools).toEqual({ "a b": { approval_mode: "approve" } });
});

test("a yes for once leaves the file alone", async () => {
  await using home = await tempHome();
  expect(await asked(home, { answer: "approved" })).toMatchObject({ decision: "approved", file: OWN });
});

const BROUGHT: Override = { path: ["mcp_servers", "my.s"], option: "the editor", set: { command: "other" } };
const PROFILE = 'profile = "p"\n[profiles.p.mcp_servers."my.s"]\ncommand = "run"\n';
test.each([
  ["one that an editor brought along under the same name", { overrides: [BROUGHT] }],
  ["one of a profile", { config: PROFILE }],
  ["one that is nowhere in the file", { config: "" }],
])("that is not offered for a server that is not the file's own: %s", async (_, options) => {
  await using home = await tempHome();
  const { shown, file } = await asked(home, { ...options, answer: "approved" });
  expect([shown, file]).toEqual([[REQUEST], "config" in options ? options.config : OWN]);
});

test("it is not offered for what is not a tool of a server", async () => {
  await using home = await tempHome();
  const request: ApprovalRequest = { id: "q", callId: "c", kind: "command", argv: ["ls"], cwd: "/" };
  expect((await asked(home, { request, answer: "approved" })).shown).toEqual([request]);
});

test("where the file can't be written, the yes is for the session", async () => {
  await using home = await tempHome();
  const file = await home.write("~/config.toml", OWN);
  const loaded = await loadConfig({ env: home.env, cwd: home.cwd, overrides: [] });
  const ask = async (): Promise<ApprovalDecision> => {
    await rm(file);
    await mkdir(file);
    return { decision: "approved_always" };
  };
  expect(await keepingApprover({ ask }, loaded).ask(REQUEST, new AbortController().signal)).toEqual({
    decision: "approved_for_session",
  });
});
