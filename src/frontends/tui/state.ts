import type { ApprovalRequest } from "../../protocol/approvals.ts";
import { type Composer, EMPTY_COMPOSER, type Message, type Written } from "./input/composer.ts";
import type { Keymap } from "./input/keymap.ts";
import type { Vim } from "./input/vim/types.ts";
import type { CommandFacts, Popup } from "./popup/types.ts";

/** What the user said while a turn ran, for its next step. */
export type Steer = { message: Message; composer: Composer; isRead: boolean };

/** What the running turn is doing. Times in ms since the epoch. */
export type Turn = {
  startedAt: number;
  isStopping: boolean;
};

/** A question that waits for an answer. */
export type Approval = {
  request: ApprovalRequest;
  /** When a key may answer it, at the earliest; undefined before it was painted. */
  openAt?: number;
  /** The choice that Enter takes; none is preselected. */
  selected?: number;
  /** `reason`: the composer takes what to do instead. `edit`: it takes another command; `rule`: how commands begin. */
  stage: "choose" | "reason" | "edit" | "rule";
  /** What was being written when the composer was taken for the answer. */
  draftBefore?: Composer | undefined;
};

/**
 * Everything that keys change, as one value. What the session says lives in the transcript; what is asked by clack in the
 * prompts.
 */
export type AppState = {
  readonly phase: "starting" | "opening" | "ready" | "ending";
  readonly composer: Composer;
  /** Undefined where keys always write. */
  readonly vim: Vim | undefined;
  readonly popup: Popup | undefined;
  /** A popup that Esc closed stays closed for the word that it was for. */
  readonly closedPopup: string | undefined;
  readonly approvals: readonly Approval[];
  readonly turn: Turn | undefined;
  readonly steers: readonly Steer[];
  /** To be sent when the turn has ended, or when the session is ready. */
  readonly queue: readonly Composer[];
  /** One row under the composer, until the next key. */
  readonly hint: string | undefined;
  /** The next Ctrl+C or Ctrl+D quits. */
  readonly isQuitArmed: boolean;
  /** The next Esc lists earlier messages. */
  readonly isEditArmed: boolean;
  readonly showsKeys: boolean;
  /** Earlier messages, the newest first. */
  readonly history: readonly HistoryEntry[];
};

export type HistoryEntry = {
  text: string;
  /** ms since the epoch. */
  at: number;
  cwd?: string;
  /** With its pictures and folded pastes, when it has some and is of this run. */
  as?: Written;
};

/** What keys are read with: fixed while one of them is handled. */
export type Surroundings = {
  keymap: Keymap;
  commands: readonly CommandFacts[];
  /** Those that can be named with a dollar sign. */
  skills?: readonly { name: string; description: string }[];
  /** ms since the epoch. */
  now: number;
};

/** What has to be done outside the state. */
export type Effect =
  | { do: "send"; message: Message }
  | { do: "steer"; message: Message }
  | {
      do: "interrupt" | "quit" | "suspend" | "repaint" | "editor" | "transcript" | "copy" | "arm_quit";
    }
  | { do: "paste_image" }
  | { do: "paste"; text: string }
  | { do: "command"; name: string; argument: string }
  | { do: "shell"; command: string }
  | { do: "remember"; text: string; as?: Written | undefined }
  | { do: "find_files"; query: string }
  | { do: "effort"; by: 1 | -1 }
  | { do: "full_text"; request: ApprovalRequest }
  | { do: "decide"; id: string; decision: ApprovalAnswer };
export type ApprovalAnswer =
  | { decision: "approved" | "approved_for_session" | "approved_always" | "abort" }
  | { decision: "approved_with_rule"; rule: string[] }
  | { decision: "denied"; message?: string };

export type Step = { state: AppState; effects: readonly Effect[] };

export const INITIAL_STATE: AppState = {
  phase: "starting",
  composer: EMPTY_COMPOSER,
  vim: undefined,
  popup: undefined,
  closedPopup: undefined,
  approvals: [],
  turn: undefined,
  steers: [],
  queue: [],
  hint: undefined,
  isQuitArmed: false,
  isEditArmed: false,
  showsKeys: false,
  history: [],
};

export function step(state: AppState, ...effects: Effect[]): Step {
  return { state, effects };
}
