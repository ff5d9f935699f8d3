import { expect, test } from "bun:test";
import { loadHarness } from "../../src/harness/load.ts";
import { checkWire, chooseHarness } from "../../src/harness/route.ts";
import type { WireApi } from "../../src/protocol/items.ts";
import { AppError } from "../../src/util/errors.ts";
import { tempHome } from "../support/home.ts";

type Case = {
  chosen?: string;
  id?: string;
  label?: string;
  baseUrl?: string;
  wire?: WireApi;
  model?: string;
};

async function route({ chosen, model = "m", ...rest }: Case, home = "/nowhere") {
  const provider = { id: "p", label: "P", wire: "chat" as const, ...rest };
  return chooseHarness({ chosen, provider, model, home });
}

test("what the user chose is used, whatever the model is; nothing is a choice too", async () => {
  const model = "claude-sonnet-4-5";
  expect(await route({ chosen: "minimal", model })).toEqual({ id: "minimal", reason: "chosen by the user" });
  expect(await route({ chosen: "", model })).toEqual({ id: "native", reason: "chosen by the user" });
});

test("without a choice, the first harness that is made for the model or the provider is used", async () => {
  const ids = async (cases: Case[]) =>
    (await Promise.all(cases.map((one) => route(one)))).map(({ id }) => id);
  expect(
    await ids([
      { model: "anthropic/claude-x" },
      { id: "anthropic" },
      { label: "Anthropic" },
      { baseUrl: "https://api.anthropic.com" },
      { model: "DeepSeek-V4", wire: "messages" },
      { model: "DeepSeek-V4" },
      { id: "deepseek" },
      { label: "DeepSeek-like" },
      { baseUrl: "https://api.deepseek.com/v1" },
      { model: "gpt-5" },
      { wire: "messages" },
    ]),
  ).toEqual([
    "claude-code",
    "claude-code",
    "claude-code",
    "claude-code",
    "claude-code-bare",
    "native",
    "claude-code-bare",
    "native",
    "claude-code-bare",
    "native",
    "native",
  ]);
});

test("the reason is told", async () => {
  expect((await route({ model: "deepseek-chat", wire: "messages" })).reason).toBe(
    "made for models like deepseek-chat",
  );
  expect((await route({ id: "deepseek" })).reason).toBe("made for the provider deepseek");
  expect((await route({})).reason).toBe("no other harness is made for this provider or model");
});

test("a user's harness may say what it is made for", async () => {
  await using home = await tempHome();
  await home.write(
    "~/harnesses/mine.yaml",
    "id: mine\nextends: minimal\nrouting: { order: 1, model: ^deepseek }\n",
  );
  await home.write("~/harnesses/broken.yaml", "id: other\nrouting: { order: 0, model: deepseek }\n");
  expect((await route({ model: "deepseek-chat" }, home.path)).id).toBe("mine");
});

test("a harness that does not know the wire is refused with those that do", async () => {
  const zcode = await loadHarness("zcode", "/nowhere");
  const error: unknown = await checkWire(zcode, "chat", "/nowhere").catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(AppError);
  const { message, hint = "" } = error instanceof AppError ? error : { message: "" };
  expect(message).toBe('the harness zcode does not work with wire_api = "chat"');
  expect(hint).toStartWith("it knows messages; with chat these work: claude-code, claude-code-bare, ");
});

test("a harness that is made for the model, but not for the wire, is named in the reason", async () => {
  expect(await route({ model: "qwen3-coder", wire: "responses" })).toEqual({
    id: "native",
    reason: 'qwen-code is made for models like qwen3-coder, but not for wire_api = "responses"',
  });
});
