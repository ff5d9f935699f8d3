/** Short names for child agents, so that people can tell them apart. */
const NAMES = [
  "Alder",
  "Birch",
  "Cedar",
  "Elm",
  "Fir",
  "Hazel",
  "Holly",
  "Juniper",
  "Larch",
  "Linden",
  "Maple",
  "Oak",
  "Olive",
  "Pine",
  "Rowan",
  "Sorrel",
  "Spruce",
  "Tamarack",
  "Willow",
  "Yew",
];

/** The first name of the wanted ones, then of ours, that nobody has; after that they are numbered. */
export function freeName(wanted: readonly string[], taken: ReadonlySet<string>): string {
  const free = [...wanted, ...NAMES].find((name) => !taken.has(name));
  if (free !== undefined) return free;
  for (let number = 2; ; number += 1) {
    const name = NAMES.map((one) => `${one} ${number}`).find((one) => !taken.has(one));
    if (name !== undefined) return name;
  }
}
