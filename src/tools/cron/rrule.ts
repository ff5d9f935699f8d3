const WEEKDAYS: Readonly<Record<string, number>> = { SU: 0, MO: 1, TU: 2, WE: 3, TH: 4, FR: 5, SA: 6 };
const KNOWN: ReadonlySet<string> = new Set(["FREQ", "INTERVAL", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY"]);

/**
 * The five fields of cron for a recurrence rule (RFC 5545) such as `FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=9`. What cron can't say,
 * such as every second week, is a problem.
 */
export function cronOfRule(rule: string): string | { problem: string } {
  const parts = rule
    .trim()
    .replace(/^RRULE:/i, "")
    .split(";")
    .filter((part) => part !== "");
  const fields = new Map(
    parts.map((part) => [part.split("=")[0]?.toUpperCase() ?? "", part.split("=")[1] ?? ""]),
  );
  const unknown = [...fields.keys()].find((name) => !KNOWN.has(name));
  if (unknown !== undefined)
    return { problem: `${unknown} is not understood; known are ${[...KNOWN].join(", ")}` };
  const every = Number(fields.get("INTERVAL") ?? 1);
  const minute = fields.get("BYMINUTE") ?? "0";
  const hour = fields.get("BYHOUR") ?? "0";
  const days = fields
    .get("BYDAY")
    ?.split(",")
    .map((day) => WEEKDAYS[day.toUpperCase()]);
  if (days?.includes(undefined))
    return { problem: `BYDAY wants two letters for each day, found ${fields.get("BYDAY")}` };
  const weekdays = days?.join(",") ?? "*";
  switch (fields.get("FREQ")?.toUpperCase()) {
    case "MINUTELY":
      return `*/${every} * * * ${weekdays}`;
    case "HOURLY":
      return `${minute} */${every} * * ${weekdays}`;
    case "DAILY":
    case "WEEKLY":
      if (every !== 1) return { problem: "INTERVAL is understood for minutes and hours only" };
      return `${minute} ${hour} * * ${fields.get("FREQ") === "WEEKLY" && !days ? "1" : weekdays}`;
    case "MONTHLY":
      if (every !== 1) return { problem: "INTERVAL is understood for minutes and hours only" };
      return `${minute} ${hour} ${fields.get("BYMONTHDAY") ?? "1"} * ${weekdays}`;
    default:
      return {
        problem: `FREQ must be one of MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY, found "${fields.get("FREQ") ?? ""}"`,
      };
  }
}
