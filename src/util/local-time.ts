import { readlinkSync } from "node:fs";

// The first question about local time loads the tables of all zones, which costs a small run a fifth of its time. The
// clock of a container or a server mostly shows UTC, and that needs no table.

/** The digits of a clock on the wall, with leading zeros. */
export type WallTime = {
  year: string;
  month: string;
  day: string;
  hours: string;
  minutes: string;
  seconds: string;
};

/** The system's time zone by its IANA name. */
export function systemTimeZone(): string {
  return isUtcHere() ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The moment as a clock in the system's time zone shows it. */
export function localTime(at: Date): WallTime {
  if (isUtcHere()) return utcTime(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return {
    year: String(at.getFullYear()).padStart(4, "0"),
    month: two(at.getMonth() + 1),
    day: two(at.getDate()),
    hours: two(at.getHours()),
    minutes: two(at.getMinutes()),
    seconds: two(at.getSeconds()),
  };
}

/** `YYYY-MM-DD` in the system's time zone. */
export function localDate(at: Date): string {
  const { year, month, day } = localTime(at);
  return `${year}-${month}-${day}`;
}

/** `HH:MM:SS` in the system's time zone; `at` in ms since the epoch. */
export function clockTime(at: number): string {
  const { hours, minutes, seconds } = localTime(new Date(at));
  return `${hours}:${minutes}:${seconds}`;
}

function utcTime(at: Date): WallTime {
  const [date = "", time = ""] = at.toISOString().split("T");
  const [year = "", month = "", day = ""] = date.split("-");
  const [hours = "", minutes = "", seconds = ""] = time.slice(0, 8).split(":");
  return { year, month, day, hours, minutes, seconds };
}

const UTC = /^(.*\/zoneinfo\/)?(Etc\/)?(UTC|UCT|Universal|Zulu)$/;

/** False when only the runtime can tell. */
function isUtcHere(): boolean {
  const { TZ } = process.env;
  if (TZ) return UTC.test(TZ);
  if (process.platform === "win32") return false;
  try {
    return UTC.test(readlinkSync("/etc/localtime"));
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
  }
}
