import { matchRank } from "./match.ts";
import type { CommandFacts, PopupItem } from "./types.ts";

/** The commands that a query means: by the beginning of a name, then scattered letters, then words of the description. */
export function commandItems(
  commands: readonly CommandFacts[],
  query: string,
  isWorking: boolean,
): PopupItem[] {
  return commands
    .flatMap((command) => {
      const rank = rankOf(command, query);
      return rank === undefined ? [] : [{ command, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => itemOf(command, isWorking));
}

function rankOf({ name, aliases = [], about }: CommandFacts, query: string): number | undefined {
  const ranks = [name, ...aliases].flatMap((one) => matchRank(query, one) ?? []);
  if (ranks.length > 0) return Math.min(...ranks);
  const words = about.toLowerCase().split(/\W+/);
  return query.length > 1 && words.some((word) => word.startsWith(query.toLowerCase())) ? 10 : undefined;
}

function itemOf({ name, about, key, isIdleOnly }: CommandFacts, isWorking: boolean): PopupItem {
  return {
    label: `/${name}`,
    about,
    insert: `/${name}`,
    ...(key === undefined ? {} : { note: key }),
    ...(isIdleOnly && isWorking ? { disabledBecause: "not while a turn runs" } : {}),
  };
}
