/** 0.4s, 12s, 3m 05s, 1h 02m. */
export function durationText(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`;
  return secondsText(Math.round(ms / 1000));
}

/** For what counts on: 4s, 12s, 3m 05s, 1h 02m. */
export function secondsText(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h ${two(Math.floor(seconds / 60) % 60)}m`;
}

/** 980, 3.1k, 1.2M. */
export function countText(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${(count / 1000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** `$0.03`, and below a cent as much as tells something; undefined for nothing. */
export function costText(cost: number | undefined): string | undefined {
  if (cost === undefined || cost < 0.00005) return undefined;
  return `$${cost >= 0.01 ? cost.toFixed(2) : cost.toFixed(4).replace(/0+$/, "")}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
