import { expect, test } from "bun:test";
import { ageOf } from "../../../../src/frontends/tui/popup/history.ts";
import { matchRank } from "../../../../src/frontends/tui/popup/match.ts";
import type { AppState } from "../../../../src/frontends/tui/state.ts";
import { update } from "../../../../src/frontends/tui/update.ts";
import { AROUND, after, draftAfter, keys, READY_STATE, WORKING } from "../support.ts";

function labels(state: AppState): string[] | undefined {
  return state.popup?.items.map(({ label }) => label);
}

test("/ lists the commands: by the beginning, then scattered letters, then words of the description", () => {
  expect(labels(after(READY_STATE, keys("/")).state)).toEqual(["/new", "/model", "/status", "/quit"]);
  expect(labels(after(READY_STATE, keys("/mdl")).state)).toEqual(["/model"]);
  expect(labels(after(READY_STATE, keys("/conv")).state)).toEqual(["/new"]);
});

test("Enter runs the chosen command, Tab completes it", () => {
  expect(after(READY_STATE, keys("/sta", "enter")).effects).toContainEqual({
    do: "command",
    name: "status",
    argument: "",
  });
  expect(draftAfter(READY_STATE, "/sta", "tab")).toBe("/status ");
  expect(after(READY_STATE, keys("/", "down", "enter")).effects).toContainEqual({
    do: "command",
    name: "model",
    argument: "",
  });
});

test("Esc closes the list until another word begins", () => {
  const { state } = after(READY_STATE, keys("/m", "escape", "o"));
  expect(state.popup).toBeUndefined();
  expect(after(state, keys("ctrl+u", "/m")).state.popup?.kind).toBe("commands");
});

test("commands that need rest say so while a turn runs", () => {
  const { state } = after(WORKING, keys("/new"));
  expect(state.popup?.items).toEqual([
    {
      label: "/new",
      about: "start a new conversation",
      insert: "/new",
      disabledBecause: "not while a turn runs",
    },
  ]);
  expect(after(state, keys("enter")).effects).toEqual([]);
});

test("@ asks for files with every letter and inserts the chosen one", () => {
  const asked = after(READY_STATE, keys("see @fz"));
  expect(asked.effects).toEqual([
    { do: "find_files", query: "" },
    { do: "find_files", query: "f" },
    { do: "find_files", query: "fz" },
  ]);
  const popup = asked.state.popup;
  if (!popup) throw new Error("no list");
  const item = { label: "a b/fuzzy.ts", insert: "a b/fuzzy.ts" };
  const found = { ...asked.state, popup: { ...popup, items: [item] } };
  expect(draftAfter(found, "tab")).toBe('see "a b/fuzzy.ts" ');
});

test("a picture that is chosen with @ is attached, not named", () => {
  const { state } = after(READY_STATE, keys("@sh"));
  if (!state.popup) throw new Error("no list");
  const found = { ...state, popup: { ...state.popup, items: [{ label: "shot.png", insert: "shot.png" }] } };
  const { effects, state: end } = after(found, keys("enter"));
  expect(effects).toEqual([{ do: "paste", text: "shot.png" }]);
  expect(end.composer.draft.text).toBe("");
});

test("Ctrl+R filters earlier messages; Enter takes one, Esc gives the draft back", () => {
  const state: AppState = {
    ...READY_STATE,
    history: [
      { text: "run the tests", at: AROUND.now - 3 * 60_000, cwd: "/home/me/shop" },
      { text: "fix add", at: AROUND.now - 50 * 3_600_000 },
    ],
  };
  const searching = after(state, keys("mine", "ctrl+r")).state;
  expect(searching.popup?.items.map(({ label, note }) => [label, note])).toEqual([
    ["run the tests", "3 min · shop"],
    ["fix add", "2 d"],
  ]);
  expect(draftAfter(searching, "fix", "enter")).toBe("fix add");
  expect(draftAfter(searching, "fix", "escape")).toBe("mine");
  expect(after(searching, keys("nothing like it")).state.popup?.items).toEqual([]);
});

test("in the list of earlier messages Ctrl+Z still suspends, a paste filters, and an emoji goes as a whole", () => {
  const history = [{ text: "fix add 👍", at: AROUND.now }];
  const searching = after({ ...READY_STATE, history }, keys("mine", "ctrl+r")).state;
  expect(after(searching, keys("ctrl+z")).effects).toEqual([{ do: "suspend" }]);
  const pasted = update(searching, { type: "paste", text: "fix\nadd 👍" }, AROUND);
  expect([pasted.effects, pasted.state.popup?.query, pasted.state.popup?.items.length]).toEqual([
    [],
    "fix add 👍",
    1,
  ]);
  expect(after(pasted.state, keys("backspace")).state.popup?.query).toBe("fix add ");
  expect(draftAfter(pasted.state, "escape")).toBe("mine");
});

test("a match at the beginning is better than one inside, and that better than scattered letters", () => {
  const ranks = ["mode", "model", "my-mode", "m-o-d-e"].map((name) => matchRank("mode", name) ?? 99);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(matchRank("mode", "dome")).toBeUndefined();
});

test.each([
  [20_000, "now"],
  [5 * 60_000, "5 min"],
  [3 * 3_600_000, "3 h"],
  [72 * 3_600_000, "3 d"],
])("%p ms ago is said as %p", (ms, text) => {
  expect(ageOf(ms)).toBe(text);
});

test("$ lists the skills, and the chosen one is put in place of the word", () => {
  const skills = [
    { name: "qa", description: "tests an app" },
    { name: "release", description: "makes a release" },
  ];
  const around = { ...AROUND, skills };
  const typed = (...words: string[]) => after(READY_STATE, keys(...words), around).state;
  expect(labels(typed("$"))).toEqual(["$qa", "$release"]);
  expect(labels(typed("use $rel"))).toEqual(["$release"]);
  expect(typed("use $rel", "enter").composer.draft.text).toBe("use $release ");
  expect([labels(typed("$PATH")), labels(typed("costs $5")), labels(typed("a$q"))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
