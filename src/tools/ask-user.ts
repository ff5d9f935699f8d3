import { z } from "zod";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";

const AskUserInput = z.looseObject({
  questions: z.array(z.looseObject({ question: z.string() })).min(1),
});
type AskUserInput = z.infer<typeof AskUserInput>;

/**
 * Native "ask_user": questions to the person at the terminal. No front end hands answers over yet, so the model is told to
 * decide for itself; that is also the answer where nobody watches.
 */
export const askUser = defineTool<AskUserInput>({
  name: "ask_user",
  schema: AskUserInput,
  parallel: false,
  prepare: async ({ questions }) =>
    readingCall([], async () => {
      const text = questions.map(({ question }) => `- ${question}`).join("\n");
      const problem =
        "Nobody can answer questions in this run. Choose the likeliest meaning, go on, and name the choice in your report.";
      return textResult(false, `${problem}\nAsked:\n${text}`, { case: "nobody", questions: text });
    }),
});
