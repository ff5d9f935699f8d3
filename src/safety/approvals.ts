import type { ApprovalDecision, ApprovalSubject } from "../protocol/approvals.ts";

/** What the user said yes to "for this session". */
export class ApprovalMemory {
  readonly #granted = new Set<string>();

  covers(subject: ApprovalSubject): boolean {
    return keysOf(subject).every((key) => this.#granted.has(key));
  }

  note(subject: ApprovalSubject, decision: ApprovalDecision): void {
    if (decision.decision !== "approved_for_session") return;
    for (const key of keysOf(subject)) this.#granted.add(key);
  }
}

/** Patches are remembered file by file, commands by argv and folder. */
function keysOf(subject: ApprovalSubject): string[] {
  switch (subject.kind) {
    case "command":
      return [JSON.stringify(["command", subject.cwd, subject.argv])];
    case "patch":
      return subject.changes.flatMap(({ path, movedTo }) =>
        [path, ...(movedTo ? [movedTo] : [])].map((file) => JSON.stringify(["file", file])),
      );
    case "permissions":
      return [JSON.stringify(["permissions", subject.access])];
    case "mcp":
      return [JSON.stringify(["mcp", subject.server, subject.tool])];
  }
}
