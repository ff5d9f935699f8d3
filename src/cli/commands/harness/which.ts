import { routeHarness } from "../../../core/harness/harness-choice.ts";
import { chooseModel } from "../../../core/model/model-choice.ts";
import type { Ask } from "./ask.ts";

/** The harness that a session with this model and provider would use, and why. */
export async function whichHarness({ config, io }: Ask): Promise<string> {
  const client = { env: io.env, originator: "interpreter_harness", sessionId: () => "" };
  const { provider, model } = await chooseModel(config, client, io.signal);
  const { id, reason } = await routeHarness(config, provider, model, false);
  return `${id}\n  model: ${model.id}\n  provider: ${provider.id} (${provider.wire})\n  reason: ${reason}\n`;
}
