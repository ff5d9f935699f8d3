// A text of a model, a tool, a file or a server may hold bytes that move the cursor, set the title or the clipboard, or
// hide or reorder what a person reads. None of them may reach a terminal.
const ESCAPE = "\u001b";
const SEQUENCES = new RegExp(
  [
    `${ESCAPE}[PX^_\\]][^\\u0007${ESCAPE}\\u009c\\n]*(?:\\u0007|${ESCAPE}\\\\|\\u009c)?`, // strings: OSC, DCS, SOS, PM, APC
    `[${ESCAPE}\\u009b]\\[?[0-?]*[ -/]*[@-~]?`, // CSI and two-byte escapes
    `[\\u0090\\u0098\\u009d-\\u009f][^\\u0007\\u009c\\n]*(?:\\u0007|\\u009c)?`, // the same strings as C1 bytes
  ].join("|"),
  "g",
);
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Zero-width and reordering characters, fillers, tags and what is not a character; not what joins letters and emoji (ZWJ, ZWNJ, variation selectors). */
const INVISIBLE =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/gu;
const PLAIN = /^[\t\n\u0020-\u007e]*$/;

/** The text as it may be written to a terminal: tabs and line ends kept, a lone carriage return becomes a line end. */
export function terminalSafe(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .replace(SEQUENCES, "")
    .replace(CONTROLS, "")
    .replace(INVISIBLE, "")
    .toWellFormed();
}
