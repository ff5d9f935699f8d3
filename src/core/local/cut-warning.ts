import { cutNotice } from "../../model/cut-prompt.ts";
import type { ModelEvent, ModelRequest } from "../../model/types.ts";

type Stream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** Tells once that a server cuts prompts: some do so without a word, and only their count of what they read shows it. */
export function withCutWarning(stream: Stream, server: string, remedy: string): Stream {
  let isTold = false;
  return async function* (request, signal) {
    for await (const event of stream(request, signal)) {
      const counted = event.type === "finished" ? event.usage?.input : undefined;
      const notice = isTold ? undefined : cutNotice(request, counted, server, remedy);
      if (notice !== undefined) {
        isTold = true;
        yield { type: "notice", message: notice };
      }
      yield event;
    }
  };
}
