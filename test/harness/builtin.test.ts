import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { harnessSize } from "../../src/core/harness/harness-report.ts";
import { builtInFile, builtInIds } from "../../src/harness/builtin.ts";
import { HARNESS_FLAGS } from "../../src/harness/flags.ts";
import { loadHarness } from "../../src/harness/load.ts";
import { readHarnessFile } from "../../src/harness/read-file.ts";
import { routedHarnesses } from "../../src/harness/routes.ts";
import { renderSpeech } from "../../src/harness/speech.ts";
import { bindTools } from "../../src/harness/tools.ts";
import { renderPrompt } from "../../src/harness/vars.ts";
import { textOf } from "../../src/protocol/items.ts";

const folder = join(import.meta.dir, "../../harnesses");
const NO_HOME = "/nowhere";
/** Of the prompt, without tools. */
const MOST_TOKENS: Readonly<Record<string, number>> = { minimal: 600, "claude-code-bare": 1200 };

const context = (on: readonly string[]) => ({
  cwd: "/w",
  shell: "bash",
  version: "1.0.0",
  now: new Date(2026, 0, 2),
  model: { id: "m", contextWindow: 1000 },
  flags: Object.fromEntries(on.map((flag) => [flag, true])),
});

test("every file of harnesses/ is built in", async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".yaml"));
  expect(names.map((name) => name.replace(".yaml", "")).sort()).toEqual(builtInIds().sort());
});

test("the built-in harnesses with routing are asked in its order, with what their files say", async () => {
  const all = await Promise.all(builtInIds().map((id) => loadHarness(id, NO_HOME)));
  const routed = all.flatMap(({ id, wires, routing }) => (routing ? [{ id, wires, routing }] : []));
  const inOrder = routed.sort((a, b) => (a.routing.order ?? 0) - (b.routing.order ?? 0));
  expect(inOrder.length).toBeGreaterThan(1);
  expect(await routedHarnesses(NO_HOME)).toEqual(inOrder);
});

for (const id of builtInIds()) {
  test(`${id}: the file passes the schema and is read the same by both YAML readers`, async () => {
    const path = join(folder, `${id}.yaml`);
    const strict = readHarnessFile(path, await Bun.file(path).text());
    expect(strict).toEqual((await builtInFile(id)) ?? { id: "missing" });
    expect(strict.id).toBe(id);
  });

  test(`${id}: every text is a valid template, whatever is on`, async () => {
    const harness = await loadHarness(id, NO_HOME);
    for (const flags of [[], HARNESS_FLAGS]) {
      expect(JSON.stringify(await renderSpeech(harness, context(flags)))).not.toContain("{{");
    }
  });

  test(`${id}: the file tells its size, which is within its bounds`, async () => {
    const text = await Bun.file(join(folder, `${id}.yaml`)).text();
    const { prompt, tools } = harnessSize(await loadHarness(id, NO_HOME));
    expect(text).toContain(`# Size by the estimate: prompt ~${prompt} tokens, tools ~${tools} tokens.\n`);
    expect(prompt).toBeLessThan(MOST_TOKENS[id] ?? 4000);
  });

  test(`${id}: whatever a tool says of a failure reaches the model, and no failure reads like a success`, async () => {
    const harness = await loadHarness(id, NO_HOME);
    const { render } = bindTools(harness, {});
    const texts = harness.tools.flatMap((tool) => {
      // Those have words of their own for every failure.
      if (tool.result?.error && !tool.result.error.includes("{{text}}")) return [];
      const fields = { case: "(another)", path: "(path)", cwd: "(cwd)" };
      const content = [{ type: "input_text" as const, text: "THE REASON" }];
      return [[tool.name, textOf(render(tool, { ok: false, content, fields, detail: { kind: "none" } }))]];
    });
    expect(texts.filter(([, text]) => !text?.includes("THE REASON"))).toEqual([]);
  });

  test(`${id}: each schema of a tool is one that can be checked, and its arguments come from parameters`, async () => {
    const { tools } = await loadHarness(id, NO_HOME);
    for (const { name, parameters, args } of tools) {
      if (parameters) expect(() => z.fromJSONSchema(parameters)).not.toThrow();
      const known = Object.keys(
        z
          .looseObject({ properties: z.looseObject({}) })
          .catch({ properties: { input: 1 } })
          .parse(parameters).properties,
      );
      const sources = Object.values(args ?? {}).flatMap((one) =>
        typeof one === "string" ? one : "from" in one ? one.from : [],
      );
      expect({ name, unknown: sources.filter((source) => !known.includes(source)) }).toEqual({
        name,
        unknown: [],
      });
    }
  });
}

test("the native prompt stays short, and the minimal one shorter", async () => {
  const characters = async (id: string, on: readonly string[]) => {
    const harness = await loadHarness(id, NO_HOME);
    return (await renderPrompt(harness.prompt.system, context(on))).length;
  };
  expect(await characters("native", HARNESS_FLAGS)).toBeLessThan(3600);
  expect(await characters("native", ["unified_exec"])).toBeLessThan(3600);
  expect(await characters("minimal", [])).toBeLessThan(2400);
});

test("the native prompt speaks only of tools that are offered", async () => {
  const { prompt } = await loadHarness("native", NO_HOME);
  const named = async (on: string[]) => {
    const text = await renderPrompt(prompt.system, context(on));
    return [
      "`exec_command`",
      "`write_stdin`",
      "`shell_command`",
      "the `apply_patch` tool",
      "apply_patch <<",
      "`update_plan`",
    ].filter((name) => text.includes(name));
  };
  expect(await named(["unified_exec", "freeform_patch", "update_plan"])).toEqual([
    "`exec_command`",
    "`write_stdin`",
    "the `apply_patch` tool",
    "`update_plan`",
  ]);
  expect(await named([])).toEqual(["`shell_command`", "apply_patch <<"]);
});

test("the native tools have the names and the parameters that models know", async () => {
  const harness = await loadHarness("native", NO_HOME);
  const Shape = z.looseObject({
    properties: z.record(z.string(), z.looseObject({ type: z.string() })),
    required: z.array(z.string()),
    additionalProperties: z.boolean(),
  });
  const offered = (on: string[]) =>
    bindTools(harness, context(on).flags)
      .wireTools()
      .map((tool) => {
        if (tool.kind === "freeform") return `${tool.name} ${tool.grammar?.syntax}`;
        const { properties, required, additionalProperties } = Shape.parse(tool.parameters);
        const fields = Object.entries(properties).map(
          ([name, { type }]) => `${name}${required.includes(name) ? "*" : ""}:${type}`,
        );
        return `${tool.name} ${fields.join(" ")}${tool.strict || additionalProperties ? " open" : ""}`;
      });
  expect(offered(["questions"]).at(-1)).toBe("request_user_input questions*:array");
  expect(offered(["unified_exec", "freeform_patch", "update_plan", "images"])).toEqual([
    "exec_command cmd*:string workdir:string shell:string login:boolean tty:boolean yield_time_ms:number max_output_tokens:number sandbox_permissions:string justification:string prefix_rule:array",
    "write_stdin session_id*:number chars:string yield_time_ms:number max_output_tokens:number",
    "apply_patch lark",
    "update_plan explanation:string plan*:array",
    "view_image path*:string",
  ]);
  expect(offered([])).toEqual([
    "shell_command command*:string workdir:string timeout_ms:number login:boolean sandbox_permissions:string justification:string prefix_rule:array",
  ]);
});
