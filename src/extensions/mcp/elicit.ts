import { z } from "zod";
import type {
  Asker,
  FormAnswer,
  FormField,
  FormValue,
  QuestionAnswer,
  UserQuestion,
} from "../../protocol/questions.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import { completed, fieldsOf, RequestedSchema } from "./form.ts";

export type Elicited = { action: FormAnswer["action"]; content?: Record<string, FormValue> };

/** Nobody fills in more. */
const MOST_FIELDS = 100;
/** Characters. */
const LONGEST_MESSAGE = 4_000;

const Form = z.looseObject({ message: z.string(), requestedSchema: RequestedSchema });
const Address = z.looseObject({
  mode: z.literal("url"),
  message: z.string(),
  url: z.url(),
  elicitationId: z.string().default(""),
});

/** Puts what a server wants to know to the person. What can't be shown to them is declined. */
export async function elicit(
  server: string,
  params: unknown,
  asker: Asker,
  signal: AbortSignal,
): Promise<Elicited> {
  const { data: address } = Address.safeParse(params);
  if (address !== undefined) return { action: await visit(server, address, asker, signal) };
  const { data: form } = Form.safeParse(params);
  if (form === undefined) return { action: "decline" };
  const message = terminalSafe(`${server}: ${form.message.slice(0, LONGEST_MESSAGE)}`);
  const fields = fieldsOf(form.requestedSchema);
  if (fields.length > MOST_FIELDS) return { action: "decline" };
  const answer = asker.fillIn
    ? await asker.fillIn({ message, fields }, signal)
    : await answerQuestions(message, fields, asker, signal);
  if (answer.action !== "accept") return { action: answer.action };
  const content = completed(fields, answer.content ?? {});
  return content === undefined ? { action: "cancel" } : { action: "accept", content };
}

async function visit(
  server: string,
  { message, url, elicitationId: id }: z.infer<typeof Address>,
  asker: Asker,
  signal: AbortSignal,
): Promise<FormAnswer["action"]> {
  if (!/^https?:$/.test(new URL(url).protocol)) return "decline";
  const text = `${server}: ${message.slice(0, LONGEST_MESSAGE)}`;
  if (asker.visit !== undefined) return asker.visit({ message: terminalSafe(text), url, id }, signal);
  const question = yesOrNo(`${text}\nOpen this address in your browser: ${url}`);
  return agreed(await asker.ask([question], signal));
}

async function answerQuestions(
  message: string,
  fields: readonly FormField[],
  asker: Asker,
  signal: AbortSignal,
): Promise<FormAnswer> {
  if (fields.length === 0) return { action: agreed(await asker.ask([yesOrNo(message)], signal)) };
  const questions = fields.map((field, index) => questionFor(field, index === 0 ? `${message}\n` : ""));
  const answers = await asker.ask(questions, signal);
  if (answers === undefined) return { action: "cancel" };
  const given = fields.map((field, index) => [field.name, valueIn(field, answers[index])]);
  return { action: "accept", content: Object.fromEntries(given) };
}

const YES = "Yes";
const NO = "No";

function yesOrNo(text: string): UserQuestion {
  return { question: terminalSafe(text), options: [{ label: YES }, { label: NO }], isMultiple: false };
}

/** Only the option itself is a yes: what the person writes in their own words may be anything. */
function agreed(answers: readonly QuestionAnswer[] | undefined): FormAnswer["action"] {
  if (answers === undefined) return "cancel";
  return answers[0]?.labels.includes(YES) ? "accept" : "decline";
}

function questionFor(
  { name, kind, title = name, description, choices = [] }: FormField,
  head: string,
): UserQuestion {
  const labels = kind === "boolean" ? [YES, NO] : choices.map(({ label }) => label);
  return {
    question: `${head}${title}${description === undefined ? "" : ` (${description})`}`,
    header: terminalSafe(name),
    options: labels.map((label) => ({ label })),
    isMultiple: kind === "choices",
  };
}

/** Undefined for no answer. */
function valueIn({ kind, choices = [] }: FormField, answer: QuestionAnswer | undefined): unknown {
  if (answer === undefined) return undefined;
  const text = answer.text?.trim() || undefined;
  const chosen = choices.filter(({ label }) => answer.labels.includes(label));
  switch (kind) {
    case "boolean":
      return booleanIn(answer.labels[0] ?? text);
    case "choices":
      return chosen.map(({ value }) => value);
    case "choice":
      return (chosen[0] ?? choices.find(({ label }) => label === text))?.value;
    case "number":
    case "integer":
      return text === undefined ? undefined : Number(text);
    case "text":
      return text;
  }
}

function booleanIn(label: string | undefined): boolean | undefined {
  if (label === YES) return true;
  return label === NO ? false : undefined;
}
