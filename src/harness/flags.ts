/** What may be on in a session. Tools are offered by these flags, and texts of a harness may ask for them. */
export const HARNESS_FLAGS = [
  "unified_exec",
  "freeform_patch",
  "update_plan",
  "images",
  "questions",
  "web_search",
  "agents",
] as const;

/** Absent means off. */
export type HarnessFlags = Readonly<Record<string, boolean>>;
