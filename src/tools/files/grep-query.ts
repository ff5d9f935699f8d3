/** What to look for. Both engines answer the same: ripgrep where it is installed, our own walker elsewhere. */
export type GrepQuery = {
  pattern: string;
  literal: boolean;
  ignoreCase: boolean;
  /** A match may go over several lines, and `.` matches a line end. */
  multiline: boolean;
  /** Lines shown before and after a matching line. */
  before: number;
  after: number;
  /** The file or folder to search, a real path. */
  root: string;
  /** Files that ignore files name are searched as well. */
  includeIgnored: boolean;
  /** Not to be looked at, neither file nor folder. Only our own engine is asked for queries that hide anything. */
  hides(path: string): boolean;
  /** Is a hit in this file wanted? */
  accepts(path: string): boolean;
};

export type GrepLine = { number: number; text: string; matches: boolean };
/** Matching lines and the lines around them, in order. */
export type FileHits = { path: string; lines: GrepLine[] };

/** `path` of what is found begins with the query's root. Throws AppError "tool.input" for a pattern that can't be read. */
export type GrepEngine = (query: GrepQuery, signal: AbortSignal) => AsyncIterable<FileHits>;

/** Larger files are data, and a hit in them helps nobody. */
export const MAX_SEARCHED_BYTES = 8 * 1024 * 1024;
