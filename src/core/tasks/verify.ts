import type { Part } from "../../protocol/items.ts";

/** Said once when the model thinks it is done and the user asked for a check. */
export const VERIFY_PROMPT: Part[] = [
  {
    type: "input_text",
    text: "Before this ends, check your work as a sceptical colleague would. Read the request again, look at what you changed, and run the tests or commands that show whether it holds. Mend what falls short. Then give the final answer; say what you checked and what you could not.",
  },
];
