import { loadConfig } from "../../../../config/load.ts";
import { firstRequest } from "../../../../core/harness/harness-preview.ts";
import type { ProbePlace } from "./probes.ts";
import { readRequest } from "./seen-request.ts";
import type { Json, Recorded } from "./types.ts";

export type Difference = { what: string; wanted: unknown; found: unknown };
export type Comparison = { facts: number; differences: Difference[]; body: Json };

/** Sets our own first request, with this harness and in the same place, beside that of the program. */
export async function compareWith(
  first: Recorded,
  { id, home, place }: { id: string; home: string; place: ProbePlace },
  signal: AbortSignal,
): Promise<Comparison> {
  const own = { PATH: "/usr/bin:/bin", HOME: place.home, INTERPRETER_HOME: home };
  const set = (path: string[], value: unknown) => ({ path, option: "capture", set: value });
  const config = await loadConfig({
    env: own,
    cwd: place.cwd,
    overrides: [
      set(["harness"], id),
      set(["model"], place.model),
      set(["sandbox_mode"], "danger-full-access"),
      set(["projects", place.cwd, "trust_level"], "trusted"),
      set(["model_provider"], "capture"),
      set(["model_providers", "capture", "name"], "capture"),
      set(["model_providers", "capture", "base_url"], "http://127.0.0.1:9/v1"),
      set(["model_providers", "capture", "wire_api"], first.wire),
    ],
  });
  const { url, body } = await firstRequest(
    { config, env: own, cwd: place.cwd, prompt: place.prompt },
    signal,
  );
  const query = new URL(url).search.replace(/^\?/, "");
  const facts = differing(first, { ...first, query, body }, place.home);
  return { ...facts, body };
}

/** Fields whose values are of one run, or tell who somebody is. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  "messages",
  "input",
  "system",
  "instructions",
  "tools",
  "metadata",
  "client_metadata",
  "user",
  "prompt_cache_key",
  "stream",
]);

function differing(program: Recorded, ours: Recorded, home: string): Omit<Comparison, "body"> {
  const [wanted, found] = [readRequest(program), readRequest(ours)];
  const keys = new Set([...Object.keys(program.body), ...Object.keys(ours.body)]);
  const fields = [...keys].filter((key) => !NOT_COMPARED.has(key));
  // On the responses wire a text makes the same difference to the model in a message of its own.
  const shape = ({ messages }: typeof wanted) =>
    messages.flatMap(({ role, texts }) =>
      program.wire === "responses" ? texts.map(() => role) : `${role} ${texts.length}`,
    );
  const plain = (text: string) => withoutIds(text, home);
  const all: Difference[] = [
    { what: "query", wanted: program.query, found: ours.query },
    ...fields.map((key) => ({ what: `body ${key}`, wanted: program.body[key], found: ours.body[key] })),
    { what: "system text", wanted: wanted.system.map(plain), found: found.system.map(plain) },
    { what: "messages", wanted: shape(wanted), found: shape(found) },
    { what: "texts of messages", wanted: textsOf(wanted).map(plain), found: textsOf(found).map(plain) },
    {
      what: "names of tools",
      wanted: wanted.tools.map(({ name }) => name),
      found: found.tools.map(({ name }) => name),
    },
    ...wanted.tools.map((tool) => ({
      what: `tool ${tool.name}`,
      wanted: [tool.description, tool.parameters],
      found: found.tools.flatMap((one) => (one.name === tool.name ? [one.description, one.parameters] : [])),
    })),
  ];
  return {
    facts: all.length,
    differences: all.filter((fact) => !Bun.deepEquals(fact.wanted, fact.found)),
  };
}

/** Without what changes from run to run: ids, and the home that was made for the program. */
function withoutIds(text: string, home: string): string {
  return text
    .replaceAll(home, "~")
    .replace(/[0-9a-f]{7,}/g, "")
    .trim();
}

function textsOf({ messages }: ReturnType<typeof readRequest>): string[] {
  return messages.flatMap(({ texts }) => texts);
}
