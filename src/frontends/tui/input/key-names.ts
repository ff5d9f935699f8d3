const NAMED = new Set(
  `enter escape tab space backspace delete insert home end pageup pagedown up down left right
  f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12`.split(/\s+/),
);
const OTHER_NAMES: Readonly<Record<string, string>> = {
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  pgup: "pageup",
  pgdn: "pagedown",
  "page-up": "pageup",
  "page-down": "pagedown",
  bs: "backspace",
};
const OTHER_MODIFIERS: Readonly<Record<string, string>> = { control: "ctrl", option: "alt", meta: "alt" };
const MODIFIERS = ["ctrl", "alt", "shift"];

/** A key as people write it (`Ctrl-T`, `ctrl+t`, `Esc`) under the name that it has here; undefined when it is none. */
export function plainKeyName(written: string): string | undefined {
  if (isOneCharacter(written)) return written === " " ? "space" : written;
  const parts = written.split(/[+-](?=.)/);
  const last = parts.pop() ?? "";
  const modifiers = parts.map((part) => OTHER_MODIFIERS[part.toLowerCase()] ?? part.toLowerCase());
  if (modifiers.some((modifier) => !MODIFIERS.includes(modifier))) return undefined;
  const lower = last.toLowerCase();
  const name = OTHER_NAMES[lower] ?? lower;
  const isCharacter = isOneCharacter(last);
  if (!isCharacter && !NAMED.has(name)) return undefined;
  // Shift with a letter is another letter.
  if (isCharacter && modifiers.length === 1 && modifiers[0] === "shift") return last.toUpperCase();
  const shown = MODIFIERS.filter(
    (modifier) => modifiers.includes(modifier) && !(isCharacter && modifier === "shift"),
  );
  return [...shown, name].join("+");
}

function isOneCharacter(text: string): boolean {
  return [...new Intl.Segmenter().segment(text)].length === 1;
}
