import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { forbiddenImports } from "./layers.ts";

const src = join(import.meta.dir, "..", "..", "src");

test("every import goes down the layers", async () => {
  expect(await forbiddenImports(src)).toEqual([]);
});

test("an import that goes up the layers is reported with its line, however it is written", async () => {
  const found = await forbiddenImportsOf({
    "util/text.ts": `import { a } from "../protocol/items.ts";\n`,
    "model/wire.ts": `// a comment\nimport {\n  run,\n} from "../core/turn/turn.ts";\n`,
    "tools/exec.ts": `import "../config/load.ts";\n`,
    "config/load.ts": `export async function f() {\n  return await import("../cli/args.ts");\n}\n`,
    "sessions/store.ts": `export type { A } from "../core/session/session.ts";\n`,
    "frontends/exec/main.ts": `import { draw } from "../tui/screen.ts";\n`,
    "cli/dispatch.ts": `import { main } from "../frontends/exec/main.ts";\n`,
    "stray/file.ts": `import { a } from "../util/text.ts";\n`,
    "core/turn/reply.ts": `import { open } from "./calls.ts";\n`,
    "core/turn/calls.ts": `import { a } from "../session/session.ts";\n`,
    "harness/load.ts": `import { spec } from "../tools/exec.ts";\n`,
    "providers/catalog.ts": `import text from "../../harnesses/x.yaml" with { type: "text" };\n`,
  });
  expect(found).toEqual([
    "src/cli/dispatch.ts:1: cli may not import frontends/exec/main.ts",
    "src/config/load.ts:2: config may not import cli/args.ts",
    "src/core/turn/calls.ts:1: core may not import core/session/session.ts",
    "src/core/turn/reply.ts:1: core may not import core/turn/calls.ts",
    "src/frontends/exec/main.ts:1: frontends/exec may not import frontends/tui/screen.ts",
    "src/harness/load.ts:1: harness may not import tools/exec.ts",
    "src/model/wire.ts:4: model may not import core/turn/turn.ts",
    "src/providers/catalog.ts:1: providers may not import ../harnesses/x.yaml",
    "src/sessions/store.ts:1: sessions may not import core/session/session.ts",
    "src/stray/file.ts:1: stray may not import util/text.ts",
    "src/tools/exec.ts:1: tools may not import config/load.ts",
    "src/util/text.ts:1: util may not import protocol/items.ts",
  ]);
});

test("imports down the layers, types of other folders and embedded data are allowed", async () => {
  const found = await forbiddenImportsOf({
    "core/turn/calls.ts": `import { exec } from "../../tools/exec.ts";\nimport { a } from "./turn.ts";\n`,
    "core/turn/turn.ts": `import type { Wire } from "../../model/types.ts";\nimport { a } from "../../util/text.ts";\n`,
    "harness/load.ts": `import { Spec } from "../tools/types.ts";\nimport type { X } from "../tools/exec.ts";\n`,
    "harness/builtin.ts": `const a = () => import("../../harnesses/lean.yaml", { with: { type: "text" } });\n`,
    "cli/dispatch.ts": `const a = () => import("../frontends/exec/main.ts");\n`,
    "model/wire.ts": `import OpenAI from "openai";\n`,
  });
  expect(found).toEqual([]);
});

async function forbiddenImportsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), "layers-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
    return await forbiddenImports(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
