import { expect, test } from "bun:test";
import { historyCells } from "../../../src/frontends/tui/history-cells.ts";
import { Progress } from "../../../src/frontends/tui/progress.ts";
import { Transcript } from "../../../src/frontends/tui/transcript.ts";
import { makeTheme } from "../../../src/frontends/tui/view/theme.ts";
import type { ThreadItem, TurnEvent } from "../../../src/protocol/events.ts";
import { assistantText, developerText, userText } from "../../../src/protocol/items.ts";
import { NO_USAGE } from "../../../src/protocol/usage.ts";

const THEME = makeTheme({ level: 0 });
const WIDTH = 60;

function taken(transcript: Transcript, ...events: TurnEvent[]): Transcript {
  for (const event of events) transcript.take(event);
  return transcript;
}

function committed(transcript: Transcript): string[] {
  return transcript.commit(WIDTH, THEME).map((row) => Bun.stripANSI(row).trimEnd());
}

function live(transcript: Transcript): string[] {
  return transcript.live(WIDTH, THEME).map((row) => Bun.stripANSI(row).trimEnd());
}

function message(id: string, text: string): ThreadItem {
  return { id, type: "agent_message", text };
}

function command(
  id: string,
  change: Partial<Extract<ThreadItem, { type: "command_execution" }>> = {},
): ThreadItem {
  const fixed = {
    id,
    type: "command_execution",
    command: "make",
    cwd: "/w",
    output: "",
    durationMs: 5,
  } as const;
  return { ...fixed, status: "in_progress", ...change };
}

test("an answer goes to the scrollback block by block, each row once", () => {
  const transcript = taken(
    new Transcript(),
    { type: "item.started", item: message("m", "") },
    { type: "item.delta", id: "m", field: "text", delta: "First para.\n\nSecond pa" },
  );
  expect(committed(transcript)).toEqual(["", "  First para."]);
  expect(live(transcript).filter((row) => row !== "")).toEqual(["  Second pa"]);
  taken(
    transcript,
    { type: "item.delta", id: "m", field: "text", delta: "ra." },
    { type: "item.completed", item: message("m", "First para.\n\nSecond para.") },
  );
  expect(committed(transcript)).toEqual(["", "  Second para."]);
  expect(committed(transcript)).toEqual([]);
  expect(live(transcript)).toEqual([]);
});

test("an answer that came without a stream is shown as well", () => {
  const transcript = taken(new Transcript(), { type: "item.completed", item: message("m", "All at once.") });
  expect(committed(transcript)).toEqual(["", "  All at once."]);
  expect(transcript.lastAnswer).toBe("All at once.");
});

test("what is finished waits for what was begun before it", () => {
  const transcript = taken(
    new Transcript(),
    { type: "item.started", item: command("a") },
    { type: "item.started", item: command("b", { command: "sleep 1" }) },
    { type: "item.completed", item: command("b", { command: "sleep 1", status: "completed", exitCode: 0 }) },
  );
  expect(committed(transcript)).toEqual([]);
  expect(live(transcript).join("\n")).toMatch(/make[\s\S]*sleep/);
  taken(transcript, { type: "item.completed", item: command("a", { status: "completed", exitCode: 0 }) });
  expect(committed(transcript).join("\n")).toMatch(/make[\s\S]*sleep/);
  expect(live(transcript)).toEqual([]);
});

