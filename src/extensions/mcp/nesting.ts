/** A deeper answer is a trap: whoever writes it out again runs out of stack. */
export const MOST_NESTING = 500;

/** Does a JSON value hold lists or objects inside of each other, more than `levels` deep? */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    const next: unknown[] = [];
    for (const one of level)
      if (typeof one === "object" && one !== null)
        for (const member of Object.values(one))
          if (typeof member === "object" && member !== null) next.push(member);
    level = next;
  }
  return false;
}
