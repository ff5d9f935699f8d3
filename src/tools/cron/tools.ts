import { z } from "zod";
import { shortHex } from "../../util/ids.ts";
import { localTime } from "../../util/local-time.ts";
import { defineTool } from "../define.ts";
import { readingCall, refused, textResult } from "../results.ts";
import { cronOfRule } from "./rrule.ts";
import { nextTime, parseSchedule } from "./schedule.ts";
import { type Wakeup, wakeups } from "./wakeups.ts";

const CronCreateInput = z.looseObject({
  /** One of the two. */
  cron: z.string().optional(),
  rrule: z.string().optional(),
  prompt: z.string().min(1),
  recurring: z.boolean().optional(),
  name: z.string().optional(),
  paused: z.boolean().optional(),
});
type CronCreateInput = z.infer<typeof CronCreateInput>;

const MOST = 50;

/** Native "cron_create": a prompt that the model hears with its first step after a time, while the session is open. */
export const cronCreate = defineTool<CronCreateInput>({
  name: "cron_create",
  schema: CronCreateInput,
  parallel: false,
  async prepare({ prompt, recurring = true, name, paused, ...when }) {
    const timing = timingOf(when);
    if ("problem" in timing) return refused(timing.problem);
    const { cron, schedule } = timing;
    return readingCall([], async ({ memory }) => {
      const list = memory.get(wakeups);
      if (list.length >= MOST)
        return textResult(false, `there are ${MOST} scheduled prompts; delete one first`);
      const nextAt = nextTime(schedule, Date.now());
      if (nextAt === undefined) return textResult(false, `"${cron}" names no time in the next five years`);
      const more = { ...(name === undefined ? {} : { name }), ...(paused ? { paused } : {}) };
      const wakeup = { id: shortHex(8), cron, schedule, prompt, recurring, nextAt, ...more };
      list.push(wakeup);
      return textResult(true, described(wakeup), { case: "created", id: wakeup.id });
    });
  },
});

function timingOf({
  cron,
  rrule,
}: Pick<CronCreateInput, "cron" | "rrule">): Pick<Wakeup, "cron" | "schedule"> | { problem: string } {
  const text =
    cron ?? (rrule === undefined ? { problem: "wanted a time: cron or rrule" } : cronOfRule(rrule));
  if (typeof text !== "string") return text;
  const schedule = parseSchedule(text);
  return "problem" in schedule ? schedule : { cron: text, schedule };
}

const CronChangeInput = z.looseObject({
  id: z.string(),
  prompt: z.string().min(1).optional(),
  rrule: z.string().optional(),
  name: z.string().optional(),
  paused: z.boolean().optional(),
  /** Say it now, whatever its time. */
  run: z.boolean().optional(),
});
type CronChangeInput = z.infer<typeof CronChangeInput>;

/** Native "cron_change": what is given is changed, paused or said at once; without anything it is shown. */
export const cronChange = defineTool<CronChangeInput>({
  name: "cron_change",
  schema: CronChangeInput,
  parallel: false,
  async prepare({ id, rrule, run, prompt, name, paused }) {
    const timing = rrule === undefined ? undefined : timingOf({ rrule });
    if (timing && "problem" in timing) return refused(timing.problem);
    return readingCall([], async ({ memory }) => {
      const wakeup = memory.get(wakeups).find((one) => one.id === id);
      if (!wakeup) return textResult(false, `there is no scheduled prompt ${id}`, { case: "unknown", id });
      if (timing) Object.assign(wakeup, timing);
      if (prompt !== undefined) wakeup.prompt = prompt;
      if (name !== undefined) wakeup.name = name;
      if (paused !== undefined) wakeup.paused = paused;
      if (timing || paused === false) wakeup.nextAt = nextTime(wakeup.schedule, Date.now()) ?? wakeup.nextAt;
      const text = run ? `Its time is now. ${wakeup.prompt}` : described(wakeup);
      return textResult(true, text, { case: "changed", id });
    });
  },
});

const CronDeleteInput = z.looseObject({ id: z.string() });
type CronDeleteInput = z.infer<typeof CronDeleteInput>;

/** Native "cron_delete". */
export const cronDelete = defineTool<CronDeleteInput>({
  name: "cron_delete",
  schema: CronDeleteInput,
  parallel: false,
  prepare: async ({ id }) =>
    readingCall([], async ({ memory }) => {
      const list = memory.get(wakeups);
      const at = list.findIndex((wakeup) => wakeup.id === id);
      if (at === -1) return textResult(false, `there is no scheduled prompt ${id}`, { case: "unknown", id });
      list.splice(at, 1);
      return textResult(true, `Deleted scheduled prompt ${id}`, { case: "deleted", id });
    }),
});

/** Native "cron_list". */
export const cronList = defineTool({
  name: "cron_list",
  schema: z.looseObject({}),
  parallel: true,
  prepare: async () =>
    readingCall([], async ({ memory }) => {
      const list = memory.get(wakeups);
      const text = list.length === 0 ? "Nothing is scheduled" : list.map(described).join("\n\n");
      return textResult(true, text, { case: "list", total: list.length });
    }),
});

function described({ id, cron, prompt, recurring, nextAt, name, paused }: Wakeup): string {
  const { year, month, day, hours, minutes } = localTime(new Date(nextAt));
  const next = `${year}-${month}-${day} ${hours}:${minutes}`;
  const title = name === undefined ? "" : `name: ${name}\n`;
  const due = paused ? "paused" : `next: ${next}`;
  return `id: ${id}\n${title}cron: ${cron}\nrecurring: ${recurring}\n${due}\nprompt: ${prompt}`;
}
