import { codeOf } from "../../util/fs.ts";

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "No such file or directory",
  EACCES: "Permission denied",
  EPERM: "Operation not permitted",
  EISDIR: "Is a directory",
  ENOTDIR: "Not a directory",
  EEXIST: "File exists",
  ELOOP: "Too many levels of symbolic links",
  ENAMETOOLONG: "File name too long",
  ENOSPC: "No space left on device",
  EROFS: "Read-only file system",
  EBUSY: "Device or resource busy",
  EDQUOT: "Disk quota exceeded",
  EFBIG: "File too large",
  EIO: "Input/output error",
  // The runtime's word for a path that holds a NUL.
  ERR_INVALID_ARG_VALUE: "Invalid file name",
};

/** E.g. `No such file or directory (os error 2)`: the wording that models know from other tools. */
export function osErrorText(error: unknown): string {
  const words = WORDS[codeOf(error) ?? ""];
  if (words === undefined) return error instanceof Error ? error.message : String(error);
  const number = error instanceof Error && "errno" in error ? Math.abs(Number(error.errno)) : 0;
  return number > 0 ? `${words} (os error ${number})` : words;
}
