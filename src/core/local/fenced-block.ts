/** The word after the fence. Not the name of a shell, as models put those before examples, too. */
export const FENCE = "do";

const OPENER = /^[ \t]*(`{3,}|~{3,})[ \t]*(do|bash|sh|shell|console)[ \t]*$/;

/**
 * The first block of the right form, and the text before it: what a model writes after a command, it has made up. A block
 * named after a shell counts when it is the whole answer, as models that know the form only half write those. A block that
 * is still open counts unless the answer was cut off (`isCut`): models like to stop after the last line of the script.
 */
export function splitCommand(text: string, isCut: boolean): { command: string; rest: string } | undefined {
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, fence = "", word = ""] = OPENER.exec(lines[at] ?? "") ?? [];
    if (fence === "") continue;
    const close = lines.findIndex((line, index) => index > at && line.trim() === fence);
    const end = close < 0 ? lines.length : close;
    const rest = lines.slice(0, at).join("\n").trimEnd();
    const after = lines
      .slice(end + 1)
      .join("\n")
      .trim();
    const command = lines.slice(at + 1, end).join("\n");
    const counts = word === FENCE || (rest === "" && after === "");
    if (counts && command.trim() !== "" && !(isCut && close < 0)) return { command, rest };
    at = end;
  }
  return undefined;
}

/** Passes an answer's text on for display, up to its first block: the command is shown when it runs. */
export class TextBeforeBlock {
  #held = "";
  #isInBlock = false;

  push(delta: string): string {
    if (this.#isInBlock) return "";
    const lines = (this.#held + delta).split("\n");
    this.#held = lines.pop() ?? "";
    const opener = lines.findIndex((line) => OPENER.test(line));
    if (opener >= 0) {
      this.#isInBlock = true;
      return lines.slice(0, opener).map(ended).join("");
    }
    const shown = lines.map(ended).join("");
    if (/^[ \t]*($|[`~])/.test(this.#held)) return shown;
    const rest = this.#held;
    // The rest of this line is shown as it comes: it can't be a fence any more.
    this.#held = "";
    return shown + rest;
  }

  end(): string {
    return this.#isInBlock || OPENER.test(this.#held) ? "" : this.#held;
  }
}

function ended(line: string): string {
  return `${line}\n`;
}
