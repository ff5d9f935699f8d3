import type { Asker, FormAnswer, FormField, QuestionAnswer, UserQuestion } from "../../protocol/questions.ts";
import { uuidV7 } from "../../util/ids.ts";
import { recordOf } from "../../util/json.ts";
import type { Call } from "./call.ts";

export type AskedThread = { newestCall(): Call | undefined };

/**
 * Questions of the model, and forms of servers below us, for the person at the client. Fields have only the types that
 * every version of the protocol knows: where several answers may be chosen, they are written in one line.
 */
export function elicitingAsker(thread: AskedThread, { addresses }: { addresses: boolean }): Asker {
  const put = async (params: Record<string, unknown>, signal: AbortSignal): Promise<FormAnswer> => {
    const answer = await thread
      .newestCall()
      ?.elicit(params, signal)
      .catch(() => undefined);
    if (answer?.action === "accept") return { action: "accept", content: recordOf(answer["content"]) };
    return { action: answer?.action === "decline" ? "decline" : "cancel" };
  };
  const fillIn = async (message: string, fields: readonly FormField[], signal: AbortSignal) => {
    const properties = Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)]));
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    const requestedSchema = { type: "object", properties, required };
    const answer = await put({ mode: "form", message, requestedSchema }, signal);
    return { ...answer, ...(answer.content ? { content: splitLists(fields, answer.content) } : {}) };
  };
  return {
    async ask(questions, signal) {
      const fields = questions.map(fieldOf);
      const message = questions.map(({ question }) => question).join("\n");
      const { content } = await fillIn(message, fields, signal);
      return content && fields.map(({ name }, index) => answerOf(content[name], questions[index]));
    },
    fillIn: ({ message, fields }, signal) => fillIn(message, fields, signal),
    ...(addresses
      ? {
          async visit({ message, url, id }, signal) {
            const elicitationId = id || uuidV7();
            return (await put({ mode: "url", message, url, elicitationId }, signal)).action;
          },
        }
      : {}),
  };
}

/** The answers are named in the description, and other words may stand in their place. */
function fieldOf({ question, header, options, isMultiple }: UserQuestion, index: number): FormField {
  const known = options.map(({ label, description }) => (description ? `${label} (${description})` : label));
  const hint = known.length === 0 ? "" : ` ${isMultiple ? "Some of" : "One of"}: ${known.join(", ")}.`;
  return {
    name: `answer_${index + 1}`,
    kind: isMultiple ? "choices" : "text",
    isRequired: false,
    title: header ?? question,
    description: `${question}${hint}`,
  };
}

function answerOf(value: unknown, question: UserQuestion | undefined): QuestionAnswer {
  const labels = question?.options.map(({ label }) => label) ?? [];
  const words = Array.isArray(value) ? value.map(String) : [String(value ?? "").trim()];
  const others = words.filter((word) => word !== "" && !labels.includes(word));
  const chosen = words.filter((word) => labels.includes(word));
  return others.length === 0 ? { labels: chosen } : { labels: chosen, text: others.join(", ") };
}

function propertyOf(field: FormField): Record<string, unknown> {
  const { kind, title, description, minimum, maximum, minLength, maxLength, format, choices } = field;
  const about = { title, description, ...(field.default === undefined ? {} : { default: field.default }) };
  const values = choices?.map(({ value }) => value);
  switch (kind) {
    case "text":
      return { type: "string", ...about, minLength, maxLength, format };
    case "choice":
      return { type: "string", ...about, enum: values, enumNames: choices?.map(({ label }) => label) };
    case "choices": {
      const hint = values === undefined ? "" : ` Some of: ${values.join(", ")}.`;
      const text = `${description ?? ""}${hint} Separated by commas.`.trim();
      const given = Array.isArray(field.default) ? { default: field.default.join(", ") } : {};
      return { type: "string", title, description: text, ...given };
    }
    case "boolean":
      return { type: "boolean", ...about };
    case "number":
    case "integer":
      return { type: kind, ...about, minimum, maximum };
  }
}

function splitLists(
  fields: readonly FormField[],
  content: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const lists = new Set(fields.filter(({ kind }) => kind === "choices").map(({ name }) => name));
  const entries = Object.entries(content).map(([name, value]) => [
    name,
    lists.has(name) && typeof value === "string" ? partsOf(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function partsOf(line: string): string[] {
  return line
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
