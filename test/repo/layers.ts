import { dirname, join, relative } from "node:path";
import { Glob } from "bun";

/** May a file with this path (below src/, with forward slashes) import that one? */
type Rule = { from: RegExp; to: RegExp[]; typesOf?: RegExp[]; lazily?: RegExp[]; notItsFolder?: true };

const folder = (name: string) => new RegExp(`^${name}/`);
const folders = (...names: string[]) => names.map(folder);
const BASE = folders("protocol", "util");
const BELOW_CORE = [
  ...folders(
    "harness",
    "safety",
    "sessions",
    "extensions",
    "providers",
    "tools",
    "model",
    "sandbox",
    "config",
  ),
  ...BASE,
];

const LOOP = /^core\/turn\/(turn|reply|history)\.ts$/;
/** A turn knows nothing of the session that it belongs to, nor of who chose its model. */
const TURN = folders("core/turn", "core/prompt-context");

/**
 * Who may import whom. The first rule that matches a file decides; its own folder is allowed unless it says otherwise. `typesOf` is for
 * folders of which only types may be used: `import type`, or their types.ts. `lazily` is for `import()` only.
 */
const RULES: readonly Rule[] = [
  { from: /^util\//, to: [] },
  { from: /^protocol\//, to: folders("util") },
  { from: /^config\//, to: BASE },
  { from: /^(model|sandbox)\//, to: BASE },
  { from: /^tools\//, to: [...folders("sandbox"), ...BASE] },
  { from: /^providers\//, to: [...folders("model", "config"), ...BASE] },
  { from: /^safety\//, to: [...folders("sandbox", "config"), ...BASE] },
  { from: /^harness\//, to: [...folders("config"), ...BASE], typesOf: folders("model", "tools") },
  { from: /^extensions\//, to: [...folders("config"), ...BASE], typesOf: folders("model", "tools") },
  { from: /^sessions\//, to: [...folders("config"), ...BASE] },
  // The loop knows no file, socket, clock or terminal; that must stay true through its own folder as well.
  { from: LOOP, to: [LOOP, ...BASE], typesOf: folders("model"), notItsFolder: true },
  { from: /^core\/turn\//, to: [...TURN, ...BELOW_CORE], notItsFolder: true },
  { from: /^core\//, to: BELOW_CORE },
  { from: /^frontends\/apply-patch\//, to: [...folders("tools/patch"), ...BASE] },
  { from: /^frontends\/sandbox\//, to: [...folders("sandbox", "safety", "config"), ...BASE] },
  { from: /^frontends\//, to: [...folders("core", "config"), ...BASE] },
  { from: /^cli\//, to: [...folders("core"), ...BELOW_CORE], lazily: folders("frontends") },
  { from: /^main\.ts$/, to: [...folders("cli"), ...BASE], lazily: folders("frontends") },
];

/** Data outside src/ that code may embed as text. */
const DATA: readonly { from: RegExp; to: RegExp }[] = [
  { from: /^harness\//, to: /^\.\.\/harnesses\/[^/]+\.yaml$/ },
  { from: /^sandbox\//, to: /^\.\.\/sandbox-profiles\// },
  { from: /^util\//, to: /^\.\.\/package\.json$/ },
];

const IMPORT =
  /\b(?:import|export)\b(?<type>\s+type\b)?(?:(?<lazy>\s*\(\s*)|[^"'`;()]*?\bfrom\s*|\s*)["'](?<specifier>\.[^"']*)["']/g;

/** Each forbidden import below `src` as `file:line: file may not import target`. */
export async function forbiddenImports(src: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of new Glob("**/*.ts").scan(src)) {
    const text = await Bun.file(join(src, file)).text();
    for (const match of text.matchAll(IMPORT)) {
      const { type, lazy, specifier = "" } = match.groups ?? {};
      const target = relative(src, join(src, dirname(file), specifier));
      if (isAllowed(file, target, { type: type !== undefined, lazy: lazy !== undefined })) continue;
      const line = text.slice(0, match.index + match[0].length).split("\n").length;
      found.push(`src/${file}:${line}: ${layerOf(file)} may not import ${target}`);
    }
  }
  return found.sort();
}

function isAllowed(file: string, target: string, how: { type: boolean; lazy: boolean }): boolean {
  if (target.startsWith("../")) return DATA.some(({ from, to }) => from.test(file) && to.test(target));
  const rule = RULES.find(({ from }) => from.test(file));
  if (rule === undefined) return false;
  if (!rule.notItsFolder && target.startsWith(`${layerOf(file)}/`)) return true;
  const hits = (patterns: readonly RegExp[] = []) => patterns.some((pattern) => pattern.test(target));
  if (hits(rule.to)) return true;
  if (hits(rule.typesOf) && (how.type || target.endsWith("/types.ts"))) return true;
  return how.lazy && hits(rule.lazily);
}

/** `core/runtime.ts` is of layer `core`; each front end is a layer of its own. */
function layerOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  return first === "frontends" ? `${first}/${second}` : first;
}
