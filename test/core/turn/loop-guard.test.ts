import { expect, test } from "bun:test";
import { LoopGuard } from "../../../src/core/turn/loop-guard.ts";
import type { ToolCall } from "../../../src/protocol/items.ts";

function call(name: string, raw: string): ToolCall {
  return { type: "tool_call", callId: "c", name, input: { kind: "json", raw } };
}
const cat = call("exec_command", '{"cmd": "cat x"}');
const other = call("exec_command", '{"cmd": "cat y"}');
const text = (words: string) => [{ type: "input_text" as const, text: words }];
const failed = (words = "no such file") => ({ ok: false, content: text(words) });
const worked = (words = "fine") => ({ ok: true, content: text(words) });

/** For each of `times` equal calls, whether the model was told. */
function repeat(
  guard: LoopGuard,
  times: number,
  one: ToolCall,
  outcome: ReturnType<typeof failed>,
): boolean[] {
  return Array.from({ length: times }, () => guard.watch(one, outcome) !== undefined);
}

test("a call that fails in the same way is called so from the third time on, and ends the turn at the sixth", () => {
  const guard = new LoopGuard();
  expect(repeat(guard, 5, cat, failed())).toEqual([false, false, true, true, true]);
  expect(guard.stop).toBeUndefined();
  expect(guard.watch(cat, failed())).toContain("This same call has already failed 6 times");
  expect(guard.stop).toMatchObject({
    code: "model.loop",
    message: "stopped: the model made the same failing call of exec_command 6 times",
  });
});

test("two failing calls in turn are a loop as well", () => {
  const guard = new LoopGuard();
  const told = Array.from({ length: 3 }, () => [cat, other].map((one) => guard.watch(one, failed()))).flat();
  expect(told.map((hint) => hint !== undefined)).toEqual([false, false, false, false, true, true]);
});

test("the id of the call and its time among the fields of a result make no difference", () => {
  const guard = new LoopGuard();
  const ran = (n: number) => ({ ...failed(), fields: { output: "no", callId: `c${n}`, wallTime: `${n}.1` } });
  for (let n = 0; n < 6; n++) guard.watch(cat, ran(n));
  expect(guard.stop?.code).toBe("model.loop");
});

test("blanks in the arguments and the time that it took make no difference", () => {
  const guard = new LoopGuard();
  const spaced = call("exec_command", '{ "cmd":"cat x" }');
  const ran = (seconds: number) => ({
    ...failed(`Wall time: ${seconds}`),
    fields: { output: `failed in ${seconds}s`, exitCode: 1, wallTimeSeconds: seconds },
  });
  guard.watch(cat, ran(0.1));
  guard.watch(spaced, ran(0.25));
  expect(guard.watch(cat, ran(3))).toContain("failed 3 times");
});

test("another error, other arguments or anything that works start the count anew", () => {
  const guard = new LoopGuard();
  repeat(guard, 2, cat, failed());
  expect(guard.watch(cat, failed("permission denied"))).toBeUndefined();
  expect(guard.watch(other, failed())).toBeUndefined();
  guard.watch(call("edit", "{}"), worked());
  expect(repeat(guard, 3, cat, failed())).toEqual([false, false, true]);
});

test("what works may be repeated longer: told at the twelfth time in a row, stopped at the thirtieth", () => {
  const guard = new LoopGuard();
  expect(repeat(guard, 12, cat, worked()).indexOf(true)).toBe(11);
  repeat(guard, 17, cat, worked());
  expect(guard.stop).toBeUndefined();
  guard.watch(cat, worked());
  expect(guard.stop?.message).toBe("stopped: the model made the same call of exec_command 30 times");
});

test("a result that changes, or another call in between, is honest work", () => {
  const guard = new LoopGuard();
  for (let round = 0; round < 30; round++) guard.watch(cat, worked(`line ${round}`));
  for (let round = 0; round < 30; round++) {
    guard.watch(cat, worked());
    guard.watch(other, worked());
  }
  expect(guard.stop).toBeUndefined();
});

test("waiting for a command that still runs is never a loop", () => {
  const guard = new LoopGuard();
  const poll = call("write_stdin", '{"session_id": 1}');
  const running = { ...worked(""), fields: { output: "", processId: 1 } };
  expect(repeat(guard, 100, poll, running)).not.toContain(true);
  expect(guard.stop).toBeUndefined();
});
