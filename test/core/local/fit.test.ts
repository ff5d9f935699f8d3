import { expect, test } from "bun:test";
import { type FitQuestion, fittingHarness } from "../../../src/core/local/fit.ts";
import { checkAirGap } from "../../../src/providers/air-gap.ts";
import { toErrorInfo } from "../../../src/util/errors.ts";
import { tempHome } from "../../support/home.ts";

const NATIVE = { id: "native", reason: "the default" };

async function question(home: string, changes: Partial<FitQuestion>): Promise<FitQuestion> {
  return {
    route: NATIVE,
    isChosen: false,
    window: 32_768,
    flags: { unified_exec: true, update_plan: true },
    wire: "chat",
    home,
    ...changes,
  };
}

test("a harness that leaves half of the window is kept", async () => {
  await using home = await tempHome();
  expect(await fittingHarness(await question(home.path, {}))).toEqual(NATIVE);
});

test("a large harness that nobody chose gives way to the smallest", async () => {
  await using home = await tempHome();
  const text = `id: large\nextends: native\nprompt:\n  system: "${"long words ".repeat(4000)}"\n`;
  await home.write("~/harnesses/large.yaml", text);
  const route = { id: "large", reason: "made for it" };
  expect(await fittingHarness(await question(home.path, { route, window: 16_384 }))).toEqual({
    id: "minimal",
    reason: "large would fill more than half of 16384 tokens",
  });
  const refusal = await fittingHarness(
    await question(home.path, { route, window: 16_384, isChosen: true }),
  ).catch(toErrorInfo);
  expect(refusal).toMatchObject({
    code: "config",
    message: expect.stringMatching(
      /^the harness large takes about \d+ tokens, more than half of the context window of 16384$/,
    ),
    hint: expect.stringMatching(/^these fit: .*minimal.*native.*; or raise model_context_window$/),
  });
});

test("an air-gapped machine asks itself and its own network only", () => {
  const allowed = [
    "http://127.0.0.1:11434/v1",
    "http://[::1]:9000",
    "http://[::ffff:127.0.0.1]:9000",
    "http://192.168.1.5:8080",
    "http://172.20.0.3",
    "http://box:11434",
    "http://gpu.local/v1",
  ];
  for (const address of allowed) expect(checkAirGap("p", address)).toBeUndefined();
  for (const address of [
    "https://api.openai.com/v1",
    "http://172.32.0.1",
    "http://8.8.8.8",
    "http://[2001:db8::1]",
  ])
    expect(() => checkAirGap("p", address)).toThrow("air_gapped = true forbids the provider p");
});
