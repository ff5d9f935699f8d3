/**
 * An editor in which the person has files open, maybe with text that is not saved. Paths are absolute real paths. Neither
 * call rejects: what the editor can't do is left to the disk.
 */
export interface Editor {
  /** The text as the editor has it; undefined when it says nothing about this file. */
  read?(path: string): Promise<string | undefined>;
  /** Lets the editor write the file, so that what it shows stays right; false when it did not. */
  write?(path: string, text: string): Promise<boolean>;
}
