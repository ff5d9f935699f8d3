import type { HarnessArgument, HarnessFile, HarnessTool } from "../../../../harness/schema.ts";
import type { JsonSchema } from "../../../../model/types.ts";

export type Wire = NonNullable<HarnessFile["wires"]>[number];
export type Json = Record<string, unknown>;

/** One request that the program made. Header names are in lower case. */
export type Recorded = {
  wire: Wire;
  query: string;
  headers: Readonly<Record<string, string>>;
  body: Json;
};

/** What the server answers: words, or one call of a tool. */
export type Step = { text: string } | { call: { id: string; name: string; input: Json | string } };

export type SeenTool = {
  name: string;
  description: string;
  /** Absent for tools that take plain text; null for those that say nothing of what they take. */
  parameters?: JsonSchema | null;
  grammar?: { syntax: "lark" | "regex"; definition: string };
  isStrictKnown: boolean;
  deferLoading: boolean;
};

/** A tool that one of ours can stand for. `base`: the same tool of the built-in harness that the program is like. */
export type BoundTool = {
  seen: SeenTool;
  native: HarnessTool["native"];
  args?: Record<string, HarnessArgument>;
  base?: HarnessTool;
};

/** What the program answered to the calls that it was asked to make. */
export type ProbeResult = { text: string; isError?: boolean };
export type ProbeKind = "ok" | "again" | "fail" | "silent" | "read" | "unknown";
export type ProbeResults = Partial<Record<ProbeKind, ProbeResult>>;
