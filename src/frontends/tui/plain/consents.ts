import type { ApprovalRequest, Approver } from "../../../protocol/approvals.ts";
import { Approvals } from "../approvals.ts";
import { askApproval, outcomeText } from "./plain-approvals.ts";
import type { PlainAsker } from "./plain-asker.ts";

export type ConsentsOptions = {
  asker: PlainAsker;
  /** No other question is open or coming. */
  isFree(): boolean;
  /** A question was answered; lines can go elsewhere. */
  onAnswered(): void;
};

/** The consents that a session asks for, one at a time. */
export class Consents {
  readonly #options: ConsentsOptions;
  readonly #approvals = new Approvals((requests) => this.#changed(requests));
  #waiting: readonly ApprovalRequest[] = [];
  /** Id of the one that is being asked for. */
  #asking: string | undefined;

  constructor(options: ConsentsOptions) {
    this.#options = options;
  }

  get approver(): Approver {
    return this.#approvals;
  }

  get isAsking(): boolean {
    return this.#asking !== undefined;
  }

  /** Asks for the next one, if there is one and nothing else is asked. */
  next(): void {
    const { asker, isFree, onAnswered } = this.#options;
    const [request] = this.#waiting;
    if (!request || this.isAsking || !isFree()) return;
    this.#asking = request.id;
    void askApproval(asker, request).then((decision) => {
      this.#asking = undefined;
      asker.say(outcomeText(decision));
      this.#approvals.decide(request.id, decision);
      onAnswered();
      this.next();
    });
  }

  #changed(requests: readonly ApprovalRequest[]): void {
    this.#waiting = requests;
    const isTakenBack = this.isAsking && !requests.some(({ id }) => id === this.#asking);
    if (isTakenBack) this.#options.asker.cancel();
    else this.next();
  }
}
