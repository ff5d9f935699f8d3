import profile from "../../sandbox-profiles/protected.yaml";

// Bun reads YAML while it bundles, so in the executable these are literals; a test checks their shape.

/** Names at the top of every writable folder that stay read-only, also while they do not exist. */
export const PROTECTED_NAMES: readonly string[] = profile.names;

/** Files in our own folder that hold keys and sign-ins: they stay unreadable. */
export const KEY_FILES: readonly string[] = profile.keyFiles;

const secretWords: readonly string[] = profile.secretWords;

/** Does a variable of this name look like it holds a credential? */
export function isSecretName(variable: string): boolean {
  const name = variable.toUpperCase();
  return secretWords.some((word) => name.includes(word));
}
