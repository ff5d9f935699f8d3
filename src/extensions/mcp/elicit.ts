import { z } from "zod";
import type { Asker, QuestionAnswer, UserQuestion } from "../../protocol/questions.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";

export type Elicited = { action: "accept" | "decline" | "cancel"; content?: Record<string, Value> };
type Value = string | number | boolean | string[];

const Choice = z.looseObject({ const: z.string(), title: z.string().optional() });
const Property = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(Choice).optional(),
  items: z
    .looseObject({ enum: z.array(z.string()).optional(), anyOf: z.array(Choice).optional() })
    .optional(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
});
const Form = z.looseObject({
  message: z.string(),
  requestedSchema: z.looseObject({
    properties: z.record(z.string(), Property).default({}),
    required: z.array(z.string()).default([]),
  }),
});
const Address = z.looseObject({ mode: z.literal("url"), message: z.string(), url: z.url() });

type Property = z.infer<typeof Property>;

/** Puts what a server wants to know to the person. What can't be shown to them is declined. */
export async function elicit(
  server: string,
  params: unknown,
  asker: Asker,
  signal: AbortSignal,
): Promise<Elicited> {
  const { data: address } = Address.safeParse(params);
  if (address !== undefined) return visit(server, address, asker, signal);
  const { data: form } = Form.safeParse(params);
  if (form === undefined) return { action: "decline" };
  const { properties, required } = form.requestedSchema;
  const names = Object.keys(properties);
  const head = `${server}: ${form.message}`;
  if (names.length === 0) return agree(await asker.ask([yesOrNo(head)], signal));
  const questions = Object.entries(properties).map(([name, property], index) =>
    questionFor(name, property, index === 0 ? `${head}\n` : ""),
  );
  const answers = await asker.ask(questions, signal);
  if (answers === undefined) return { action: "cancel" };
  const content: Record<string, Value> = {};
  for (const [index, [name, property]] of Object.entries(properties).entries()) {
    const value = valueIn(property, answers[index]) ?? property.default;
    if (value !== undefined) content[name] = value;
    else if (required.includes(name)) return { action: "cancel" };
  }
  return { action: "accept", content };
}

async function visit(
  server: string,
  { message, url }: z.infer<typeof Address>,
  asker: Asker,
  signal: AbortSignal,
): Promise<Elicited> {
  if (!/^https?:$/.test(new URL(url).protocol)) return { action: "decline" };
  const question = yesOrNo(`${server}: ${message}\nOpen this address in your browser: ${url}`);
  const { action } = agree(await asker.ask([question], signal));
  return { action };
}

const YES = "Yes";
const NO = "No";

function yesOrNo(text: string): UserQuestion {
  return { question: terminalSafe(text), options: [{ label: YES }, { label: NO }], isMultiple: false };
}

/** Only the option itself is a yes: what the person writes in their own words may be anything. */
function agree(answers: readonly QuestionAnswer[] | undefined): Elicited {
  if (answers === undefined) return { action: "cancel" };
  return answers[0]?.labels.includes(YES) ? { action: "accept", content: {} } : { action: "decline" };
}

function questionFor(name: string, property: Property, head: string): UserQuestion {
  const { title = name, description } = property;
  const text = `${head}${title}${description === undefined ? "" : ` (${description})`}`;
  return {
    question: terminalSafe(text),
    header: terminalSafe(name),
    options: choicesOf(property).map(({ label }) => ({ label: terminalSafe(label) })),
    isMultiple: property.type === "array",
  };
}

function choicesOf(property: Property): { label: string; value: Value }[] {
  if (property.type === "boolean")
    return [
      { label: YES, value: true },
      { label: NO, value: false },
    ];
  const titled = property.oneOf ?? property.items?.anyOf;
  if (titled !== undefined)
    return titled.map(({ const: value, title }) => ({ label: title ?? value, value }));
  const names = property.enum ?? property.items?.enum ?? [];
  return names.map((value, index) => ({ label: property.enumNames?.[index] ?? value, value }));
}

/** Undefined for no answer, and for one that does not fit. */
function valueIn(property: Property, answer: QuestionAnswer | undefined): Value | undefined {
  if (answer === undefined) return undefined;
  const choices = choicesOf(property);
  const chosen = choices.filter(({ label }) => answer.labels.includes(terminalSafe(label)));
  if (property.type === "array") return chosen.map(({ value }) => String(value));
  const text = answer.text?.trim();
  if (choices.length > 0) return (chosen[0] ?? choices.find(({ label }) => label === text))?.value;
  if (text === undefined || text === "") return undefined;
  if (property.type !== "number" && property.type !== "integer") return text;
  const number = Number(text);
  return Number.isFinite(number) && (property.type === "number" || Number.isInteger(number))
    ? number
    : undefined;
}
