import type { QuestionAnswer, UserQuestion } from "../../../protocol/questions.ts";
import type { Asker, Choice } from "../prompts/asker.ts";
import { cut, safeLine } from "../view/text.ts";

/** A question longer than this is shown above its answers, not as their title. */
const LONGEST_TITLE = 160;
/** Of a longer text, the beginning and the end are shown: an address to be opened stands at the end. */
const LONGEST_TEXT = 6000;
/** In cells. Descriptions stand in one column after the labels, unless a label is wider than this. */
const WIDEST_COLUMN = 32;
const LONGEST_LABEL = 200;
const OWN_WORDS = "something else, in your own words…";

/** What stands for an answer in the person's own words. */
type Picked = { label: string } | "own";

/**
 * Puts the questions of a model or a server to a person, one after the other: the answers that were offered, and always
 * one in their own words. Undefined as soon as one is put aside.
 */
export async function putQuestions(
  asker: Asker,
  questions: readonly UserQuestion[],
): Promise<QuestionAnswer[] | undefined> {
  const answers: QuestionAnswer[] = [];
  for (const [i, question] of questions.entries()) {
    const count = questions.length > 1 ? `${i + 1} of ${questions.length}: ` : "";
    const answer = await put(asker, question, count);
    if (answer === undefined) return undefined;
    answers.push(answer);
  }
  return answers;
}

async function put(
  asker: Asker,
  { question, header, options, isMultiple }: UserQuestion,
  count: string,
): Promise<QuestionAnswer | undefined> {
  const text = question.trim();
  const isLong = text.includes("\n") || text.length > LONGEST_TITLE;
  if (isLong) asker.say(shortened(text));
  const message = count + (isLong ? oneLine(header ?? "", LONGEST_TITLE) || "Your answer" : text);
  if (options.length === 0) return ownWords(await asker.text({ message }));
  const choices = choicesOf(options);
  for (let marked: number[] = []; ; ) {
    const picked = isMultiple
      ? await asker.chooseMany({ message, choices, marked })
      : oneOf(await asker.choose({ message, choices, initial: 0 }));
    if (picked === undefined) return undefined;
    const labels = picked.flatMap((one) => (one === "own" ? [] : [one.label]));
    marked = choices.flatMap(({ value }, i) => (value !== "own" && picked.includes(value) ? [i] : []));
    if (!picked.includes("own")) return { labels };
    const words = await asker.text({ message: "In your own words" });
    // Put aside: back to the answers that were offered.
    if (words !== undefined) return words === "" ? { labels } : { labels, text: words };
  }
}

function oneOf(picked: Picked | undefined): Picked[] | undefined {
  return picked === undefined ? undefined : [picked];
}

function ownWords(text: string | undefined): QuestionAnswer | undefined {
  return text === undefined ? undefined : { labels: [], text };
}

function choicesOf(options: UserQuestion["options"]): Choice<Picked>[] {
  const shown = options.map(({ label, description }) => ({
    name: oneLine(label, LONGEST_LABEL) || "(without a name)",
    meaning: oneLine(description ?? "", LONGEST_LABEL),
  }));
  const widths = shown.map(({ name }) => Bun.stringWidth(name));
  const column = widths.reduce((most, width) => (width > WIDEST_COLUMN ? most : Math.max(most, width)), 0);
  const offered = shown.map(({ name, meaning }, i): Choice<Picked> => {
    const gap = " ".repeat(Math.max(0, column - (widths[i] ?? 0)));
    const value = { label: options[i]?.label ?? name };
    return { value, label: meaning === "" ? name : `${name}${gap}  ${meaning}` };
  });
  return [...offered, { value: "own", label: OWN_WORDS }];
}

/** In one row of at most `most` cells. */
function oneLine(text: string, most: number): string {
  // Measuring a megabyte for what is cut anyway would hold the keys up.
  return cut(safeLine(text.slice(0, 4 * most)).replace(/\s+/g, " "), most);
}

function shortened(text: string): string {
  const left = text.length - LONGEST_TEXT;
  if (left <= 0) return text;
  const half = LONGEST_TEXT / 2;
  return `${text.slice(0, half)}\n… ${left} characters are left out …\n${text.slice(-half)}`;
}
