/** A line of a diff with its number, in the new file unless it was removed. A gap stands for lines left out. */
export type DiffLine = { number: number; sign: "+" | "-" | " " | "gap"; text: string };

/** The lines of the hunks of a unified diff. */
export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let isInHunk = false;
  for (const line of diff.split(/\r?\n/)) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      if (isInHunk) lines.push({ number: after, sign: "gap", text: "" });
      isInHunk = true;
    } else if (!isInHunk) continue;
    else if (line.startsWith("+")) lines.push({ number: after++, sign: "+", text: line.slice(1) });
    else if (line.startsWith("-")) lines.push({ number: before++, sign: "-", text: line.slice(1) });
    else if (line.startsWith(" ")) {
      lines.push({ number: after++, sign: " ", text: line.slice(1) });
      before++;
    }
  }
  return lines;
}

/** Changed lines and at most `context` others around each; a gap where some are left out between two. */
export function nearChanges(lines: readonly DiffLine[], context: number): DiffLine[] {
  const isNear = lines.map(() => false);
  for (const [i, { sign }] of lines.entries()) {
    if (sign === " " || sign === "gap") continue;
    const from = Math.max(0, i - context);
    const to = Math.min(lines.length - 1, i + context);
    for (let at = from; at <= to; at++) isNear[at] = true;
  }
  const near: DiffLine[] = [];
  let isCut = false;
  for (const [i, line] of lines.entries()) {
    if (line.sign === "gap" || !isNear[i]) {
      isCut = true;
      continue;
    }
    if (isCut && near.length > 0) near.push({ number: line.number, sign: "gap", text: "" });
    isCut = false;
    near.push(line);
  }
  return near;
}

/** The names in the head of a unified diff, as seen from the working directory. */
export function pathsOf(diff: string): { before?: string; after?: string } {
  const [head = ""] = diff.split(/\n@@/, 1);
  const before = /^--- a\/(.+?)\r?$/m.exec(head)?.[1];
  const after = /^\+\+\+ b\/(.+?)\r?$/m.exec(head)?.[1];
  return { ...(before && { before }), ...(after && { after }) };
}
