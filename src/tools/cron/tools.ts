import { z } from "zod";
import { shortHex } from "../../util/ids.ts";
import { localTime } from "../../util/local-time.ts";
import { defineTool } from "../define.ts";
import { readingCall, refused, textResult } from "../results.ts";
import { nextTime, parseSchedule } from "./schedule.ts";
import { type Wakeup, wakeups } from "./wakeups.ts";

const CronCreateInput = z.looseObject({
  cron: z.string(),
  prompt: z.string().min(1),
  recurring: z.boolean().optional(),
});
type CronCreateInput = z.infer<typeof CronCreateInput>;

const MOST = 50;

/** Native "cron_create": a prompt that the model hears with its first step after a time, while the session is open. */
export const cronCreate = defineTool<CronCreateInput>({
  name: "cron_create",
  schema: CronCreateInput,
  parallel: false,
  async prepare({ cron, prompt, recurring = true }) {
    const schedule = parseSchedule(cron);
    if ("problem" in schedule) return refused(schedule.problem);
    return readingCall([], async ({ memory }) => {
      const list = memory.get(wakeups);
      if (list.length >= MOST)
        return textResult(false, `there are ${MOST} scheduled prompts; delete one first`);
      const nextAt = nextTime(schedule, Date.now());
      if (nextAt === undefined) return textResult(false, `"${cron}" names no time in the next five years`);
      const wakeup = { id: shortHex(8), cron, schedule, prompt, recurring, nextAt };
      list.push(wakeup);
      return textResult(true, described(wakeup), { case: "created", id: wakeup.id });
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

function described({ id, cron, prompt, recurring, nextAt }: Wakeup): string {
  const { year, month, day, hours, minutes } = localTime(new Date(nextAt));
  const next = `${year}-${month}-${day} ${hours}:${minutes}`;
  return `id: ${id}\ncron: ${cron}\nrecurring: ${recurring}\nnext: ${next}\nprompt: ${prompt}`;
}
