import { AppError } from "../util/errors.ts";

export type TemplateValue = string | number | boolean;
/** Undefined for a name that does not exist. `isSection`: it is only asked whether there is a value. */
export type Lookup = (name: string, isSection: boolean) => TemplateValue | undefined;

type Piece = string | { name: string } | { name: string; inverted: boolean; pieces: Piece[] };

const TAG = /\{\{([#^/]?)([A-Za-z_]\w*)\}\}/;
const SECTION_ON_ITS_OWN_LINE = /^[ \t]*(\{\{[#^/][A-Za-z_]\w*\}\})[ \t]*\r?\n/gm;

/**
 * `{{name}}` is replaced by its value. What stands between `{{#name}}` and `{{/name}}` is kept when the value is there, i.e.
 * neither "" nor false; between `{{^name}}` and `{{/name}}` when it is not. A section's tag alone on a line takes no line.
 * Throws AppError "config" for an unknown name and for a section that is not closed.
 */
export function renderTemplate(template: string, lookup: Lookup): string {
  return template.includes("{{") ? renderPieces(parse(template), lookup) : template;
}

/** Every name in the template, once. */
export function templateNames(template: string): string[] {
  const tags = template.matchAll(new RegExp(TAG, "g"));
  return [...new Set([...tags].flatMap(([, , name]) => name ?? []))];
}

/** The name, when the template is nothing but `{{name}}`. */
export function onlyName(template: string): string | undefined {
  return /^\{\{([A-Za-z_]\w*)\}\}$/.exec(template)?.[1];
}

function renderPieces(pieces: readonly Piece[], lookup: Lookup): string {
  return pieces.map((piece) => renderPiece(piece, lookup)).join("");
}

function renderPiece(piece: Piece, lookup: Lookup): string {
  if (typeof piece === "string") return piece;
  const value = lookup(piece.name, "pieces" in piece);
  if (value === undefined) throw broken(`{{${piece.name}}} is not a known name`);
  if (!("pieces" in piece)) return String(value);
  const isThere = value !== "" && value !== false;
  return isThere === piece.inverted ? "" : renderPieces(piece.pieces, lookup);
}

function parse(template: string): Piece[] {
  const words = template.replace(SECTION_ON_ITS_OWN_LINE, "$1").split(TAG);
  const root: Piece[] = [];
  const open: { name: string; pieces: Piece[] }[] = [{ name: "", pieces: root }];
  // Splitting by a pattern with two groups gives text, sign, name, text, sign, name, ..., text.
  for (let at = 0; at < words.length; at += 3) {
    const [text = "", sign, name] = words.slice(at, at + 3);
    const current = open.at(-1)?.pieces ?? root;
    if (text) current.push(text);
    if (name === undefined) continue;
    if (sign === "/") {
      const closed = open.length > 1 ? open.pop() : undefined;
      if (closed?.name !== name) throw broken(`{{/${name}}} closes a section that is not open`);
    } else if (sign) {
      const section = { name, inverted: sign === "^", pieces: [] };
      current.push(section);
      open.push(section);
    } else current.push({ name });
  }
  if (open.length > 1) throw broken(`{{#${open.at(-1)?.name}}} is not closed`);
  return root;
}

function broken(what: string): AppError {
  return new AppError("config", `a text of the harness is not a valid template: ${what}`, {
    hint: "docs/harnesses.md lists the names that templates know; `interpreter harness validate FILE` tells the place",
  });
}
