import { release } from "node:os";
import { localDate } from "../../../../util/local-time.ts";
import type { ProbePlace } from "./probes.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Makes templates of the program's texts: what belongs to the place where it ran becomes a name. */
export class Templates {
  readonly #place: ProbePlace;
  readonly #now: Date;

  constructor(place: ProbePlace, now: Date) {
    this.#place = place;
    this.#now = now;
  }

  /** A text of the prompt. */
  text(raw: string): string {
    return replaceAll(withGitFacts(this.#plain(raw), this.#place), [
      [this.#place.rules, "{{projectInstructions}}"],
    ]);
  }

  /** A field of the request, of any depth. Ids of a session become that of each session. */
  value(raw: unknown): unknown {
    if (typeof raw === "string") return this.#plain(raw).replace(UUID, "{{sessionId}}");
    if (Array.isArray(raw)) return raw.map((one) => this.value(one));
    if (typeof raw !== "object" || raw === null) return raw;
    return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, this.value(value)]));
  }

  /** A text that is sent as it stands, such as the description of a tool. */
  fixed(raw: string): string {
    const { cwd, home } = this.#place;
    return replaceAll(raw, [
      [cwd, "the working folder"],
      [home, "~"],
    ]);
  }

  #plain(raw: string): string {
    const { cwd, home, model } = this.#place;
    return replaceAll(raw.replaceAll("{{", "{{brace}}{"), [
      [cwd, "{{cwd}}"],
      [cwd.replace(/[^a-zA-Z0-9]/g, "-"), "{{cwdDashed}}"],
      [home, "~"],
      [model, "{{model}}"],
      [release(), "{{osVersion}}"],
      ...datesOf(this.#now),
    ]);
  }
}

/** Longer texts first, so that none is replaced within another. */
function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .filter(([from]) => from !== "")
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((result, [from, to]) => result.replaceAll(from, () => to), text);
}

/** The day in the forms that templates have names for. */
function datesOf(now: Date): [string, string][] {
  const long = { month: "long", day: "numeric", year: "numeric" } as const;
  return [
    [localDate(now), "{{date}}"],
    [now.toDateString(), "{{dateShort}}"],
    [now.toLocaleDateString("en-US"), "{{dateNumbers}}"],
    [now.toLocaleDateString("en-US", long), "{{dateLong}}"],
    [now.toLocaleDateString("en-US", { ...long, weekday: "long" }), "{{dateFull}}"],
  ];
}

/**
 * Programs show the state of the repository in forms of their own, in which what git says is replaced. Where a form is
 * not understood, ours stands for all of it, from its first line to its last.
 */
function withGitFacts(text: string, place: ProbePlace): string {
  const { branch, mainBranch, user, changed, commit } = place;
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.includes(branch));
  const last = lines.findLastIndex((line) => line.includes(commit));
  if (first < 0 || last < first) return text;
  const own = lines
    .slice(first, last + 1)
    .join("\n")
    .replace(new RegExp(`\\?\\? ${changed}`), "{{gitChanges}}")
    .replace(new RegExp(`\\b[0-9a-f]{7,} ${commit}`), "{{gitCommits}}");
  const isUnderstood = own.includes("{{gitCommits}}") && !own.includes(changed);
  const status = isUnderstood
    ? replaceAll(own, [
        [branch, "{{gitBranch}}"],
        [mainBranch, "{{gitMainBranch}}"],
        [user, "{{gitUser}}"],
      ])
    : "{{gitStatus}}";
  return [...lines.slice(0, first), status, ...lines.slice(last + 1)].join("\n");
}
