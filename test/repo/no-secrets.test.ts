import { expect, test } from "bun:test";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ROOT, repositoryFiles } from "./tree.ts";

/** What must never be in the repository. Written so that this file does not match itself. */
const FORBIDDEN: readonly { what: string; pattern: RegExp }[] = [
  { what: "a provider key", pattern: /\b(sk-(ant|or|proj)-|gh[pousr]_|xox[bap]-|AIza)[A-Za-z0-9_-]{20,}/ },
  { what: "a cloud key", pattern: /\bAKIA[A-Z0-9]{16}\b/ },
  { what: "a private key", pattern: /-{5}BEGIN ([A-Z]+ )?PRIVATE KEY/ },
  { what: "a private host", pattern: /https?:\/\/(?!host\.docker\.)[\w.-]+\.(internal|intranet|corp|lan)\b/ },
  { what: "a package mirror", pattern: /https?:\/\/[^\s"']*\/(artifactory|nexus|npm-proxy|pypi)\// },
  { what: "an issue number", pattern: /\b(issue|fix(es)?|close[sd]?|resolve[sd]?) #\d+/i },
  ...machinePaths().map((path) => ({ what: "a path of this machine", pattern: pathPattern(path) })),
];

const BINARY = /\.(png|jpe?g|gif|webp|wasm|ico|gz|zip)$/;

test("no file holds a key, a private host, an issue number or a path of the machine it was written on", async () => {
  const found: string[] = [];
  for (const file of await repositoryFiles()) {
    if (!BINARY.test(file)) found.push(...findings(file, await Bun.file(join(ROOT, file)).text()));
  }
  expect(found).toEqual([]);
});

test("each kind of leak is found", () => {
  const leaks = [
    `key = "sk-${"ant"}-${"a1".repeat(12)}"`,
    `id = AKIA${"A1".repeat(8)}`,
    `-----${"BEGIN"} RSA PRIVATE KEY-----`,
    `registry=https://npm.example.${"corp"}/`,
    `registry=https://example.com/${"artifactory"}/api/npm/`,
    `// ${"fixes"} #12`,
    `read(${JSON.stringify(join(ROOT, "x"))})`,
  ];
  expect(leaks.map((leak) => findings("a.ts", leak))).toEqual([
    ["a.ts:1: a provider key"],
    ["a.ts:1: a cloud key"],
    ["a.ts:1: a private key"],
    ["a.ts:1: a private host"],
    ["a.ts:1: a package mirror"],
    ["a.ts:1: an issue number"],
    ["a.ts:1: a path of this machine"],
  ]);
});

test("the lock file names no address, so every machine uses its own registry", async () => {
  expect(await Bun.file(join(ROOT, "bun.lock")).text()).not.toMatch(/https?:/);
});

function findings(file: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const hit = FORBIDDEN.find(({ pattern }) => pattern.test(line));
    return hit === undefined ? [] : [`${file}:${index + 1}: ${hit.what}`];
  });
}

/** This checkout, its neighbour, the home of a person, and tools that were put into a temporary folder. */
function machinePaths(): string[] {
  const parent = dirname(ROOT);
  const common = ["/", "/home", "/root", "/tmp", "/usr", "/src", "/app", "/build", "/opt"];
  const tools = (process.env["PATH"] ?? "").split(delimiter).filter((path) => path.startsWith(tmpdir()));
  return [ROOT, join(parent, "shared"), homedir(), ...tools].filter((path) => !common.includes(path));
}

function pathPattern(path: string): RegExp {
  return new RegExp(`(?<![\\w./-])${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`);
}
