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
    await keySource({ auth }, "mine", env)
      .current(signal)
      .then(
        () => new Error("it worked"),
        (cause: unknown) => cause,
      ),
  );
  return { code, message };
}

test("a command's key is kept until it is due again", async () => {
  await using folder = await tempFolder();
  const key = keySource({ auth: await counter(folder.path) }, "mine", env);
  expect([await key.current(never), await key.current(never)]).toEqual(["key-1", "key-1"]);
});

test("a command's key is asked for again when it is due, and never when the interval is 0", async () => {
  await using folder = await tempFolder();
  const auth = await counter(folder.path);
  const stale = keySource({ auth: { ...auth, refresh_interval_ms: 1e-9 } }, "mine", env);
  expect([await stale.current(never), await stale.current(never)]).toEqual(["key-1", "key-2"]);
  const kept = keySource({ auth: { ...auth, refresh_interval_ms: 0 } }, "mine", env);
  expect([await kept.current(never), await kept.current(never)]).toEqual(["key-3", "key-3"]);
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
  expect(await keySource({ experimental_bearer_token: "t" }, "mine", env).current(never)).toBe("t");
});

test("a refused key is asked for again, once for all that were refused with it", async () => {
  await using folder = await tempFolder();
  const key = keySource({ auth: { ...(await counter(folder.path)), refresh_interval_ms: 0 } }, "mine", env);
  expect(await key.current(never)).toBe("key-1");
  expect([await key.renew?.("key-1", never), await key.renew?.("key-1", never)]).toEqual(["key-2", "key-2"]);
  expect(await key.current(never)).toBe("key-2");
});

test("there is no other key where no program makes keys", () => {
  const sources = [{ env_key: "K" }, { experimental_bearer_token: "t" }, { requires_openai_auth: true }, {}];
  expect(sources.map((settings) => keySource(settings, "mine", env).renew)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("what a failing command printed as a key is not repeated", async () => {
  const { message } = await failure({ command: "sh", args: ["-c", "echo sk-secret-1; exit 1"] });
  expect(message).toBe("the auth command `sh` should print a key but ended with code 1");
});

test("a command that prints a sentence gives no key, and the sentence is not repeated", async () => {
  const { message } = await failure({ command: "sh", args: ["-c", "echo logged in as sk-secret-1"] });
  expect(message).toBe("the auth command `sh` should print a key but printed more than one word");
});

test("a command runs in its own folder, with the environment of the run", async () => {
  await using folder = await tempFolder();
  const auth = { command: "sh", args: ["-c", 'echo "$VAULT-$(basename "$PWD")"'], cwd: folder.path };
  const key = await keySource({ auth }, "mine", { ...env, VAULT: "v" }).current(never);
  expect(key).toBe(`v-${folder.path.slice(folder.path.lastIndexOf("/") + 1)}`);
});
