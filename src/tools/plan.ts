import { z } from "zod";
import type { PlanDetail } from "../protocol/details.ts";
import { defineTool } from "./define.ts";
import { textResult } from "./results.ts";

const PlanInput = z.looseObject({
  explanation: z.string().nullish(),
  plan: z.array(z.looseObject({ step: z.string(), status: z.enum(["pending", "in_progress", "completed"]) })),
});
type PlanInput = z.infer<typeof PlanInput>;

/** Native "plan": the model's list of steps, for people to follow. */
export const plan = defineTool<PlanInput>({
  name: "plan",
  schema: PlanInput,
  parallel: false,
  async prepare({ explanation, plan: steps }) {
    const detail: PlanDetail = {
      kind: "plan",
      steps: steps.map(({ step, status }) => ({ text: step, status })),
      ...(explanation ? { explanation } : {}),
    };
    return {
      ready: {
        access: {},
        subject: { kind: "permissions", access: {} },
        shown: detail,
        run: async () => textResult(true, "Plan updated", {}, detail),
      },
    };
  },
});
