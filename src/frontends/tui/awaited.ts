import { basename } from "node:path";
import type { ApprovalRequest } from "../../protocol/approvals.ts";
import type { Asker } from "../../protocol/questions.ts";
import { GUARD_MS } from "./approval/keys.ts";
import { Approvals } from "./approvals.ts";
import type { Dialogs } from "./dialogs.ts";
import type { Notifier } from "./notify.ts";
import type { Port } from "./port.ts";
import { Interjections } from "./questions/interjections.ts";
import type { Approval } from "./state.ts";

type Where = Pick<Port, "cwd" | "state" | "change">;

/** What only the user can answer, consents and questions, and calling them for it. */
export class Awaited {
  readonly approvals: Approvals;
  readonly #port: Where;
  readonly #notifier: Notifier;
  readonly #interjections: Interjections;

  constructor(port: Where, dialogs: Dialogs, notifier: Notifier) {
    this.#port = port;
    this.#notifier = notifier;
    this.approvals = new Approvals((requests) => this.#asked(requests));
    this.#interjections = new Interjections({
      dialogs,
      request: () => port.change({}),
      waits: (isWaiting) => this.#waits(isWaiting),
    });
  }

  get asker(): Asker {
    return this.#interjections.asker;
  }

  /** The screen shows the conversation: a consent can be answered a moment later, or a question put. */
  drawn(): void {
    const [first, ...others] = this.#port.state.approvals;
    if (!first) this.#interjections.putNext();
    else if (first.openAt === undefined)
      this.#port.change({ approvals: [{ ...first, openAt: Date.now() + GUARD_MS }, ...others] });
  }

  #asked(requests: readonly ApprovalRequest[]): void {
    const known = this.#port.state.approvals;
    const approvals = requests.map(
      (request): Approval =>
        known.find((one) => one.request.id === request.id) ?? { request, stage: "choose" },
    );
    this.#port.change({ approvals });
    this.#waits(approvals.length > 0);
  }

  #waits(isWaiting: boolean): void {
    if (isWaiting) this.#notifier.wait("An answer is needed", basename(this.#port.cwd));
    else this.#notifier.calm();
  }
}
