import type { PermissionOption } from "@agentclientprotocol/sdk/unstable";
import type { Asker, QuestionAnswer, UserQuestion } from "../../protocol/questions.ts";
import { uuidV7 } from "../../util/ids.ts";
import type { Client } from "./client.ts";
import { textContent, titleText } from "./texts.ts";

/**
 * Questions for clients without forms: one after the other, by the way that every client has of asking about a call. What
 * has no answers to choose from, or wants several, can't be asked so.
 */
export function choiceAsker(client: Pick<Client, "permission" | "update">, sessionId: string): Asker {
  return {
    async ask(questions, signal) {
      const answers: QuestionAnswer[] = [];
      for (const question of questions) {
        const answer = await choose(client, sessionId, question, signal);
        if (answer === undefined) return undefined;
        answers.push(answer);
      }
      return answers;
    },
  };
}

async function choose(
  client: Pick<Client, "permission" | "update">,
  sessionId: string,
  { question, header, options, isMultiple }: UserQuestion,
  signal: AbortSignal,
): Promise<QuestionAnswer | undefined> {
  if (isMultiple || options.length === 0) return undefined;
  const toolCallId = `question-${uuidV7()}`;
  const title = titleText(header === undefined ? question : `${header}: ${question}`);
  const content = [textContent(textOf(question, options))];
  const view = { toolCallId, title, kind: "other" as const, content };
  client.update(sessionId, { sessionUpdate: "tool_call", ...view, status: "pending" });
  const request = {
    sessionId,
    toolCall: { ...view, status: "pending" as const },
    options: optionsOf(options),
  };
  const chosen = await client.permission(request, signal).then(
    ({ outcome }) => (outcome.outcome === "selected" ? options[Number(outcome.optionId)]?.label : undefined),
    () => undefined,
  );
  const status = chosen === undefined ? "failed" : "completed";
  const answered = chosen === undefined ? {} : { content: [...content, textContent(`→ ${chosen}`)] };
  client.update(sessionId, { sessionUpdate: "tool_call_update", toolCallId, status, ...answered });
  return chosen === undefined ? undefined : { labels: [chosen] };
}

function textOf(question: string, options: UserQuestion["options"]): string {
  const about = options.flatMap(({ label, description }) =>
    description === undefined ? [] : [`- ${label}: ${description}`],
  );
  return [question, ...(about.length === 0 ? [] : ["", ...about])].join("\n");
}

/** To a client that answers by itself, the first answer is a yes and the others are noes. */
function optionsOf(options: UserQuestion["options"]): PermissionOption[] {
  return options.map(({ label }, index) => ({
    optionId: String(index),
    name: titleText(label),
    kind: index === 0 ? "allow_once" : "reject_once",
  }));
}
