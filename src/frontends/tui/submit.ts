import { nearest } from "../../util/nearest.ts";
import { type Composer, EMPTY_COMPOSER, edit, keptOf, messageOf } from "./input/composer.ts";
import { type AppState, type Effect, type Step, type Surroundings, step } from "./state.ts";

/** Enter or Tab: sends the draft, steers the turn with it, keeps it for later, or runs it as a command. */
export function submit(state: AppState, whileWorking: "steer" | "queue", around: Surroundings): Step {
  const { composer } = state;
  const continued = continuedLine(composer);
  if (continued) return step({ ...state, composer: continued });
  const message = messageOf(composer);
  if (message.text === "" && message.images.length === 0) return step(state);
  if (message.text.length > MAX_CHARACTERS) {
    const hint = `too long: ${message.text.length} characters, at most ${MAX_CHARACTERS} can be sent`;
    return step({ ...state, hint });
  }
  const isLater = state.phase !== "ready" || (state.turn !== undefined && whileWorking === "queue");
  const command = commandOf(message.text);
  const refusal = command ? refusalOf(command.name, state, isLater, around) : undefined;
  if (refusal !== undefined) return step({ ...state, hint: refusal, popup: undefined });
  const remember: Effect = { do: "remember", text: message.text, as: keptOf(composer) };
  const vim = state.vim && ({ mode: "insert" } as const);
  const emptied = { ...state, composer: EMPTY_COMPOSER, vim, popup: undefined, closedPopup: undefined };
  if (isLater) return step({ ...emptied, queue: [...state.queue, composer] }, remember);
  if (command) return step(emptied, remember, { do: "command", ...command });
  if (message.text.startsWith("!")) {
    const shell = message.text.slice(1).trim();
    return shell === "" ? step(state) : step(emptied, remember, { do: "shell", command: shell });
  }
  if (!state.turn) return step(emptied, remember, { do: "send", message });
  const steers = [...state.steers, { message, composer, isRead: false }];
  return step({ ...emptied, steers }, remember, { do: "steer", message });
}

/** Takes the first waiting message, when nothing runs. */
export function submitQueued(state: AppState, around: Surroundings): Step {
  const [next, ...queue] = state.queue;
  if (!next || state.turn || state.phase !== "ready") return step(state);
  const { state: after, effects } = submit({ ...state, queue, composer: next }, "steer", around);
  // It was remembered when it was queued; and what is being written stays.
  return {
    state: { ...after, composer: state.composer, hint: after.hint ?? state.hint },
    effects: effects.filter((effect) => effect.do !== "remember"),
  };
}

const MAX_CHARACTERS = 1024 * 1024;

function continuedLine(composer: Composer): Composer | undefined {
  const { text, cursor } = composer.draft;
  if (cursor === 0 || text[cursor - 1] !== "\\" || cursor !== text.length) return undefined;
  return edit(composer, { edit: "replace", from: cursor - 1, to: cursor, text: "\n" });
}

/** A first word such as `/model`. A path (`/etc/hosts`) is text. */
function commandOf(text: string): { name: string; argument: string } | undefined {
  const found = /^\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/.exec(text);
  return found ? { name: found[1] ?? "", argument: (found[2] ?? "").trim() } : undefined;
}

function refusalOf(
  name: string,
  state: AppState,
  isLater: boolean,
  { commands }: Surroundings,
): string | undefined {
  const known = commands.find((one) => one.name === name || one.aliases?.includes(name));
  if (!known) {
    const near = nearest(
      name,
      commands.map((one) => one.name),
      3,
    );
    const tip = near === undefined ? "type / for the list" : `did you mean /${near}?`;
    return `Unknown command /${name} · ${tip}`;
  }
  if (known.isIdleOnly && state.turn && !isLater)
    return `/${name} can't be used while a turn runs · tab queues it`;
  return undefined;
}
