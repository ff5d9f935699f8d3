import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keySource } from "../../src/providers/credentials.ts";
import type { KeyCommand } from "../../src/providers/settings.ts";
import { toErrorInfo } from "../../src/util/errors.ts";

const never = new AbortController().signal;
const env = { ...process.env };

async function tempFolder() {
  const path = await mkdtemp(join(tmpdir(), "credentials-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** A program that prints `key-N`, N growing with each run. */
async function counter(folder: string): Promise<KeyCommand> {
  await writeFile(join(folder, "key.sh"), "echo x >> runs; echo \" key-$(wc -l < runs | tr -d ' ') \"\n");
  return { command: "sh", args: ["key.sh"], cwd: folder };
}

async function failure(auth: KeyCommand, signal = never) {
  const { code, message } = toErrorInfo(
    await keySource(
      { auth },
      env,
    )(signal).then(
      () => new Error("it worked"),
      (cause: unknown) => cause,
    ),
  );
  return { code, message };
}

test("a command's key is kept until it is due again", async () => {
  await using folder = await tempFolder();
  const key = keySource({ auth: await counter(folder.path) }, env);
  expect([await key(never), await key(never)]).toEqual(["key-1", "key-1"]);
});

test("a command's key is asked for again when it is due, and never when the interval is 0", async () => {
  await using folder = await tempFolder();
  const auth = await counter(folder.path);
  const stale = keySource({ auth: { ...auth, refresh_interval_ms: 1e-9 } }, env);
  expect([await stale(never), await stale(never)]).toEqual(["key-1", "key-2"]);
  const kept = keySource({ auth: { ...auth, refresh_interval_ms: 0 } }, env);
  expect([await kept(never), await kept(never)]).toEqual(["key-3", "key-3"]);
});

test("a command that fails says how, with its last words", async () => {
  expect(await failure({ command: "sh", args: ["-c", "echo first >&2; echo no luck >&2; exit 3"] })).toEqual({
    code: "auth",
    message: "the auth command `sh` should print a key but ended with code 3: no luck",
  });
});

test("a command that prints nothing gives no key", async () => {
  expect(await failure({ command: "true" })).toEqual({
    code: "auth",
    message: "the auth command `true` should print a key but printed nothing",
  });
});

test("a command that isn't there is named", async () => {
  const { code, message } = await failure({ command: "no-such-program-here" });
  expect([
    code,
    message.startsWith("the auth command `no-such-program-here` should print a key but could not be started"),
  ]).toEqual(["auth", true]);
});

test("a command that hangs is ended after its time", async () => {
  expect(await failure({ command: "sleep", args: ["60"], timeout_ms: 50 })).toEqual({
    code: "auth",
    message: "the auth command `sleep` should print a key but took longer than 50 ms",
  });
});

test("an interrupted command is not a wrong key", async () => {
  expect(await failure({ command: "sleep", args: ["60"] }, AbortSignal.abort())).toEqual({
    code: "aborted",
    message: "interrupted",
  });
});

test("a token in the configuration is sent as it is", async () => {
  expect(await keySource({ experimental_bearer_token: "t" }, env)(never)).toBe("t");
});
