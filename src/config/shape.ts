import { nearest } from "../util/nearest.ts";
import { isTable, type TomlTable } from "./toml-table.ts";

// Settings are read on every start. Building and compiling a zod schema of this size costs more than reading all other
// files of a run together, so their shapes are described with these few functions, which also name the nearest key.

/** Reads one value; `undefined` means that it does not fit, and then `problems` says why. */
export type Shape<T> = {
  read(value: unknown, path: readonly string[], problems: Problem[]): T | undefined;
  /** The value when the key is absent: an optional key stays absent, any other has a default. */
  readonly absent?: { readonly kind: "optional" } | { readonly kind: "default"; readonly value: unknown };
};
export type OptionalShape<T> = Shape<T> & { readonly absent: { readonly kind: "optional" } };

/** `unknown`: a key that nothing reads, with the nearest one that something does. `fault`: a value that can't be used. */
export type Problem = { path: readonly string[]; message: string } & (
  | { kind: "fault" }
  | { kind: "unknown"; near?: string }
);

/** Nobody reads more complaints than this: for those after it no near key is looked for. */
export const MOST_DESCRIBED = 20;

export type Infer<S> = S extends Shape<infer T> ? T : never;
type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<F> = { [K in keyof F]: F[K] extends OptionalShape<unknown> ? K : never }[keyof F];
type Table<F> = { [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]> } & {
  [K in OptionalKeys<F>]?: Infer<F[K]>;
};
export type TableShape<F> = Shape<{ [K in keyof Table<F>]: Table<F>[K] }>;

export const text: Shape<string> = scalar(
  () => "a string",
  (value) => (typeof value === "string" ? value : undefined),
);
export const flag: Shape<boolean> = scalar(
  () => "true or false",
  (value) => (typeof value === "boolean" ? value : undefined),
);
export const anything: Shape<unknown> = { read: (value) => value };

/** A whole number of at least `min`. */
export function integer(min: number): Shape<number> {
  return scalar(
    () => (min === Number.NEGATIVE_INFINITY ? "an integer" : `an integer of at least ${min}`),
    (value) => (Number.isInteger(value) && Number(value) >= min ? Number(value) : undefined),
  );
}

/** Seconds and the like: any number above zero. */
export const positive: Shape<number> = scalar(
  () => "a number above 0",
  (value) => (typeof value === "number" && value > 0 ? value : undefined),
);

