import { type InputEvent, type KeyEvent, key } from "./keys.ts";

const FINAL_KEYS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "center",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};
const TILDE_KEYS: Readonly<Record<string, string>> = {
  "1": "home",
  "2": "insert",
  "3": "delete",
  "4": "end",
  "5": "pageup",
  "6": "pagedown",
  "7": "home",
  "8": "end",
  "11": "f1",
  "12": "f2",
  "13": "f3",
  "14": "f4",
  "15": "f5",
  "17": "f6",
  "18": "f7",
  "19": "f8",
  "20": "f9",
  "21": "f10",
  "23": "f11",
  "24": "f12",
};
const CODE_KEYS: Readonly<Record<number, string>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  32: " ",
  127: "backspace",
  57414: "enter",
};

/** One whole escape sequence as an event; undefined for one that means nothing here. */
export function decodeSequence(sequence: string): InputEvent | undefined {
  if (sequence === "\u001b[I" || sequence === "\u001b[O")
    return { type: "focus", isFocused: sequence.endsWith("I") };
  if (sequence[1] === "]" || sequence[1] === "P") return { type: "reply", sequence };
  if (sequence[1] === "O") {
    const name = FINAL_KEYS[sequence[2] ?? ""] ?? (sequence[2] === "M" ? "enter" : undefined);
    return name === undefined ? undefined : key(name);
  }
  const parts = /^\u001b\[([<=>?]?)([0-9:;]*)([ -/]*)([@-~])$/.exec(sequence);
  if (!parts) return undefined;
  const [, prefix, parameters = "", middle, final = ""] = parts;
  if (prefix !== "" || middle !== "") return { type: "reply", sequence };
  return decodeKey(parameters.split(";"), final, sequence);
}

function decodeKey(
  [first = "", second = ""]: string[],
  final: string,
  sequence: string,
): InputEvent | undefined {
  const [modifiers = "1", kind = "1"] = second.split(":");
  if (kind === "3") return undefined; // the release of a key
  const mods = modifiersOf(Number(modifiers || "1"));
  if (final === "u") return fromCode(Number(first.split(":")[0]), mods);
  if (final === "Z") return key("tab", { shift: true });
  if (final === "~") {
    const other = /^\u001b\[27;(\d+);(\d+)~$/.exec(sequence); // xterm's modifyOtherKeys
    if (other) return fromCode(Number(other[2]), modifiersOf(Number(other[1])));
    const name = TILDE_KEYS[first];
    return name === undefined ? undefined : key(name, mods);
  }
  if (final === "R" && first !== "" && first !== "1") return { type: "reply", sequence };
  const name = FINAL_KEYS[final];
  return name === undefined ? { type: "reply", sequence } : key(name, mods);
}

type Mods = { shift: boolean; alt: boolean; ctrl: boolean };

function modifiersOf(value: number): Mods {
  const bits = value - 1;
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 };
}

/** A key of the kitty protocol, by its Unicode code. */
function fromCode(code: number, mods: Mods): KeyEvent | undefined {
  const name = CODE_KEYS[code];
  if (name !== undefined) return key(name, mods);
  if (!Number.isInteger(code) || code < 32 || code > 0x10ffff || (code >= 57344 && code <= 63743))
    return undefined;
  const character = String.fromCodePoint(code);
  return key(mods.shift && !mods.ctrl ? character.toUpperCase() : character, mods);
}
