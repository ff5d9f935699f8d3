/** One thing that was looked at. `hint` says what to do when it is not well. */
export type Check = { name: string; verdict: "ok" | "warn" | "fail"; detail: string; hint?: string };

export function good(name: string, detail: string): Check {
  return { name, verdict: "ok", detail };
}

export function warned(name: string, detail: string, hint?: string): Check {
  return { name, verdict: "warn", detail, ...(hint === undefined ? {} : { hint }) };
}

export function failed(name: string, detail: string, hint?: string): Check {
  return { name, verdict: "fail", detail, ...(hint === undefined ? {} : { hint }) };
}

const MARKS = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;
const INDENT = " ".repeat(21);

/** A check as lines for a person; what to do stands below what was found. */
export function checkText({ name, verdict, detail, hint }: Check): string {
  const body = [detail, ...(hint === undefined ? [] : hint.split("\n"))].join(`\n${INDENT}`);
  return `${MARKS[verdict]}  ${name.padEnd(14)} ${body}\n`;
}
