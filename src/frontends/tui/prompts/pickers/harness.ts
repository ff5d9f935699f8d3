import type { Override } from "../../../../config/overrides.ts";
import { harnessesToChoose } from "../../../../core/choices/harnesses.ts";
import type { Asker } from "../asker.ts";
import { currentFirst } from "./order.ts";
import type { Around } from "./types.ts";

/** Asks in which form the model is spoken to: each with the tools it offers. */
export async function pickHarness(asker: Asker, around: Around): Promise<Override[] | undefined> {
  const { config, env, current } = around;
  if (!current) return undefined;
  const { provider, model } = current;
  const found = await harnessesToChoose({ config, env, provider, model });
  const ordered = currentFirst(found, ({ id }) => id === current.harness);
  const width = Math.max(...found.map(({ id }) => id.length), 0);
  const chosen = await asker.choose({
    message: "Harness",
    choices: ordered.map(({ item, isCurrent }) => {
      const notes = [
        ...(isCurrent ? ["current"] : []),
        ...(item.isRecommended ? [`recommended for ${model}`] : []),
      ];
      const label = `${item.id.padEnd(width)}  ${[...notes, item.tools.join(" ")].join(" · ")}`;
      return { value: item.id, label };
    }),
    initial: 0,
  });
  return chosen === undefined ? undefined : [{ path: ["harness"], option: "/harness", set: chosen }];
}
