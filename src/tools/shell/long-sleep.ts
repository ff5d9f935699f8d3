const SLEEP = /^\s*sleep\s+(\d+(?:\.\d+)?)([smhd]?)\s*(?:$|[;&|\n])/;
const SECONDS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Why a command that begins by sleeping is refused; undefined when it may run. `longest` in seconds. */
export function longSleep(command: string, longest: number | undefined): string | undefined {
  const match = SLEEP.exec(command);
  if (longest === undefined || !match) return undefined;
  const seconds = Number(match[1]) * (SECONDS[match[2] ?? ""] ?? 1);
  return seconds > longest
    ? `a command that begins with a sleep of ${seconds} s only waits; start what you wait for in the background, or sleep at most ${longest} s`
    : undefined;
}
