import { z } from "zod";
import type { QuestionAnswer, UserQuestion } from "../protocol/questions.ts";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

// Harnesses name the mark for several answers differently.
const Question = z.looseObject({
  question: z.string(),
  header: z.string().optional(),
  options: z.array(z.looseObject({ label: z.string(), description: z.string().optional() })).optional(),
  multiSelect: z.boolean().optional(),
  multi_select: z.boolean().optional(),
  multiple: z.boolean().optional(),
});
const AskUserInput = z.looseObject({ questions: z.array(Question).min(1) });
type AskUserInput = z.infer<typeof AskUserInput>;

/** Native "ask_user": questions to the person at the terminal. Where nobody can answer, the model decides for itself. */
export const askUser = defineTool<AskUserInput>({
  name: "ask_user",
  schema: AskUserInput,
  parallel: false,
  prepare: async ({ questions }) => readingCall([], (ctx) => ask(questions.map(questionOf), ctx)),
});

function questionOf(asked: AskUserInput["questions"][number]): UserQuestion {
  const { question, header, options = [] } = asked;
  return {
    question,
    ...(header === undefined ? {} : { header }),
    options: options.map(({ label, description }) => ({
      label,
      ...(description === undefined ? {} : { description }),
    })),
    isMultiple: asked.multiSelect ?? asked.multi_select ?? asked.multiple ?? false,
  };
}

async function ask(questions: readonly UserQuestion[], { asker, signal }: RunContext): Promise<ToolResult> {
  const asked = questions.map(({ question }) => `- ${question}`).join("\n");
  if (!asker) {
    const problem =
      "Nobody can answer questions in this run. Choose the likeliest meaning, go on, and name the choice in your report.";
    return textResult(false, `${problem}\nAsked:\n${asked}`, { case: "nobody", questions: asked });
  }
  const given = await asker.ask(questions, signal);
  if (!given) {
    const text = `The user does not want to answer. Choose what is safest, or ask in your report.\nAsked:\n${asked}`;
    return textResult(false, text, { case: "dismissed", questions: asked });
  }
  const pairs = questions.map(({ question }, index) => [question, answerText(given[index])] as const);
  const answers = pairs.map(([question, answer]) => `- ${question}\n  ${answer}`).join("\n");
  return textResult(true, `The user answered:\n${answers}`, {
    case: "answered",
    questions: asked,
    answers,
    json: JSON.stringify(Object.fromEntries(pairs)),
  });
}

function answerText({ labels, text = "" }: QuestionAnswer = { labels: [] }): string {
  const words = [...labels, ...(text === "" ? [] : [text])];
  return words.length === 0 ? "(no answer)" : words.join(", ");
}
