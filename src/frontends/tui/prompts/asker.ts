export type Choice<T> = {
  value: T;
  label: string;
  /** Shown beside the label while it is the current one. */
  hint?: string;
  /** A character that takes it at once. */
  key?: string;
};
export type ChoiceQuestion<T> = {
  message: string;
  choices: readonly Choice<T>[];
  /** Index of the one to begin with. */
  initial?: number;
};
export type ManyQuestion<T> = Pick<ChoiceQuestion<T>, "message" | "choices"> & {
  /** Indices of those that are marked to begin with. */
  marked?: readonly number[];
};
export type TextQuestion = {
  message: string;
  placeholder?: string;
  initial?: string;
  /** What is wrong with a value, in a few words; undefined when it can be taken. */
  check?(value: string): string | undefined;
};
export type ConfirmQuestion = { message: string; yes?: string; no?: string };
/** A task that takes a while. It throws when it fails, and ends soon after `signal` was aborted. */
export type Task<T> = {
  title: string;
  run(report: (text: string) => void, signal: AbortSignal): Promise<T>;
};

/** Somebody who can be asked, one question after the other. Undefined stands for a question that was put aside. */
export interface Asker {
  choose<T>(question: ChoiceQuestion<T>): Promise<T | undefined>;
  /** Any number of the choices, none included. */
  chooseMany<T>(question: ManyQuestion<T>): Promise<T[] | undefined>;
  /** No is what Enter means. */
  confirm(question: ConfirmQuestion): Promise<boolean | undefined>;
  text(question: TextQuestion): Promise<string | undefined>;
  /** A secret: never shown, and not kept by the asker. */
  secret(question: TextQuestion): Promise<string | undefined>;
  /** Shows lines that need no answer. */
  say(text: string): void;
  /** Shows how a task goes on; undefined when the user stopped it. Throws what the task throws. */
  work<T>(task: Task<T>): Promise<T | undefined>;
}
