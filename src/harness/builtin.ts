import type { HarnessFile } from "./schema.ts";

type Load = () => Promise<{ default: HarnessFile }>;

/**
 * The built-in harnesses, one lazy import each. Bun reads YAML while it bundles, so that at run time a harness is an
 * object literal which no parser and no schema has to look at; a test checks each of them against the schema.
 */
const BUILT_IN: Readonly<Record<string, Load>> = {
  "claude-code": () => import("../../harnesses/claude-code.yaml"),
  "claude-code-bare": () => import("../../harnesses/claude-code-bare.yaml"),
  "deepseek-tui": () => import("../../harnesses/deepseek-tui.yaml"),
  "kimi-cli": () => import("../../harnesses/kimi-cli.yaml"),
  "kimi-code": () => import("../../harnesses/kimi-code.yaml"),
  "little-coder": () => import("../../harnesses/little-coder.yaml"),
  "mini-swe-agent": () => import("../../harnesses/mini-swe-agent.yaml"),
  minimal: () => import("../../harnesses/minimal.yaml"),
  native: () => import("../../harnesses/native.yaml"),
  opencode: () => import("../../harnesses/opencode.yaml"),
  pi: () => import("../../harnesses/pi.yaml"),
  "qwen-code": () => import("../../harnesses/qwen-code.yaml"),
  "swe-agent": () => import("../../harnesses/swe-agent.yaml"),
  "terminus-2": () => import("../../harnesses/terminus-2.yaml"),
  zcode: () => import("../../harnesses/zcode.yaml"),
};

export function builtInIds(): string[] {
  return Object.keys(BUILT_IN);
}

export async function builtInFile(id: string): Promise<HarnessFile | undefined> {
  if (!Object.hasOwn(BUILT_IN, id)) return undefined;
  const loaded = await BUILT_IN[id]?.();
  return loaded?.default;
}
