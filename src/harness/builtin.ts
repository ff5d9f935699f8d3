import type { HarnessFile } from "./schema.ts";

type BuiltIn = {
  load(): Promise<{ default: HarnessFile }>;
  /** Its file has `routing`, so it is asked when nobody has chosen a harness. */
  isRouted?: true;
};

/**
 * The built-in harnesses, one lazy import each. Bun reads YAML while it bundles, so that at run time a harness is an
 * object literal which no parser and no schema has to look at; a test checks each of them against the schema.
 */
const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  "claude-code": { load: () => import("../../harnesses/claude-code.yaml"), isRouted: true },
  "claude-code-bare": { load: () => import("../../harnesses/claude-code-bare.yaml"), isRouted: true },
  "deepseek-tui": { load: () => import("../../harnesses/deepseek-tui.yaml") },
  "kimi-cli": { load: () => import("../../harnesses/kimi-cli.yaml") },
  "kimi-code": { load: () => import("../../harnesses/kimi-code.yaml"), isRouted: true },
  "little-coder": { load: () => import("../../harnesses/little-coder.yaml") },
  "mini-swe-agent": { load: () => import("../../harnesses/mini-swe-agent.yaml") },
  minimal: { load: () => import("../../harnesses/minimal.yaml") },
  native: { load: () => import("../../harnesses/native.yaml") },
  opencode: { load: () => import("../../harnesses/opencode.yaml") },
  pi: { load: () => import("../../harnesses/pi.yaml") },
  "qwen-code": { load: () => import("../../harnesses/qwen-code.yaml"), isRouted: true },
  "swe-agent": { load: () => import("../../harnesses/swe-agent.yaml") },
  "terminus-2": { load: () => import("../../harnesses/terminus-2.yaml") },
  zcode: { load: () => import("../../harnesses/zcode.yaml") },
};

export function builtInIds(): string[] {
  return Object.keys(BUILT_IN);
}

export function routedBuiltInIds(): string[] {
  return Object.entries(BUILT_IN).flatMap(([id, { isRouted }]) => (isRouted ? [id] : []));
}

export async function builtInFile(id: string): Promise<HarnessFile | undefined> {
  if (!Object.hasOwn(BUILT_IN, id)) return undefined;
  const loaded = await BUILT_IN[id]?.load();
  return loaded?.default;
}
