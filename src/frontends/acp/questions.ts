import type { ElicitationPropertySchema } from "@agentclientprotocol/sdk/unstable";
import type { Asker, QuestionAnswer, UserQuestion } from "../../protocol/questions.ts";
import type { Client } from "./client.ts";

/** Questions of the model as a form of the client. What can't be asked counts as not answered. */
export function askerOf(client: Pick<Client, "elicit">, sessionId: string): Asker {
  return {
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
      const answer = await client.elicit(form, signal).catch(() => undefined);
      const content =
        answer?.action === "accept" && isTable(answer["content"]) ? answer["content"] : undefined;
      return content && questions.map((_, i) => answerOf(content, i + 1));
    },
  };
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

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
