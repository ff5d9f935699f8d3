/** A parsed TOML table. It has no prototype, so every key is safe. */
export type TomlTable = { [key: string]: unknown };

/** Neither a list nor a date. */
export function isTable(value: unknown): value is TomlTable {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Without a prototype. */
export function emptyTable(): TomlTable {
  return Object.create(null);
}

/** The value at a path through tables; undefined when there is none. */
export function valueAt(table: unknown, path: readonly string[]): unknown {
  let value = table;
  for (const segment of path) {
    if (Array.isArray(value)) value = value[Number(segment)];
    else if (isTable(value) && Object.hasOwn(value, segment)) value = value[segment];
    else return undefined;
  }
  return value;
}

/** A table that holds only this value. */
export function tableWith(path: readonly string[], value: unknown): TomlTable {
  const [first, ...rest] = path;
  const table = emptyTable();
  if (first !== undefined) table[first] = rest.length === 0 ? value : tableWith(rest, value);
  return table;
}

/** Tables are merged key by key; any other value of `above` replaces that of `below`. Neither is changed. */
export function mergeTables(below: TomlTable, above: TomlTable): TomlTable {
  const merged = Object.assign(emptyTable(), below);
  for (const [key, value] of Object.entries(above)) {
    const old = merged[key];
    merged[key] = isTable(value) ? mergeTables(isTable(old) ? old : emptyTable(), value) : value;
  }
  return merged;
}

/** The table without the value at a path; the table itself is not changed. */
export function without(table: TomlTable, path: readonly string[]): TomlTable {
  const [first = "", ...rest] = path;
  const copy = Object.assign(emptyTable(), table);
  const inner = copy[first];
  if (rest.length === 0) delete copy[first];
  else if (isTable(inner)) copy[first] = without(inner, rest);
  return copy;
}

/** Changes every value whose path fits `pattern`, where `*` stands for any key or index. */
export function mapAt(
  value: unknown,
  pattern: readonly string[],
  change: (found: unknown) => unknown,
): unknown {
  const [first, ...rest] = pattern;
  if (first === undefined) return change(value);
  if (Array.isArray(value)) return first === "*" ? value.map((item) => mapAt(item, rest, change)) : value;
  if (!isTable(value)) return value;
  const copy = Object.assign(emptyTable(), value);
  for (const key of first === "*" ? Object.keys(copy) : [first]) {
    if (Object.hasOwn(copy, key)) copy[key] = mapAt(copy[key], rest, change);
  }
  return copy;
}

/** A path as it is written in TOML: `a.b."c d"`. */
export function formatPath(path: readonly string[]): string {
  return path.map((segment) => (/^[\w-]+$/.test(segment) ? segment : JSON.stringify(segment))).join(".");
}
