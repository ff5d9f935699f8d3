import { expect, test } from "bun:test";
import {
  attachImage,
  composerOf,
  EMPTY_COMPOSER,
  insert,
  messageOf,
  paste,
} from "../../../src/frontends/tui/input/composer.ts";
import { submitQueued } from "../../../src/frontends/tui/submit.ts";
import { AROUND, after, draftAfter, keys, READY_STATE, WORKING } from "./support.ts";

test("Enter sends what was written and empties the composer", () => {
  const { state, effects } = after(READY_STATE, keys("fix it", "enter"));
  expect(effects).toEqual([
    { do: "remember", text: "fix it" },
    { do: "send", message: { text: "fix it", images: [] } },
  ]);
  expect(state.composer.draft.text).toBe("");
});

test("Enter on nothing does nothing", () => {
  expect(after(READY_STATE, keys(" ", "enter")).effects).toEqual([]);
});

test("a draft that Ctrl+C cleared comes back with its folded pastes and pictures", () => {
  const long = "row\n".repeat(300);
  const pasted = paste(insert(EMPTY_COMPOSER, "see "), long);
  const written = attachImage(pasted, "/w/a.png", "a.png 1 KB");
  const cleared = after({ ...READY_STATE, composer: written }, keys("ctrl+c"));
  const [effect] = cleared.effects;
  expect(effect).toMatchObject({ do: "remember", text: `see ${long}[Image #1 a.png 1 KB]` });
  if (effect?.do !== "remember" || !effect.as) throw new Error("nothing is kept");
  const history = [
    { text: effect.text, at: 0, as: effect.as },
    { text: "older", at: 0 },
  ];
  const back = after({ ...cleared.state, history }, keys("up")).state;
  expect(back.composer.draft.text).toBe("see [Pasted #1 · 300 lines][Image #1 a.png 1 KB] ");
  expect(messageOf(back.composer)).toEqual({
    text: `see ${long}[Image #1 a.png 1 KB]`,
    images: ["/w/a.png"],
  });
  expect(after(back, keys("home", "up", "down", "end", "down")).state.composer.draft.text).toBe("");
});

test("Esc twice on an empty composer lists earlier messages; another key in between does not", () => {
  const once = after(READY_STATE, keys("escape"));
  expect([once.state.hint, once.effects]).toEqual(["esc again to change an earlier message", []]);
  expect(after(READY_STATE, keys("escape", "escape")).effects).toEqual([
    { do: "command", name: "edit", argument: "" },
  ]);
  expect(after(READY_STATE, keys("escape", "left", "escape")).effects).toEqual([]);
  expect(after(READY_STATE, keys("x", "escape", "escape")).effects).toEqual([]);
});

test.each(["shift+enter", "alt+enter", "ctrl+j"])("%s is a new line", (newline) => {
  expect(draftAfter(READY_STATE, "a", newline, "b")).toBe("a\nb");
});

test("a backslash before Enter is a new line", () => {
  expect(draftAfter(READY_STATE, "a\\", "enter", "b")).toBe("a\nb");
});

test("while a turn runs, Enter steers and Tab queues", () => {
  const { state, effects } = after(WORKING, keys("look here", "enter", "then that", "tab"));
  expect(effects.filter((effect) => effect.do !== "remember")).toEqual([
    { do: "steer", message: { text: "look here", images: [] } },
  ]);
  expect(state.steers.map(({ message }) => message.text)).toEqual(["look here"]);
  expect(state.queue.map(({ draft }) => draft.text)).toEqual(["then that"]);
});

test("before the session is ready, Enter keeps the message for it", () => {
  const { state } = after({ ...READY_STATE, phase: "opening" }, keys("early", "enter"));
  expect(state.queue.map(({ draft }) => draft.text)).toEqual(["early"]);
  const sent = submitQueued({ ...state, phase: "ready" }, AROUND);
  expect(sent.effects).toEqual([{ do: "send", message: { text: "early", images: [] } }]);
});

test("what is being written stays while a queued message goes out", () => {
  const queued = { ...READY_STATE, queue: [composerOf("first")], composer: composerOf("half a sen") };
  const { state } = submitQueued(queued, AROUND);
  expect(state.composer.draft.text).toBe("half a sen");
});

test("Alt+Up takes the last queued message back, in front of nothing", () => {
  const { state } = after(WORKING, keys("one", "tab", "two", "tab", "alt+up"));
  expect(state.composer.draft.text).toBe("two");
  expect(state.queue.map(({ draft }) => draft.text)).toEqual(["one"]);
});

