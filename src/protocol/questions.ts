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
}
