/** A key press. `name` is a printable character's own text, or a word such as `enter`, `up`, `f5`. */
export type KeyEvent = {
  type: "key";
  name: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
};
/** What a terminal with bracketed paste delivered at once. Line ends are `\n`. */
export type PasteEvent = { type: "paste"; text: string };
/** An answer of the terminal, such as a cursor report; never text. */
export type ReplyEvent = { type: "reply"; sequence: string };
export type FocusEvent = { type: "focus"; isFocused: boolean };
export type InputEvent = KeyEvent | PasteEvent | ReplyEvent | FocusEvent;

/** The key as people write it: `ctrl+c`, `alt+enter`, `a`. Shift is named only where it changes no character. */
export function keyName({ name, ctrl, alt, shift }: KeyEvent): string {
  const parts = [
    ...(ctrl ? ["ctrl"] : []),
    ...(alt ? ["alt"] : []),
    ...(shift && name.length > 1 ? ["shift"] : []),
  ];
  return [...parts, name === " " ? "space" : name].join("+");
}

export function key(name: string, mods: { ctrl?: boolean; alt?: boolean; shift?: boolean } = {}): KeyEvent {
  return { type: "key", name, ctrl: mods.ctrl ?? false, alt: mods.alt ?? false, shift: mods.shift ?? false };
}
