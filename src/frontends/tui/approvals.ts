import type { ApprovalDecision, ApprovalRequest, Approver } from "../../protocol/approvals.ts";

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

  /** Answers a question, and for a session-wide yes the waiting ones that ask exactly the same. */
  decide(id: string, decision: ApprovalDecision): void {
    const subject = subjectOf(this.#waiting.get(id)?.request);
    this.#settle(id, decision);
    if (decision.decision !== "approved_for_session") return;
    for (const [other, { request }] of [...this.#waiting])
      if (subjectOf(request) === subject) this.#settle(other, { decision: "approved" });
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

function subjectOf(request: ApprovalRequest | undefined): string {
  if (!request) return "";
  const { id: _, callId: __, reason: ___, ...subject } = request;
  return JSON.stringify(subject);
}
