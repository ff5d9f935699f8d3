import { expect, test } from "bun:test";
import { childEnvironment } from "../../../src/tools/shell/env.ts";

const base = { policy: {}, secrets: [], sessionId: "s-1", networkOff: false };
const fixed = {
  NO_COLOR: "1",
  TERM: "dumb",
  COLORTERM: "",
  LANG: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  LC_CTYPE: "C.UTF-8",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  CODEX_CI: "1",
  CODEX_THREAD_ID: "s-1",
  CODEX_SESSION_ID: "s-1",
  INTERPRETER_SESSION_ID: "s-1",
};

test("a command inherits everything and is told that nobody watches", () => {
  const parent = { PATH: "/bin", TERM: "xterm", MY_TOKEN: "t", GONE: undefined };
  expect(childEnvironment({ ...base, parent })).toEqual({ PATH: "/bin", MY_TOKEN: "t", ...fixed });
});

test("a command without network can know it", () => {
  expect(childEnvironment({ ...base, parent: {}, networkOff: true })).toEqual({
    ...fixed,
    CODEX_SANDBOX_NETWORK_DISABLED: "1",
  });
});

test("a provider key is removed by name and wherever its value stands, even if the policy sets it", () => {
  const env = childEnvironment({
    ...base,
    parent: {
      API_KEY: "sk-12345678",
      COPY: "sk-12345678",
      HEADER: "Bearer sk-12345678",
      ADDRESS: "https://me:sk-12345678@example.com/",
      OTHER: "sk-1",
      USER: "ollama",
      SHORT: "ollama",
    },
    policy: { set: { AGAIN: "sk-12345678" } },
    secrets: ["API_KEY", "SHORT"],
  });
  expect(env).toEqual({ OTHER: "sk-1", USER: "ollama", ...fixed });
});

test("the policy inherits, excludes, sets and includes in this order", () => {
  const parent = { PATH: "/bin", HOME: "/h", AWS_ID: "1", Git_Secret: "2", KEEP_A: "a", DROP_B: "b" };
  expect(childEnvironment({ ...base, parent, policy: { inherit: "core" } })).toEqual({
    PATH: "/bin",
    HOME: "/h",
    ...fixed,
  });
  expect(childEnvironment({ ...base, parent, policy: { inherit: "none", set: { X: "1" } } })).toEqual({
    X: "1",
    ...fixed,
  });
  expect(
    childEnvironment({
      ...base,
      parent,
      policy: {
        ignore_default_excludes: false,
        exclude: ["aws_*", "drop_?"],
        set: { DROP_B: "set", Z: "z" },
        include_only: ["*A*", "DROP*"],
      },
    }),
  ).toEqual({ PATH: "/bin", KEEP_A: "a", DROP_B: "set", ...fixed });
});
