import type { ApprovalDecision, ApprovalSubject } from "../protocol/approvals.ts";
import { isCovered } from "./prefix-rules.ts";

/** What the user said yes to "for this session". */
export class ApprovalMemory {
  readonly #granted = new Set<string>();
  readonly #rules: { cwd: string; rule: readonly string[] }[] = [];

  covers(subject: ApprovalSubject): boolean {
    return this.#isRuled(subject) || keysOf(subject).every((key) => this.#granted.has(key));
  }

  note(subject: ApprovalSubject, decision: ApprovalDecision): void {
    if (decision.decision === "approved_with_rule" && subject.kind === "command")
      this.#rules.push({ cwd: subject.cwd, rule: decision.rule });
    if (decision.decision !== "approved_for_session" && decision.decision !== "approved_always") return;
    for (const key of keysOf(subject)) this.#granted.add(key);
  }

  #isRuled(subject: ApprovalSubject): boolean {
    if (subject.kind !== "command") return false;
    const { argv, cwd } = subject;
    return this.#rules.some((one) => one.cwd === cwd && isCovered(argv, one.rule));
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