test("commands that only look are one cell, which is done when something else follows or the turn ends", () => {
  const look = (id: string, text: string): TurnEvent => ({
    type: "item.completed",
    item: command(id, { command: text, status: "completed", exitCode: 0 }),
  });
  const transcript = new Transcript();
  transcript.take({
    type: "turn.started",
    context: {
      turnId: "t",
      cwd: "/w",
      provider: "p",
      model: "m",
      harness: "h",
      approvals: "never",
      sandboxMode: "read-only",
      sandbox: { mode: "off" },
    },
    input: [],
  });
  taken(transcript, look("a", "cat add.ts"), look("b", "cat add.test.ts"));
  expect(committed(transcript)).toEqual([]);
  expect(live(transcript).join("\n")).toMatch(/add\.ts, add\.test\.ts/);
  taken(transcript, { type: "item.completed", item: message("m", "Done.") });
  const rows = committed(transcript);
  expect(rows.filter((row) => row.includes("add.ts"))).toHaveLength(1);
  expect(rows.at(-1)).toBe("  Done.");
  taken(transcript, look("c", "ls"));
  expect(committed(transcript)).toEqual([]);
  transcript.endTurn();
  expect(committed(transcript)).toHaveLength(2);
});

test("a command of the user's own shows its output, up to fifty lines", () => {
  const output = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`).join("\n");
  const item = command("own-1", { command: "ls", status: "completed", exitCode: 0, output });
  const rows = committed(taken(new Transcript(), { type: "item.completed", item })).map((row) => row.trim());
  expect(rows.slice(1, 3)).toEqual(["• Ran ls", "line 1"]);
  expect(rows.at(-1)).toBe("line 60");
  expect(rows).toContain("… +10 lines · ctrl+t");
  expect(rows).toHaveLength(53);
});

test("the output of a running command is live, and only its end is kept", () => {
  const transcript = taken(
    new Transcript(),
    { type: "item.started", item: command("a") },
    { type: "item.delta", id: "a", field: "output", delta: `${"x\n".repeat(20_000)}last line\n` },
  );
  expect(live(transcript).join("\n")).toContain("last line");
  const [cell] = transcript.cells;
  const output = cell?.kind === "item" && cell.item.type === "command_execution" ? cell.item.output : "";
  expect(output.length).toBeLessThanOrEqual(16 * 1024);
});

test("a plan stays below until the turn has ended, and is kept once", () => {
  const plan = (status: "pending" | "completed"): ThreadItem => ({
    id: "p",
    type: "todo_list",
    steps: [{ text: "write", status }],
  });
  const transcript = taken(
    new Transcript(),
    { type: "item.started", item: plan("pending") },
    { type: "item.completed", item: message("m", "Working.") },
    { type: "item.updated", item: plan("completed") },
  );
  expect(committed(transcript)).toEqual(["", "  Working."]);
  expect(live(transcript).join("\n")).toContain("Plan 1/1");
  transcript.endTurn();
  expect(committed(transcript).filter((row) => row.includes("Plan"))).toHaveLength(1);
  expect(live(transcript)).toEqual([]);
});

test("an answer that broke off is left as it was, and the next attempt follows", () => {
  const transcript = taken(
    new Transcript(),
    { type: "item.started", item: message("m", "") },
    { type: "item.delta", id: "m", field: "text", delta: "Half an ans" },
    { type: "item.updated", item: message("m", "") },
    { type: "item.delta", id: "m", field: "text", delta: "The whole answer." },
    { type: "item.completed", item: message("m", "The whole answer.") },
  );
  const text = committed(transcript).join("\n");
  expect(text).toMatch(/Half an ans[\s\S]*asked for again[\s\S]*The whole answer\./);
});

test("an interrupted turn leaves nothing running", () => {
  const transcript = taken(
    new Transcript(),
    { type: "item.started", item: message("m", "") },
    { type: "item.delta", id: "m", field: "text", delta: "I was about to" },
    { type: "item.started", item: command("a") },
  );
  transcript.endTurn();
  expect(committed(transcript).join("\n")).toMatch(/about to[\s\S]*make/);
  expect(live(transcript)).toEqual([]);
});

test("what was decided about a question becomes one row", () => {
  const request = { id: "q", callId: "c", kind: "command" as const, argv: ["npm", "install"], cwd: "/w" };
  const transcript = taken(
    new Transcript(),
    { type: "approval.requested", request },
    { type: "approval.resolved", id: "q", decision: { decision: "approved" } },
  );
  expect(committed(transcript).filter((row) => row !== "")).toEqual(["✓ allowed once: npm install"]);
});

test("of an earlier conversation, what was said and run is shown, not what we told the model", () => {
  const cells = historyCells([
    developerText("<permissions instructions>\nread only\n</permissions instructions>"),
    userText("<environment_context>\n</environment_context>"),
    userText("fix add"),
    { type: "tool_call", callId: "c", name: "exec_command", input: { kind: "json", raw: '{"cmd":"ls"}' } },
    { type: "tool_result", callId: "c", ok: false, content: [{ type: "input_text", text: "no such" }] },
    assistantText("Done."),
  ]);
  expect(cells).toEqual([
    { kind: "user", text: "fix add" },
    {
      kind: "item",
      item: {
        id: "earlier-3",
        type: "command_execution",
        command: "ls",
        cwd: "",
        output: "no such",
        durationMs: 0,
        status: "failed",
      },
    },
    { kind: "item", item: { id: "earlier-5", type: "agent_message", text: "Done." } },
  ]);
});

test("progress says what goes on, counts tokens and what is left of the window", () => {
  let now = 0;
  const progress = new Progress(NO_USAGE, () => now);
  progress.take({ type: "item.started", item: command("a", { command: "/bin/bash -lc 'bun test'" }) });
  expect(progress.activity).toBe("Running bun test");
  progress.take({ type: "item.completed", item: command("a", { status: "completed" }) });
  progress.take({ type: "model.loading", model: "qwen" });
  expect(progress.activity).toBe("loading qwen");
  progress.take({ type: "item.started", item: message("m", "") });
  progress.take({ type: "item.delta", id: "m", field: "text", delta: "x".repeat(40) });
  now = 2000;
  progress.take({ type: "item.delta", id: "m", field: "text", delta: "x".repeat(40) });
  expect({ tokens: progress.outputTokens, speed: progress.tokensPerSecond }).toEqual({
    tokens: 20,
    speed: 10,
  });
  const last = { ...NO_USAGE, input: 700, output: 50 };
  progress.take({ type: "usage", turn: last, total: last, last, contextWindow: 1000 });
  expect({ tokens: progress.outputTokens, left: progress.contextLeft }).toEqual({ tokens: 50, left: 25 });
});

test("of what the model thought, one row tells the title and how long it took", () => {
  let now = 0;
  const transcript = taken(new Transcript(() => now), {
    type: "item.started",
    item: { id: "r", type: "reasoning", text: "" },
  });
  now = 2300;
  taken(transcript, {
    type: "item.completed",
    item: { id: "r", type: "reasoning", text: "**Looking**\n\nlong" },
  });
  const [, row] = committed(transcript);
  expect(row).toMatch(/^ {2}Thought: Looking +2\.3s$/);
});

test("a plan is kept before the row that ends its turn", () => {
  const plan: ThreadItem = { id: "p", type: "todo_list", steps: [{ text: "one", status: "completed" }] };
  const transcript = taken(
    new Transcript(),
    { type: "item.started", item: plan },
    { type: "turn.completed", turnId: "t", usage: NO_USAGE, durationMs: 1000 },
  );
  transcript.add({ kind: "turn_end", durationMs: 1000, outputTokens: 0 });
  transcript.endTurn();
  expect(committed(transcript).map((row) => row.trim())).toEqual(["", "• Plan 1/1", "✓ one", "1.0s"]);
});

test("of an earlier message each part stands on lines of its own, and pictures without words are named", () => {
  const picture = { type: "input_image", imageUrl: "data:image/png;base64,x" } as const;
  const said = (...texts: string[]) => texts.map((text) => ({ type: "input_text", text }) as const);
  const cells = historyCells([
    { type: "message", role: "user", content: [...said("The file is no picture.", "look"), picture] },
    { type: "message", role: "user", content: [picture, picture] },
  ]);
  expect(cells).toEqual([
    { kind: "user", text: "The file is no picture.\nlook" },
    { kind: "user", text: "[Image #1] [Image #2]" },
  ]);
});
