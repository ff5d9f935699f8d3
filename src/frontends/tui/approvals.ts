import type { ApprovalDecision, ApprovalRequest, Approver } from "../../protocol/approvals.ts";
import { beginsWith, plainWords } from "../../util/plain-command.ts";

type Waiting = { request: ApprovalRequest; answer(decision: ApprovalDecision): void };

/** Questions of the session, in the order in which they came. `onChange` gets those that wait. */
export class Approvals implements Approver {
  readonly #waiting = new Map<string, Waiting>();
  readonly #onChange: (requests: readonly ApprovalRequest[]) => void;

  constructor(onChange: (requests: readonly ApprovalRequest[]) => void) {
    this.#onChange = onChange;
  }

  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    if (signal.aborted) return Promise.resolve({ decision: "abort" });
    const { promise, resolve } = Promise.withResolvers<ApprovalDecision>();
    const give = () => this.#settle(request.id, { decision: "abort" });
    signal.addEventListener("abort", give, { once: true });
    this.#waiting.set(request.id, {
      request,
      answer: (decision) => {
        signal.removeEventListener("abort", give);
        resolve(decision);
      },
    });
    this.#report();
    return promise;
  }

  /** Answers a question, and with a yes for the session the waiting ones that it covers. */
  decide(id: string, decision: ApprovalDecision): void {
    const asked = this.#waiting.get(id)?.request;
    const subject = subjectOf(asked);
    this.#settle(id, decision);
    for (const [other, { request }] of [...this.#waiting]) {
      const isSame = LASTING.has(decision.decision) && subjectOf(request) === subject;
      if (isSame || isRuled(request, asked, decision)) this.#settle(other, { decision: "approved" });
    }
  }

  #settle(id: string, decision: ApprovalDecision): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    waiting.answer(decision);
    this.#report();
  }

  #report(): void {
    this.#onChange([...this.#waiting.values()].map(({ request }) => request));
  }
}

const LASTING: ReadonlySet<ApprovalDecision["decision"]> = new Set([
  "approved_for_session",
  "approved_always",
]);

function isRuled(
  request: ApprovalRequest,
  asked: ApprovalRequest | undefined,
  decision: ApprovalDecision,
): boolean {
  if (decision.decision !== "approved_with_rule" || request.kind !== "command" || asked?.kind !== "command")
    return false;
  const words = plainWords(request.argv);
  return words !== undefined && request.cwd === asked.cwd && beginsWith(words, decision.rule);
}

function subjectOf(request: ApprovalRequest | undefined): string {
  if (!request) return "";
  const { id: _, callId: __, reason: ___, ...subject } = request;
  // A yes to a tool is for all calls of it.
  if (subject.kind === "mcp") return JSON.stringify(["mcp", subject.server, subject.tool]);
  return JSON.stringify(subject);
}
