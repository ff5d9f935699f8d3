import type { FakeServer } from "./fake-server.ts";
import type { TempHome } from "./home.ts";
import { type RunOptions, type RunResult, run } from "./run.ts";

export type Wire = "responses" | "chat" | "messages";

/** Makes the fake server the home's model. `more` is TOML for before the tables. */
export async function useServer(
  home: TempHome,
  server: Pick<FakeServer, "baseUrl">,
  { wire = "responses", more = "", provider = "" }: { wire?: Wire; more?: string; provider?: string } = {},
): Promise<void> {
  await home.write(
    "~/config.toml",
    `model_provider = "fake"
model = "fake-1"
${more}

[model_providers.fake]
name = "Fake"
base_url = "${server.baseUrl}"
wire_api = "${wire}"
${provider}
`,
  );
}

/** `interpreter exec --json` in the home's working folder, which is not a repository. */
export function exec(home: TempHome, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return run(home, ["exec", "--json", "--skip-git-repo-check", ...args], options);
}

/** The same without `--json`: the answer on stdout, progress on stderr. */
export function execText(
  home: TempHome,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  return run(home, ["exec", "--skip-git-repo-check", ...args], options);
}

export type Json = Record<string, unknown>;

/** The items that were completed, without their ids. */
export function completed(events: readonly Json[], type?: string): Json[] {
  return events
    .filter((event) => event["type"] === "item.completed")
    .map(({ item }) => {
      const { id: _, ...rest } = asObject(item);
      return rest;
    })
    .filter((item) => type === undefined || item["type"] === type);
}

/** The types of the events in order; those of items with the item's own type. */
export function outline(events: readonly Json[]): string[] {
  return events.map(({ type, item }) =>
    item === undefined ? String(type) : `${type} ${asObject(item)["type"]}`,
  );
}

export function threadId(events: readonly Json[]): string {
  return String(events.find(({ type }) => type === "thread.started")?.["thread_id"]);
}

/** The body of the server's request of that number, from 0. */
export function bodyOf(server: FakeServer, index: number): Json {
  return asObject(server.requests[index]?.body);
}

/** Who says what in a request of the responses wire: `role: text`, calls and results as `call NAME`, `result TEXT`. */
export function dialogue(body: Json): string[] {
  return listIn(body, "input").map((entry) => {
    const { type, role, name, output } = asObject(entry);
    if (type === "function_call") return `call ${name}`;
    if (type === "function_call_output") return `result ${textOf(output)}`;
    if (type !== "message" && type !== undefined) return String(type);
    return `${role}: ${textOf(asObject(entry)["content"])}`;
  });
}

/** The same, without what the program says about its surroundings. */
export function conversation(body: Json): string[] {
  const context = /^(developer: |user: (<environment_context>|# AGENTS\.md instructions for ))/;
  return dialogue(body).filter((line) => !context.test(line));
}

/** The user's last words in a request of the responses wire. */
export function promptOf(body: Json): string {
  const last = dialogue(body).findLast((line) => line.startsWith("user: ")) ?? "";
  return last.slice("user: ".length);
}

export function listIn(value: Json, key: string): unknown[] {
  const list = value[key];
  return Array.isArray(list) ? list : [];
}

export function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content);
  return content.map((part) => asObject(part)["text"] ?? `[${asObject(part)["type"]}]`).join("");
}
