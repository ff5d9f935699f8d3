import { z } from "zod";
import { repairJson } from "../../util/json-repair.ts";
import type { AgentRunner } from "../types.ts";
import type { AgentRequest } from "./process.ts";

/** What the agents of a run have answered, by the place of their call. `key` is what they were asked. */
export type Journal = { key: string; value: unknown }[];

export type RunAgents = {
  runner: AgentRunner;
  runId: string;
  /** Of an earlier run: its answers are taken as long as the questions are the same. */
  earlier: Journal;
  signal: AbortSignal;
};

const MOST_AT_ONCE = 4;
const MOST_IN_ALL = 200;
const TRIES = 3;

/** Answers what a script asks of agents: some at once, the others when it is their turn. */
export class ScriptAgents {
  readonly journal: Journal = [];
  readonly #own: RunAgents;
  readonly #queue: (() => void)[] = [];
  #running = 0;
  #started = 0;
  #isReplaying = true;

  constructor(own: RunAgents) {
    this.#own = own;
  }

  get started(): number {
    return this.#started;
  }

  /** Throws when there is no answer of the wanted form. */
  async answer(request: AgentRequest): Promise<unknown> {
    const key = JSON.stringify([request.prompt, request.options]);
    const at = request.id - 1;
    const known = this.#own.earlier[at];
    this.#isReplaying &&= known?.key === key;
    const value = this.#isReplaying ? known?.value : await this.#inTurn(request);
    this.journal[at] = { key, value };
    return value;
  }

  async #inTurn(request: AgentRequest): Promise<unknown> {
    if (this.#started >= MOST_IN_ALL) throw new Error(`a workflow may start ${MOST_IN_ALL} agents at most`);
    this.#started += 1;
    if (this.#running >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#running += 1;
    try {
      return await this.#ask(request);
    } finally {
      this.#running -= 1;
      this.#queue.shift()?.();
    }
  }

  async #ask({ id, prompt, options }: AgentRequest): Promise<unknown> {
    const { runner, runId, signal } = this.#own;
    const { schema, label, agentType: kind } = options;
    const form =
      schema &&
      `\n\nAnswer with one JSON value and nothing else. It has to fit this JSON Schema:\n${JSON.stringify(schema)}`;
    const task = { id: `${runId}-${id}`, prompt: `${prompt}${form ?? ""}`, kind, description: label };
    let outcome = await runner.run(task, signal);
    for (let n = 1; outcome.ok && schema; n++) {
      const read = fitting(outcome.text, schema);
      if ("value" in read) return read.value;
      if (n === TRIES) throw new Error(`the agent gave no answer of the wanted form: ${read.problem}`);
      const reply = await runner.send(
        task.id,
        `That does not fit: ${read.problem}. Answer with the JSON value alone.`,
        signal,
      );
      if (reply.kind !== "answered") throw new Error("the agent is gone");
      outcome = reply;
    }
    if (!outcome.ok) throw new Error(outcome.text);
    return outcome.text;
  }
}

function fitting(text: string, schema: Record<string, unknown>): { value: unknown } | { problem: string } {
  const begin = text.search(/[[{]/);
  const found = repairJson(text) ?? (begin < 0 ? undefined : repairJson(text.slice(begin)));
  if (!found) return { problem: "it is not JSON" };
  const checked = z.fromJSONSchema(schema).safeParse(found.value);
  return checked.success ? { value: checked.data } : { problem: z.prettifyError(checked.error) };
}
