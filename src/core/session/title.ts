import { type Part, textOf, userText } from "../../protocol/items.ts";
import { createSessionStore } from "../../sessions/store.ts";
import { buildRequest, type RequestSource } from "../turn/request.ts";
import type { TitleRequest } from "../turn/settings.ts";
import type { Session } from "./session.ts";

export type TitleOptions = RequestSource & { title: TitleRequest; log(message: string): void };

const MOST_CHARACTERS = 80;
/** How long the end of a session waits for its name. */
const LONGEST_WAIT_MS = 20_000;

/** Asks for a name of a new session when its first turn has ended, beside whatever comes next. Without one nothing is lost. */
export function nameLater(session: Session, options: TitleOptions, home: string): AsyncDisposable {
  const stop = new AbortController();
  let input: readonly Part[] | undefined;
  let work: Promise<void> | undefined;
  const name = async (words: readonly Part[]) => {
    const title = await askFor(words, options, session, stop.signal);
    if (title !== "") await createSessionStore({ home }).rename(session.id, title);
  };
  session.subscribe((event) => {
    if (event.type === "turn.started") input ??= event.input;
    if (event.type !== "turn.completed" || !input || work !== undefined) return;
    work = name(input).catch((cause: unknown) => options.log(`no title: ${String(cause)}`));
  });
  return {
    async [Symbol.asyncDispose]() {
      const timer = setTimeout(() => stop.abort(), LONGEST_WAIT_MS);
      await work;
      clearTimeout(timer);
    },
  };
}

async function askFor(
  input: readonly Part[],
  options: TitleOptions,
  session: Session,
  signal: AbortSignal,
): Promise<string> {
  const { model, harness, title } = options;
  const { instructionBlocks: _, firstUser: __, ...rest } = harness;
  const source = {
    ...options,
    harness: {
      ...rest,
      instructions: title.system,
      tools: () => [],
      extraBody: { ...harness.extraBody, ...title.body },
    },
  };
  const items = [...(title.instruction ? [userText(title.instruction)] : []), userText(textOf(input))];
  const request = buildRequest(source, items, "summary");
  let text = "";
  for await (const event of model.stream(request, signal)) {
    if (event.type === "item" && event.item.type === "message") text += textOf(event.item.content);
    if (event.type === "finished" && event.usage) session.countAside(event.usage);
  }
  return nameIn(text);
}

/** The first line that says something, without quotes around it. */
function nameIn(text: string): string {
  const [line = ""] = text.split("\n").filter((one) => one.trim() !== "");
  return line
    .trim()
    .replace(/^["'`*#\s]+|["'`*\s]+$/g, "")
    .slice(0, MOST_CHARACTERS);
}