export function oneOf<const V extends string>(...values: readonly V[]): Shape<V> {
  return scalar(
    () => `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
    (value) => values.find((known) => known === value),
  );
}

/** A list in which every element fits. */
export function listOf<T>(element: Shape<T>): Shape<T[]> {
  return {
    read(value, path, problems) {
      if (!Array.isArray(value)) return mismatch("a list", value, path, problems);
      const read = value.map((item, i) => element.read(item, [...path, String(i)], problems));
      const fitting = read.filter((item) => item !== undefined);
      return fitting.length === read.length ? fitting : undefined;
    },
  };
}

/** A table with names that the user chooses. */
export function recordOf<T>(element: Shape<T>): Shape<Record<string, T>> {
  return {
    read(value, path, problems) {
      if (!isTable(value)) return mismatch("a table", value, path, problems);
      const record: Record<string, T> = Object.create(null);
      let fits = true;
      for (const [key, item] of Object.entries(value)) {
        const read = element.read(item, [...path, key], problems);
        if (read === undefined) fits = false;
        else record[key] = read;
      }
      return fits ? record : undefined;
    },
  };
}

/** A table with these keys; others are reported as unknown and left out. */
export function table<const F extends Fields>(fields: F): TableShape<F> {
  return tableShape(fields, "report");
}

/** A table with these keys; others are refused. */
export function closedTable<const F extends Fields>(fields: F): TableShape<F> {
  return tableShape(fields, "refuse");
}

/** A table with these keys; others are kept as they are. */
export function openTable<const F extends Fields>(
  fields: F,
): Shape<Infer<TableShape<F>> & Record<string, unknown>> {
  return tableShape(fields, "keep");
}

const OPTIONAL = { kind: "optional" } as const;

/** The same shape, for a key that may be absent. */
export function optional<T>(shape: Shape<T>): OptionalShape<T> {
  return { read: shape.read, absent: OPTIONAL };
}

/** `value` is read by the shape each time, so that a table's own defaults apply. */
export function withDefault<T>(shape: Shape<T>, value: unknown): Shape<T> {
  return { read: shape.read, absent: { kind: "default", value } };
}

/** The first shape that fits; `wanted` says what all of them want. */
export function either<A, B>(wanted: string, first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return {
    read(value, path, problems) {
      const read = first.read(value, path, []) ?? second.read(value, path, []);
      return read ?? mismatch(wanted, value, path, problems);
    },
  };
}

/** Adds rules that look at the whole value; each broken one gives a key below it and a message. */
export function withRule<T>(
  shape: Shape<T>,
  rule: (value: T) => { key: string; message: string } | undefined,
): Shape<T> {
  return {
    ...shape,
    read(value, path, problems) {
      const read = shape.read(value, path, problems);
      const broken = read === undefined ? undefined : rule(read);
      if (broken === undefined) return read;
      problems.push({ kind: "fault", path: [...path, broken.key], message: broken.message });
      return undefined;
    },
  };
}

/** `wanted` as in "wanted …", e.g. `an integer`; only a value that does not fit asks for it. */
function scalar<T>(wanted: () => string, pick: (value: unknown) => T | undefined): Shape<T> {
  return { read: (value, path, problems) => pick(value) ?? mismatch(wanted(), value, path, problems) };
}

function tableShape<F extends Fields, T>(fields: F, others: "report" | "refuse" | "keep"): Shape<T> {
  return {
    read(value, path, problems) {
      if (!isTable(value)) return mismatch("a table", value, path, problems);
      const read = readFields(value, fields, path, problems);
      const fits = others === "keep" || reportUnknown(value, fields, others, path, problems);
      if (read === undefined || !fits) return undefined;
      // The fields were read one by one by the shapes that T is inferred from.
      return (others === "keep" ? { ...value, ...read } : read) as T;
    },
  };
}

function readFields(
  value: TomlTable,
  fields: Fields,
  path: readonly string[],
  problems: Problem[],
): Record<string, unknown> | undefined {
  const result: Record<string, unknown> = {};
  let fits = true;
  for (const [key, shape] of Object.entries(fields)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given === undefined && shape.absent?.kind === "optional") continue;
    const read = shape.read(given ?? defaultOf(shape), [...path, key], problems);
    if (read === undefined) fits = false;
    else result[key] = read;
  }
  return fits ? result : undefined;
}

function defaultOf(shape: Shape<unknown>): unknown {
  return shape.absent?.kind === "default" ? shape.absent.value : undefined;
}

function reportUnknown(
  value: object,
  fields: Fields,
  others: "report" | "refuse",
  path: readonly string[],
  problems: Problem[],
): boolean {
  const known = Object.keys(fields);
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
  for (const key of unknown) {
    const near = problems.length < MOST_DESCRIBED ? nearest(key, known, 3) : undefined;
    problems.push({ path: [...path, key], ...unknownKey(others, near, known) });
  }
  return others === "report" || unknown.length === 0;
}

function unknownKey(others: "report" | "refuse", near: string | undefined, known: readonly string[]) {
  if (others === "report")
    return { kind: "unknown", message: "unknown key", ...(near === undefined ? {} : { near }) } as const;
  const tip = near === undefined ? `; known keys: ${known.join(", ")}` : `; did you mean ${near}?`;
  return { kind: "fault", message: `unknown key${tip}` } as const;
}

function mismatch(wanted: string, value: unknown, path: readonly string[], problems: Problem[]): undefined {
  problems.push({ kind: "fault", path, message: `wanted ${wanted}, found ${describe(value, wanted)}` });
}

/** Only short text in the place of a number, a switch or a choice is repeated: anything else may be a secret. */
function describe(value: unknown, wanted: string): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value !== "string") return "a table";
  return /^(a list|a table)/.test(wanted) || value.length > 40
    ? "a string"
    : `the string ${JSON.stringify(value)}`;
}
