import { type SessionChoice, sessionsToChoose } from "../../../../core/choices/sessions.ts";
import { ageOf } from "../../popup/history.ts";
import { cut } from "../../view/text.ts";
import type { Asker, Choice } from "../asker.ts";

type Place = {
  home: string;
  cwd: string;
  /** Of every folder. */
  isAll: boolean;
  /** Id of the open one, which is left out. */
  current: string | undefined;
  /** ms since the epoch. */
  now: number;
};

const WIDEST_NAME = 46;

/** Asks for an earlier conversation, the newest first, and gives back its id. */
export async function pickSession(asker: Asker, place: Place): Promise<string | undefined> {
  const found = await sessionsToChoose(place.home, place.isAll ? undefined : place.cwd);
  const sessions = found.filter(({ id }) => id !== place.current);
  if (sessions.length === 0 && place.isAll) {
    asker.say("There is no earlier conversation.");
    return undefined;
  }
  const choices: Choice<string | "all">[] = [
    ...sessions.map((session) => ({ value: session.id, label: rowOf(session, place) })),
    ...(place.isAll ? [] : [{ value: "all", label: "conversations of all folders…" }]),
  ];
  const message = sessions.length === 0 ? "No earlier conversation of this folder" : "Continue";
  const chosen = await asker.choose({ message, choices, initial: 0 });
  return chosen === "all" ? await pickSession(asker, { ...place, isAll: true }) : chosen;
}

function rowOf({ name, updatedAt, cwd, model }: SessionChoice, { isAll, now }: Place): string {
  const shown = cut(name, WIDEST_NAME);
  const facts = [ageOf(now - updatedAt), ...(isAll ? [cwd] : []), ...(model === undefined ? [] : [model])];
  return `${shown}${" ".repeat(WIDEST_NAME - Bun.stringWidth(shown))}  ${facts.join("  ")}`;
}
