import type { TextProtocol } from "../../harness/written-call.ts";
import type { ModelEvent, ModelRequest } from "../../model/types.ts";
import { type MessageItem, textOf } from "../../protocol/items.ts";
import { shortHex } from "../../util/ids.ts";

type Stream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** Adds the calls that the model writes into its text, so that the loop runs them as any other. */
export function withWrittenCalls(stream: Stream, protocol: TextProtocol | undefined): Stream {
  if (!protocol) return stream;
  return async function* (request, signal) {
    let answer: MessageItem | undefined;
    for await (const event of stream(request, signal)) {
      if (event.type === "item" && event.item.type === "message") answer = event.item;
      // A half call of an answer that was cut must not run.
      if (event.type === "finished" && event.stop !== "length" && answer)
        yield* callEvents(protocol, textOf(answer.content), request);
      yield event;
    }
  };
}

function* callEvents(
  protocol: TextProtocol,
  answer: string,
  { items }: ModelRequest,
): Generator<ModelEvent, void> {
  for (const { name, parameters } of protocol.callsIn(answer, items)) {
    const input = { kind: "json", raw: JSON.stringify(parameters) } as const;
    yield { type: "item", item: { type: "tool_call", callId: `call_${shortHex(24)}`, name, input } };
  }
}
