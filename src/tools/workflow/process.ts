import { devNull } from "node:os";
import { z } from "zod";
import type { SandboxPolicy } from "../../protocol/policy.ts";
import { JsonlDecoder } from "../../util/jsonl.ts";
import { endTree, LastResort } from "../../util/kill.ts";
import type { MemoryKey, RunContext } from "../types.ts";
import { Patience } from "./patience.ts";
import { WORKFLOW_RUNTIME } from "./runtime.ts";

export type AgentRequest = { id: number; prompt: string; options: z.infer<typeof Options> };
export type ScriptSource = { script: string; args: unknown };
export type ScriptEnd = { ok: true; value: unknown } | { ok: false; problem: string };
export type ScriptHandlers = {
  /** The answer of an agent; throws when there is none. */
  agent(request: AgentRequest): Promise<unknown>;
  note(text: string): void;
  /** How long a script may say nothing while no agent is at work for it, so that one that loops comes to an end. */
  patienceMs: number;
};

const Options = z.looseObject({
  label: z.string().optional(),
  phase: z.string().optional(),
  agentType: z.string().optional(),
  /** What the answer must look like, as JSON Schema. */
  schema: z.record(z.string(), z.unknown()).optional(),
});
const Message = z.union([
  z.object({ agent: z.object({ id: z.number(), prompt: z.string(), options: Options }) }),
  z.object({ phase: z.string() }),
  z.object({ log: z.string() }),
  z.object({ done: z.unknown() }),
  z.object({ failed: z.string() }),
]);

/** Bytes. */
const SHOWN_ERRORS = 2000;
/** All that a script may print in one run, its requests and its result included: what it says is kept in memory. Bytes. */
const MOST_OUTPUT = 32 * 1024 * 1024;

/**
 * Runs a script in a process of its own, which may read what the session may read, and neither write nor reach the
 * network where there is a sandbox. Ends it when the signal fires.
 */
export async function runScript(
  source: ScriptSource,
  handlers: ScriptHandlers,
  ctx: RunContext,
): Promise<ScriptEnd> {
  const { env, cwd, sandbox, policy, memory, signal } = ctx;
  // The project's own settings of Bun may name code to load first, and its .env holds what is nobody's business here.
  const argv = [process.execPath, `--config=${devNull}`, "--no-env-file", "-e", WORKFLOW_RUNTIME];
  const command = { argv, cwd, env: { ...env, BUN_BE_BUN: "1" } };
  const spec = await sandbox.wrap(command, onlyReading(policy), { tty: false });
  try {
    const child = Bun.spawn(spec.argv, {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe", ...spec.fds],
    });
    const end = () => void endTree(child.pid);
    const running = memory.get(SCRIPTS);
    running.add(child.pid);
    signal.addEventListener("abort", end, { once: true });
    const send = (message: unknown) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      void child.stdin.flush();
    };
    const errors = lastWords(child.stderr);
    send(source);
    const result = await converse(child.stdout, handlers, send);
    signal.removeEventListener("abort", end);
    await endTree(child.pid);
    running.remove(child.pid);
    if (result) return result;
    const said = (await errors).trim();
    return { ok: false, problem: `the script ended without a result${said === "" ? "" : `: ${said}`}` };
  } finally {
    spec.release();
  }
}

async function converse(
  output: ReadableStream<Uint8Array>,
  handlers: ScriptHandlers,
  send: (message: unknown) => void,
): Promise<ScriptEnd | undefined> {
  let end: ScriptEnd | undefined;
  const reader = output.getReader();
  const patience = new Patience(handlers.patienceMs, () => {
    end = { ok: false, problem: `the script said nothing for ${handlers.patienceMs / 1000} seconds` };
    void reader.cancel();
  });
  const hear = (value: unknown) => {
    const message = Message.safeParse(value).data;
    if (!message) return;
    if ("log" in message) handlers.note(message.log);
    else if ("phase" in message) handlers.note(`== ${message.phase}`);
    else if ("failed" in message) end = { ok: false, problem: message.failed };
    else if ("agent" in message) patience.extend(answer(message.agent, handlers, send));
    else end = { ok: true, value: message.done };
  };
  const decoder = new JsonlDecoder({ value: hear, damage: () => {} });
  let bytes = 0;
  for (let read = await reader.read(); !read.done && !end; read = await reader.read()) {
    bytes += read.value.length;
    if (bytes > MOST_OUTPUT) {
      end = { ok: false, problem: "the script has said more than 32 MiB" };
      break;
    }
    patience.renew();
    decoder.feed(Buffer.from(read.value));
  }
  patience.end();
  return end;
}

/** The end of what comes, however much that is. */
async function lastWords(stream: ReadableStream<Uint8Array>): Promise<string> {
  let kept = Buffer.alloc(0);
  for await (const chunk of stream) kept = Buffer.concat([kept, chunk]).subarray(-SHOWN_ERRORS);
  return kept.toString("utf8");
}

/** Not awaited: agents work side by side, as the script has asked for them. */
function answer(
  request: AgentRequest,
  { agent }: ScriptHandlers,
  send: (message: unknown) => void,
): Promise<void> {
  const { id } = request;
  return agent(request).then(
    (value) => send({ id, value: value ?? null }),
    (cause: unknown) => send({ id, problem: cause instanceof Error ? cause.message : String(cause) }),
  );
}

function onlyReading(policy: SandboxPolicy): SandboxPolicy {
  return policy.mode === "restricted" ? { ...policy, write: [], network: false } : policy;
}

/** Scripts do not outlive the program. */
const SCRIPTS: MemoryKey<LastResort> = { name: "workflowScripts", init: () => new LastResort() };
