import type { Harness } from "../../../../harness/compose.ts";
import { propertiesOf } from "../../../../harness/json-schema.ts";
import type { HarnessArgument } from "../../../../harness/schema.ts";
import type { NativeToolName } from "../../../../tools/types.ts";
import KINDS from "./tool-kinds.yaml";
import type { BoundTool, Json, SeenTool } from "./types.ts";

type Kind = { native: NativeToolName; names: string; inputs: Record<string, string[]> };

/** Which tool of ours runs for each tool of the program. What none of ours can stand for is left out. */
export function bindSeenTools(tools: readonly SeenTool[], base: Harness | undefined): BoundTool[] {
  return tools.flatMap((seen) => {
    const same = base?.tools.find(({ name, hidden }) => name === seen.name && !hidden);
    if (same) return [{ seen, native: same.native, base: same, args: fittingArgs(same.args, seen) }];
    return guessed(seen);
  });
}

/** Parameters that the program's newer version no longer has are no longer inputs. */
function fittingArgs(
  args: Record<string, HarnessArgument> | undefined,
  { parameters }: SeenTool,
): Record<string, HarnessArgument> | undefined {
  if (!args || !parameters) return args;
  const known = propertiesOf(parameters);
  const isKnown = (name: string) => Object.hasOwn(known, name);
  return Object.fromEntries(
    Object.entries(args).filter(([, source]) =>
      typeof source === "string"
        ? isKnown(source)
        : !("from" in source) || [source.from].flat().some(isKnown),
    ),
  );
}

function guessed(seen: SeenTool): BoundTool[] {
  const kinds: readonly Kind[] = KINDS;
  const kind = kinds.find(({ names }) => new RegExp(`^(?:${names})$`, "i").test(seen.name));
  if (!kind) return [];
  const known = knownInputs(seen);
  const args: Record<string, HarnessArgument> = {};
  for (const [input, names] of Object.entries(kind.inputs)) {
    const name = names.find((one) => Object.hasOwn(known, one));
    if (name !== undefined) args[input] = name;
  }
  const [needed] = Object.keys(kind.inputs);
  return needed === undefined || Object.hasOwn(args, needed) ? [{ seen, native: kind.native, args }] : [];
}

/** Plain text counts as a parameter of its own. */
function knownInputs({ parameters }: SeenTool): Json {
  if (parameters === undefined) return { input: {} };
  return parameters === null ? {} : { ...propertiesOf(parameters) };
}

/** The input of a call that gives the tool these values, and something harmless for whatever else it needs. */
export function inputFor({ seen, args }: BoundTool, values: Readonly<Record<string, string>>): Json | string {
  const { parameters } = seen;
  const named = Object.entries(values).map(([input, value]) => [nameOf(args, input), value] as const);
  if (parameters === undefined) return named[0]?.[1] ?? "";
  if (parameters === null) return {};
  const properties = propertiesOf(parameters);
  const required = Array.isArray(parameters["required"]) ? parameters["required"].map(String) : [];
  const filled = required.map((name) => [name, filler(properties[name])] as const);
  return { ...Object.fromEntries(filled), ...Object.fromEntries(named) };
}

function nameOf(args: BoundTool["args"], input: string): string {
  const source = args?.[input];
  if (typeof source === "string") return source;
  return source && "from" in source ? ([source.from].flat()[0] ?? input) : input;
}

function filler(schema: unknown): unknown {
  const { type, enum: values } = typeof schema === "object" && schema !== null ? asJson(schema) : {};
  if (Array.isArray(values)) return values[0];
  switch (type) {
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 1;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "probe";
  }
}

function asJson(value: object): Json {
  return { ...value };
}
