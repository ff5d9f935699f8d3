/** A question of the model with answers to choose from; a person may always answer in their own words. */
export type UserQuestion = {
  question: string;
  /** A word or two that name it. */
  header?: string;
  options: readonly QuestionOption[];
  /** More than one may be chosen. */
  isMultiple: boolean;
};
export type QuestionOption = { label: string; description?: string };

/** `labels` of the options that were chosen; `text` is what the person wrote besides or in their place. */
export type QuestionAnswer = { labels: readonly string[]; text?: string };

/** Whoever can put questions to a person. */
export interface Asker {
  /** One answer for each question, in order; undefined when the person does not want to answer. */
  ask(
    questions: readonly UserQuestion[],
    signal: AbortSignal,
  ): Promise<readonly QuestionAnswer[] | undefined>;
  /** Shows a whole form; without it, a form is put as questions. */
  fillIn?(form: UserForm, signal: AbortSignal): Promise<FormAnswer>;
  /** Shows an address to be opened; without it, that is a question. */
  visit?(place: UserAddress, signal: AbortSignal): Promise<FormAnswer["action"]>;
  /** What had to be done at an address of `visit` is done. */
  visited?(id: string): void;
}

export type UserForm = { message: string; fields: readonly FormField[] };
/** `choices` belong to `choice` (one of them) and `choices` (any number). Limits are inclusive. */
export type FormField = {
  name: string;
  kind: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  isRequired: boolean;
  title?: string;
  description?: string;
  choices?: readonly { value: string; label: string }[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  format?: "email" | "uri" | "date" | "date-time";
  default?: FormValue;
};
export type FormValue = string | number | boolean | string[];

/** `id` names what is done at the address, until the server says that it is done. */
export type UserAddress = { message: string; url: string; id: string };

/** `content` holds what came back by the names of the fields, not checked yet. */
export type FormAnswer = {
  action: "accept" | "decline" | "cancel";
  content?: Readonly<Record<string, unknown>>;
};
