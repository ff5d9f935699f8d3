/** The minutes, hours, days, months and weekdays at which something is due. */
export type Schedule = {
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  weekdays: ReadonlySet<number>;
  /** Both are limited: then either of them is enough, as everywhere in cron. */
  eitherDay: boolean;
};

const MAX_DAYS = 366 * 5;

/** Reads the five fields of cron (`minute hour day month weekday`): numbers, `*`, lists, ranges and steps. */
export function parseSchedule(text: string): Schedule | { problem: string } {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5)
    return { problem: `wanted 5 fields (minute hour day month weekday), found ${fields.length}` };
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  const minutes = numbers(minute, 0, 59);
  const hours = numbers(hour, 0, 23);
  const days = numbers(day, 1, 31);
  const months = numbers(month, 1, 12);
  const written = numbers(weekday, 0, 7);
  if (!minutes || !hours || !days || !months || !written)
    return { problem: `"${text}" has a field that is not a number, list, range or step within its bounds` };
  const weekdays = new Set([...written].map((one) => one % 7));
  return {
    minutes,
    hours,
    days,
    months,
    weekdays,
    eitherDay: !day.startsWith("*") && !weekday.startsWith("*"),
  };
}

/** The first minute after `after` that the schedule names, local time; undefined when there is none in five years. */
export function nextTime(schedule: Schedule, after: number): number | undefined {
  const first = new Date(after);
  first.setSeconds(0, 0);
  first.setMinutes(first.getMinutes() + 1);
  for (let i = 0; i < MAX_DAYS; i++) {
    const day = new Date(first.getFullYear(), first.getMonth(), first.getDate() + i);
    if (!isDay(schedule, day)) continue;
    for (let minute = i === 0 ? first.getHours() * 60 + first.getMinutes() : 0; minute < 24 * 60; minute++)
      if (schedule.hours.has(Math.floor(minute / 60)) && schedule.minutes.has(minute % 60))
        return new Date(day.getFullYear(), day.getMonth(), day.getDate(), 0, minute).getTime();
  }
  return undefined;
}

function isDay({ days, months, weekdays, eitherDay }: Schedule, day: Date): boolean {
  if (!months.has(day.getMonth() + 1)) return false;
  const fits = [days.has(day.getDate()), weekdays.has(day.getDay())];
  return eitherDay ? fits.includes(true) : !fits.includes(false);
}

function numbers(field: string, least: number, most: number): Set<number> | undefined {
  const found = new Set<number>();
  for (const part of field.split(",")) {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    if (!match) return undefined;
    const [, from, to, step] = match;
    const begin = from === undefined ? least : Number(from);
    const isOne = from !== undefined && to === undefined && step === undefined;
    const end = isOne ? begin : to === undefined ? most : Number(to);
    const by = step === undefined ? 1 : Number(step);
    if (begin < least || end > most || begin > end || by < 1) return undefined;
    for (let one = begin; one <= end; one += by) found.add(one);
  }
  return found;
}
