import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outcomeText, start } from "../../extensions/mcp/support.ts";
import { completed, exec, useServer } from "../../support/exec.ts";
import { calls, says, startFakeServer } from "../../support/fake-server.ts";
import { tempHome } from "../../support/home.ts";
import { HOW_TO_INSTALL, installedProgram } from "./installed.ts";

setDefaultTimeout(120_000);

/** A test with a real server, or a skipped one that says how to get it. */
function withServer(name: string, title: string, body: (program: string) => Promise<void>): void {
  const program = installedProgram(`mcp-server-${name}`);
  if (program === undefined) test.skip(`${title} (skipped: ${HOW_TO_INSTALL})`, () => {});
  else test(title, () => body(program));
}

const never = new AbortController().signal;

withServer(
  "everything",
  "the server with everything: tools, structure, pictures, progress and resources",
  async (program) => {
    await using started = await start({ t: { command: program, args: ["stdio"] } });
    const { clients, warnings } = started;
    const call = (tool: string, input: unknown = {}) =>
      clients.call({ server: "t", tool: tool, input: input }, never);
    expect({ warnings, states: clients.statuses().map(({ state }) => state) }).toEqual({
      warnings: [],
      states: ["ready"],
    });
    expect(outcomeText(await call("echo", { message: "hi" }))).toBe("Echo: hi");
    expect(outcomeText(await call("get-sum", { a: 2, b: 3 }))).toContain("5");
    const weather = await call("get-structured-content", { location: "Chicago" });
    expect(weather).toMatchObject({ result: { structuredContent: { temperature: expect.any(Number) } } });
    const image = await call("get-tiny-image");
    expect(JSON.stringify(image)).toContain('"mimeType":"image/png"');
    const refused = await call("echo", {});
    expect(refused).toMatchObject({ result: { isError: true } });
    const long = await call("trigger-long-running-operation", { duration: 1, steps: 2 });
    expect(outcomeText(long)).toContain("completed");
    const listed = await clients.call(
      { server: "", tool: "list_mcp_resources", input: { server: "t" } },
      never,
    );
    expect(outcomeText(listed)).toContain('"uri"');
    const templates = await clients.call(
      { server: "", tool: "list_mcp_resource_templates", input: {} },
      never,
    );
    expect(outcomeText(templates)).toContain("uriTemplate");
  },
);

withServer(
  "everything",
  "a call to the server with everything can be taken back, and the next one works",
  async (program) => {
    await using started = await start({ t: { command: program, args: ["stdio"] } });
    const control = new AbortController();
    const { clients } = started;
    const input = { duration: 60, steps: 2 };
    const tool = "trigger-long-running-operation";
    const long = clients.call({ server: "t", tool, input }, control.signal);
    control.abort();
    expect(await long).toMatchObject({ error: "interrupted" });
    expect(
      outcomeText(await clients.call({ server: "t", tool: "echo", input: { message: "after" } }, never)),
    ).toBe("Echo: after");
  },
);

withServer(
  "filesystem",
  "the file server works below its folder and refuses the rest, all the way from exec",
  async (program) => {
    await using home = await tempHome();
    const shared = join(home.cwd, "shared");
    await mkdir(shared);
    await writeFile(join(shared, "note.txt"), "from the server\n");
    await using server = startFakeServer([
      calls("mcp__files__read_text_file", { path: join(shared, "note.txt") }, "c1"),
      calls("mcp__files__read_text_file", { path: "/etc/hostname" }, "c2"),
      calls("mcp__files__write_file", { path: join(shared, "new.txt"), content: "written" }, "c3"),
      says("done"),
    ]);
    await useServer(home, server, {
      more: 'sandbox_mode = "danger-full-access"\napproval_policy = "never"',
      provider: `[mcp_servers.files]\ncommand = ${JSON.stringify(program)}\nargs = [${JSON.stringify(shared)}]`,
    });
    const { events } = await exec(home, ["go"]);
    const items = completed(events, "mcp_tool_call");
    expect(items.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      "read_text_file completed",
      "read_text_file failed",
      "write_file completed",
    ]);
    expect(JSON.stringify(items[0])).toContain("from the server");
    expect(await readFile(join(shared, "new.txt"), "utf8")).toBe("written");
  },
);

withServer("memory", "the memory server keeps what it is told", async (program) => {
  await using home = await tempHome();
  const env = { MEMORY_FILE_PATH: join(home.cwd, "memory.jsonl") };
  const entity = { name: "Ada", entityType: "person", observations: ["likes tea"] };
  {
    await using started = await start({ t: { command: program, env } });
    await started.clients.call(
      { server: "t", tool: "create_entities", input: { entities: [entity] } },
      never,
    );
  }
  await using again = await start({ t: { command: program, env } });
  const found = await again.clients.call(
    { server: "t", tool: "search_nodes", input: { query: "tea" } },
    never,
  );
  expect(found).toMatchObject({ result: { structuredContent: { entities: [entity] } } });
});