test("Esc stops the turn, once", () => {
  const { state, effects } = after(WORKING, keys("escape", "escape"));
  expect(effects).toEqual([{ do: "interrupt" }]);
  expect(state.turn?.isStopping).toBe(true);
});

test("Ctrl+C clears a draft first, which Up brings back, then stops the turn, then asks before it quits", () => {
  const cleared = after(WORKING, keys("draft", "ctrl+c"));
  expect(cleared.effects).toEqual([{ do: "remember", text: "draft" }]);
  const stopped = after(cleared.state, keys("ctrl+c"));
  expect(stopped.effects).toEqual([{ do: "interrupt" }]);
  const armed = after({ ...stopped.state, turn: undefined }, keys("ctrl+c"));
  expect(armed.effects).toEqual([{ do: "arm_quit" }]);
  expect(armed.state.hint).toBe("ctrl+c again to quit");
  expect(after(armed.state, keys("ctrl+c")).effects).toEqual([{ do: "quit" }]);
});

test("another key between two Ctrl+C takes the first one back", () => {
  const armed = after(READY_STATE, keys("ctrl+c", "x", "backspace")).state;
  expect(after(armed, keys("ctrl+c")).effects).toEqual([{ do: "arm_quit" }]);
});

test("Ctrl+D quits on an empty composer only, and not at once while a turn runs", () => {
  expect(after(READY_STATE, keys("ctrl+d")).effects).toEqual([{ do: "quit" }]);
  expect(after(READY_STATE, keys("ab", "ctrl+d")).effects).toEqual([]);
  expect(after(WORKING, keys("ctrl+d")).effects).toEqual([{ do: "arm_quit" }]);
});

test("! runs a command of the user's own", () => {
  expect(after(READY_STATE, keys("!ls -l", "enter")).effects).toContainEqual({
    do: "shell",
    command: "ls -l",
  });
});

test("/ runs a command with its argument", () => {
  const { effects } = after(READY_STATE, keys("/model small", "enter"));
  expect(effects).toContainEqual({ do: "command", name: "model", argument: "small" });
});

test("an unknown command stays where it is, with the nearest name", () => {
  const { state, effects } = after(READY_STATE, keys("/modle", "enter"));
  expect(effects).toEqual([]);
  expect(state.composer.draft.text).toBe("/modle");
  expect(state.hint).toBe("Unknown command /modle · did you mean /model?");
});

test("a path is text, not a command", () => {
  const { effects } = after(READY_STATE, keys("/etc/hosts is odd", "enter"));
  expect(effects).toContainEqual({ do: "send", message: { text: "/etc/hosts is odd", images: [] } });
});

test("a command that needs rest is refused while a turn runs, and can be queued", () => {
  const typed = { ...WORKING, composer: composerOf("/new now") };
  expect(after(typed, keys("enter")).state.hint).toBe("/new can't be used while a turn runs · tab queues it");
  expect(after(typed, keys("tab")).state.queue.map(({ draft }) => draft.text)).toEqual(["/new now"]);
});

test("Up and Down go through earlier messages and come back to the draft", () => {
  const state = {
    ...READY_STATE,
    history: [
      { text: "newest", at: 2 },
      { text: "oldest", at: 1 },
    ],
  };
  expect(draftAfter(state, "mine", "up")).toBe("newest");
  expect(draftAfter(state, "mine", "up", "up", "up")).toBe("oldest");
  expect(draftAfter(state, "mine", "up", "up", "down")).toBe("newest");
  expect(draftAfter(state, "mine", "up", "down")).toBe("mine");
});

test("inside a draft of several lines, Up moves the cursor first", () => {
  const state = { ...READY_STATE, history: [{ text: "earlier", at: 1 }] };
  expect(draftAfter(state, "one", "ctrl+j", "two", "up", "X")).toBe("oneX\ntwo");
  expect(draftAfter(state, "one", "ctrl+j", "two", "up", "up")).toBe("earlier");
});

test("? on an empty composer shows the keys until the next one", () => {
  const { state } = after(READY_STATE, keys("?"));
  expect(state.showsKeys).toBe(true);
  expect(after(state, keys("a")).state.showsKeys).toBe(false);
  expect(draftAfter(READY_STATE, "why?")).toBe("why?");
});
