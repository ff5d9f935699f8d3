import { expect, test } from "bun:test";
import { join } from "node:path";

const MODULE = join(import.meta.dir, "..", "..", "src", "util", "local-time.ts");
/** Half an hour before midnight UTC in winter, and after it in summer. */
const MOMENTS = ["2026-01-31T23:30:05Z", "2026-07-01T00:30:59Z"];

type Seen = {
  zone: string;
  runtime: string;
  dates: string[];
  times: Record<string, string>[];
  expected: number[][];
};

// The zone of a process is fixed when it starts, so each zone needs a process of its own.
function inZone(zone: string | undefined): Seen {
  const script = `
    const { localDate, localTime, systemTimeZone } = await import(${JSON.stringify(MODULE)});
    const moments = ${JSON.stringify(MOMENTS)}.map((text) => new Date(text));
    console.log(JSON.stringify({ zone: systemTimeZone(), runtime: Intl.DateTimeFormat().resolvedOptions().timeZone,
      dates: moments.map(localDate), times: moments.map(localTime),
      expected: moments.map((at) => [at.getFullYear(), at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()]) }));`;
  const { TZ: _, ...env } = process.env;
  const done = Bun.spawnSync([process.execPath, "-e", script], {
    env: zone === undefined ? env : { ...env, TZ: zone },
  });
  expect(done.stderr.toString()).toBe("");
  return JSON.parse(done.stdout.toString());
}

test("a moment is shown as the clock of the zone shows it", () => {
  expect(inZone("Europe/Berlin")).toMatchObject({
    zone: "Europe/Berlin",
    dates: ["2026-02-01", "2026-07-01"],
    times: [
      { year: "2026", month: "02", day: "01", hours: "00", minutes: "30", seconds: "05" },
      { year: "2026", month: "07", day: "01", hours: "02", minutes: "30", seconds: "59" },
    ],
  });
  expect(inZone("America/New_York")).toMatchObject({ dates: ["2026-01-31", "2026-06-30"] });
});

for (const zone of ["UTC", "Etc/UTC", ":UTC", "Zulu", "EST5EDT", "No/Where", "", undefined]) {
  test(`with TZ ${zone === undefined ? "not set" : JSON.stringify(zone)} name and digits are those of the runtime`, () => {
    const seen = inZone(zone);
    expect(seen).toMatchObject({ zone: seen.runtime });
    const { times, expected } = seen;
    expect(times.map((time) => Object.values(time).map(Number))).toEqual(expected);
  });
}
