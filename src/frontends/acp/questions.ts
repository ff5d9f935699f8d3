import type { CreateElicitationRequest, ElicitationPropertySchema } from "@agentclientprotocol/sdk/unstable";
import type { Asker, FormAnswer, FormField, QuestionAnswer, UserQuestion } from "../../protocol/questions.ts";
import { uuidV7 } from "../../util/ids.ts";
import type { Client } from "./client.ts";
import type { Elicitation } from "./client-answers.ts";

/** Questions of the model, and forms of servers, as a form of the client. What can't be asked counts as not answered. */
export function askerOf(client: Pick<Client, "elicit" | "elicited" | "facts">, sessionId: string): Asker {
  const put = async (request: CreateElicitationRequest, signal: AbortSignal): Promise<FormAnswer> => {
    const answer = await client.elicit(request, signal).catch(() => undefined);
    return answer === undefined ? { action: "cancel" } : answerIn(answer);
  };
  return {
    ...(client.facts.addresses
      ? {
          async visit({ message, url, id }, signal) {
            const elicitationId = id || uuidV7();
            const { action } = await put({ mode: "url", sessionId, message, url, elicitationId }, signal);
            return action;
          },
          visited: (id) => client.elicited(id),
        }
      : {}),
    fillIn({ message, fields }, signal) {
      const requestedSchema = {
        type: "object" as const,
        properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
        required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      };
      return put({ mode: "form", sessionId, message, requestedSchema }, signal);
    },
    async ask(questions, signal) {
      const properties = Object.fromEntries(
        questions.flatMap((question, i) => [
          [`choice_${i + 1}`, choiceOf(question)],
          [`words_${i + 1}`, { type: "string", title: "In other words" } satisfies ElicitationPropertySchema],
        ]),
      );
      const message = questions.map(({ question }) => question).join("\n");
      const form = {
        mode: "form",
        sessionId,
        message,
        requestedSchema: { type: "object", properties },
      } as const;
      const { content } = await put(form, signal);
      return content && questions.map((_, i) => answerOf(content, i + 1));
    },
  };
}

function answerIn({ action, content }: Elicitation): FormAnswer {
  if (action !== "accept") return { action };
  return { action, content: content ?? {} };
}

function propertyOf(field: FormField): ElicitationPropertySchema {
  const { kind, title, description, minimum, maximum, minLength, maxLength, format, choices = [] } = field;
  const about = { title, description };
  const titled = choices.map(({ value, label }) => ({ const: value, title: label }));
  const given = field.default;
  const text = typeof given === "string" ? given : undefined;
  switch (kind) {
    case "text":
      return { type: "string", ...about, default: text, minLength, maxLength, format };
    case "choice":
      return { type: "string", ...about, default: text, oneOf: titled };
    case "choices":
      return {
        type: "array",
        ...about,
        default: Array.isArray(given) ? given : undefined,
        items: { anyOf: titled },
      };
    case "boolean":
      return { type: "boolean", ...about, default: typeof given === "boolean" ? given : undefined };
    case "number":
    case "integer":
      return {
        type: kind,
        ...about,
        default: typeof given === "number" ? given : undefined,
        minimum,
        maximum,
      };
  }
}

function choiceOf({ question, header, options, isMultiple }: UserQuestion): ElicitationPropertySchema {
  const about = { title: header ?? question, description: question };
  const choices = options.map(({ label, description }) => ({
    const: label,
    title: label,
    ...(description === undefined ? {} : { description }),
  }));
  if (choices.length === 0) return { type: "string", ...about };
  return isMultiple
    ? { type: "array", ...about, items: { anyOf: choices } }
    : { type: "string", ...about, oneOf: choices };
}

function answerOf(content: Readonly<Record<string, unknown>>, number: number): QuestionAnswer {
  const choice = content[`choice_${number}`];
  const words = content[`words_${number}`];
  const labels = (Array.isArray(choice) ? choice : [choice]).filter((label) => typeof label === "string");
  return typeof words === "string" && words.trim() !== "" ? { labels, text: words } : { labels };
}
