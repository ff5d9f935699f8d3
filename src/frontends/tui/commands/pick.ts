import type { Port } from "../port.ts";

export type PickItem = { value: string; label: string; about?: string; note?: string };

/**
 * Lets the user choose one of `items`, beginning with the first; undefined when it was closed. `isLast`: keys that follow
 * the choice are the composer's, else they wait for the next question.
 */
export async function pick(
  port: Port,
  question: { title: string; items: readonly PickItem[]; isLast: boolean },
): Promise<string | undefined> {
  const choices = question.items.map(({ value, label, about, note }) => {
    const hint = [about, note].filter((one) => one !== undefined && one !== "").join(" · ");
    return { value, label, ...(hint === "" ? {} : { hint }) };
  });
  const chosen = await port.dialogs.open((asker) => asker.choose({ message: question.title, choices }));
  if (question.isLast || chosen === undefined) port.dialogs.release();
  return chosen;
}
