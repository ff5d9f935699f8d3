// A text of a model, a tool, a file or a server may hold bytes that move the cursor, set the title or the clipboard, or
// hide or reorder what a person reads. None of them may reach a terminal.
const ESCAPE = "\u001b";
const SEQUENCES = new RegExp(
  [
    `${ESCAPE}[PX^_\\]][^\\u0007${ESCAPE}\\u009c]*(?:\\u0007|${ESCAPE}\\\\|\\u009c|$)`, // strings: OSC, DCS, SOS, PM, APC
    `[${ESCAPE}\\u009b]\\[?[0-?]*[ -/]*[@-~]?`, // CSI and two-byte escapes
    `[\\u0090\\u0098\\u009d-\\u009f][^\\u0007\\u009c]*(?:\\u0007|\\u009c|$)`, // the same strings as C1 bytes
  ].join("|"),
  "g",
);
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** The text as it may be written to a terminal: tabs and line ends kept, a lone carriage return becomes a line end. */
export function terminalSafe(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .replace(SEQUENCES, "")
    .replace(CONTROLS, "")
    .replace(INVISIBLE, "");
}
