import { expect, test } from "bun:test";
import { cronOfRule } from "../../src/tools/cron/rrule.ts";
import { nextTime, parseSchedule } from "../../src/tools/cron/schedule.ts";
import { takeWakeups, wakeups } from "../../src/tools/cron/wakeups.ts";
import { createToolMemory } from "../../src/tools/memory.ts";

function scheduleOf(text: string) {
  const schedule = parseSchedule(text);
  if ("problem" in schedule) throw new Error(schedule.problem);
  return schedule;
}

/** Local time, as the fields of cron mean it. */
function next(text: string, after: Date): Date | undefined {
  const at = nextTime(scheduleOf(text), after.getTime());
  return at === undefined ? undefined : new Date(at);
}

const NOON = new Date(2026, 0, 14, 12, 0, 30); // a Wednesday

test.each([
  ["* * * * *", new Date(2026, 0, 14, 12, 1)],
  ["*/15 * * * *", new Date(2026, 0, 14, 12, 15)],
  ["0 9 * * *", new Date(2026, 0, 15, 9, 0)],
  ["30 8-10 * * 1-5", new Date(2026, 0, 15, 8, 30)],
  ["0 0 * * 7", new Date(2026, 0, 18)],
  ["0 0 29 2 *", new Date(2028, 1, 29)],
  ["5/20 12 * * *", new Date(2026, 0, 14, 12, 5)],
  ["0 6,18 1 * *", new Date(2026, 1, 1, 6, 0)],
  ["0 0 20 * 5", new Date(2026, 0, 16)],
])("%s: the next time is found", (cron, expected) => {
  expect(next(cron, NOON)).toEqual(expected);
});

test("a day that never comes has no next time", () => {
  expect(next("0 0 31 2 *", NOON)).toBeUndefined();
});

test.each([
  "* * * *",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "* * * 13 *",
  "x * * * *",
  "9-5 * * * *",
  "*/0 * * * *",
])("%s is not a schedule", (cron) => {
  expect(parseSchedule(cron)).toHaveProperty("problem");
});

test("a prompt is said once when it is due, and again only if it recurs", () => {
  const memory = createToolMemory();
  const [cron, schedule, nextAt] = ["0 * * * *", scheduleOf("0 * * * *"), NOON.getTime()];
  const list = memory.get(wakeups);
  list.push({ id: "a", cron, schedule, prompt: "once", recurring: false, nextAt });
  list.push({ id: "b", cron, schedule, prompt: "hourly", recurring: true, nextAt });
  expect(takeWakeups(memory, nextAt - 1)).toEqual([]);
  const lateBy = 3 * 3_600_000;
  expect(takeWakeups(memory, nextAt + lateBy)).toEqual([
    "<system-reminder>Scheduled prompt a is due:\nonce</system-reminder>",
    "<system-reminder>Scheduled prompt b is due:\nhourly</system-reminder>",
  ]);
  expect(takeWakeups(memory, nextAt + lateBy)).toEqual([]);
  expect(list.map(({ id, nextAt: at }) => [id, new Date(at)])).toEqual([["b", new Date(2026, 0, 14, 16)]]);
});

test.each([
  ["FREQ=MINUTELY;INTERVAL=5", "*/5 * * * *"],
  ["RRULE:FREQ=HOURLY;INTERVAL=2;BYMINUTE=15", "15 */2 * * *"],
  ["FREQ=DAILY;BYHOUR=9;BYMINUTE=30", "30 9 * * *"],
  ["FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=9", "0 9 * * 1,5"],
  ["FREQ=WEEKLY", "0 0 * * 1"],
  ["FREQ=MONTHLY;BYMONTHDAY=15", "0 0 15 * *"],
])("the rule %s is %s", (rule, cron) => {
  expect(cronOfRule(rule)).toBe(cron);
});

test.each(["FREQ=YEARLY", "FREQ=WEEKLY;INTERVAL=2", "FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;BYDAY=XX", ""])(
  "the rule %p is refused with a reason",
  (rule) => {
    expect(cronOfRule(rule)).toEqual({ problem: expect.stringMatching(/.+/) });
  },
);
