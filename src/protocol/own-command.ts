/** Items of commands that the user ran, not the model, have ids that begin so. */
const PREFIX = "own-";

export function ownCommandId(unique: string): string {
  return PREFIX + unique;
}

export function isOwnCommand(id: string): boolean {
  return id.startsWith(PREFIX);
}
