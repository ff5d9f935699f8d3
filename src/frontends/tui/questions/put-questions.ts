import type { QuestionAnswer, UserQuestion } from "../../../protocol/questions.ts";
import type { Asker, Choice } from "../prompts/asker.ts";

/** A question longer than this is shown above its answers, not as their title. */
const LONGEST_TITLE = 160;
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
  if (isLong) asker.say(text);
  const message = count + (isLong ? (header ?? "Your answer") : text);
  if (options.length === 0) return ownWords(await asker.text({ message }));
  for (;;) {
    const choices = choicesOf(options);
    const picked = isMultiple
      ? await asker.chooseMany({ message, choices })
      : oneOf(await asker.choose({ message, choices, initial: 0 }));
    if (picked === undefined) return undefined;
    const labels = picked.flatMap((one) => (one === "own" ? [] : [one.label]));
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
  const width = Math.max(...options.map(({ label }) => Bun.stringWidth(label)));
  const offered = options.map(({ label, description }): Choice<Picked> => {
    const gap = " ".repeat(width - Bun.stringWidth(label));
    return { value: { label }, label: description ? `${label}${gap}  ${oneLine(description)}` : label };
  });
  return [...offered, { value: "own", label: OWN_WORDS }];
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
