import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { randomFrom } from "../sessions/random.ts";
import { asObject, completed, type Json, threadId, useServer, type Wire } from "../support/exec.ts";
import type { FakePart } from "../support/fake-answer.ts";
import { answers, type FakeChoice, type FakeTurn, startFakeServer } from "../support/fake-server.ts";
import { historyProblems } from "../support/history-rules.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { program } from "../support/run.ts";

setDefaultTimeout(120_000);

/** With the seed of a failure the same moments are tried again, as far as the machine is as fast as then. */
const seed = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
const KILLS: Readonly<Record<Wire, number>> = { responses: 17, chat: 17, messages: 16 };
const ANSWERS_PER_TURN = 5;
/** More than a whole turn prints. */
const MOST_LINES = 26;

/** A model that works in each turn: thoughts, texts, commands one by one and side by side; every text is new. */
class Worker {
  #serial = 0;
  #answers = 0;
  readonly problems: string[] = [];
  /** What the next request has to hold. */
  owed = new Set<string>();

  readonly wire: Wire;

  constructor(wire: Wire) {
    this.wire = wire;
  }

  startTurn(): void {
    this.#answers = 0;
  }

  readonly answer: FakeChoice = ({ body }) => {
    const text = JSON.stringify(body);
    const lost = [...this.owed].filter((marker) => !text.includes(marker));
    this.problems.push(
      ...lost.map((marker) => `${marker} is lost`),
      ...historyProblems(asObject(body), this.wire),
    );
    this.#answers += 1;
    return this.#answers % ANSWERS_PER_TURN === 0 ? answers(this.#say()) : this.#work();
  };

  #work(): FakeTurn {
    const calls = Array.from({ length: 1 + (this.#answers % 3) }, () => this.#call());
    return answers({ type: "thinking", text: "Hm." }, this.#say(), ...calls);
  }

  #say(): FakePart {
    return { type: "text", text: this.#next("text") };
  }

  #call(): FakePart {
    // The command itself does not hold the text that it prints.
    const cmd = `printf '%s-%s\\n' out ${this.#next("of")}`;
    return { type: "call", name: "exec_command", input: { cmd, login: false }, id: this.#next("call") };
  }

  #next(kind: string): string {
    this.#serial += 1;
    return `${kind}-${this.#serial}-${this.wire}`;
  }
}

/** Starts a turn and ends the program by force after that many lines of output and ms; false when it was faster. */
async function killedTurn(home: TempHome, args: readonly string[], lines: number, delayMs: number) {
  const child = Bun.spawn(
    [...program(), "exec", "--json", "--skip-git-repo-check", "-s", "danger-full-access", ...args],
    { cwd: home.cwd, env: home.env, stdin: "ignore", stdout: "pipe", stderr: "ignore" },
  );
  const decoder = new TextDecoder();
  let output = "";
  const kill = () => setTimeout(() => child.kill("SIGKILL"), delayMs);
  if (lines === 0) kill();
  for await (const chunk of child.stdout) {
    const before = output.split("\n").length - 1;
    output += decoder.decode(chunk, { stream: true });
    if (before < lines && output.split("\n").length - 1 >= lines) kill();
  }
  await child.exited;
  const whole = output.split("\n").slice(0, -1);
  const events: Json[] = whole.map((line) => JSON.parse(line));
  return { wasKilled: child.signalCode === "SIGKILL", events };
}

function printed(events: readonly Json[]): string[] {
  return completed(events).flatMap(({ type, text, aggregated_output: output }) => {
    if (type === "agent_message") return [String(text)];
    return type === "command_execution" ? [String(output).trim()] : [];
  });
}

/** Lines of the session's file that are not JSON. */
function brokenLines(home: TempHome, id: string): number {
  const folder = join(home.path, "sessions");
  const name =
    readdirSync(folder, { recursive: true, encoding: "utf8" }).find((file) => file.includes(id)) ?? "";
  const lines = readFileSync(join(folder, name), "utf8").split("\n");
  return lines.filter((line) => line !== "" && !isJson(line)).length;
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

for (const wire of ["responses", "chat", "messages"] as const) {
  test.concurrent(`a session that is killed again and again loses nothing that was printed (${wire}, KILL_SEED=${seed})`, async () => {
    await using home = await tempHome();
    const worker = new Worker(wire);
    await using server = startFakeServer(Array.from({ length: 5_000 }, () => worker.answer));
    await useServer(home, server, { wire });
    const random = randomFrom(seed);
    let kills = 0;
    let id = "";
    for (let turn = 0; kills < KILLS[wire]; turn++) {
      worker.startTurn();
      const args = id === "" ? [`prompt-${turn}`] : ["resume", id, `prompt-${turn}`];
      const { wasKilled, events } = await killedTurn(home, args, random(MOST_LINES), random(40));
      const shown = printed(events);
      for (const marker of shown) worker.owed.add(marker);
      const hasBegun = events.some(({ type }) => type === "turn.started");
      if (shown.length > 0) worker.owed.add(`prompt-${turn}`);
      if (hasBegun && id === "") id = threadId(events);
      if (wasKilled) kills += 1;
      if (id !== "") expect(brokenLines(home, id)).toBeLessThanOrEqual(kills);
      expect(worker.problems).toEqual([]);
    }
    worker.startTurn();
    const last = await killedTurn(home, ["resume", id, "the end"], 1_000_000, 0);
    expect({ problems: worker.problems, end: last.events.at(-1)?.["type"] }).toEqual({
      problems: [],
      end: "turn.completed",
    });
  }, 600_000);
}
