import type { Port } from "../port.ts";
import type { Asker } from "../prompts/asker.ts";

/** Asks in a dialog. What is typed behind its last question is the composer's. */
export async function ask<T>(port: Port, work: (asker: Asker) => Promise<T>): Promise<T> {
  try {
    return await port.dialogs.open(work);
  } finally {
    port.dialogs.release();
  }
}
