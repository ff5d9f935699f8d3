import { AppError } from "../util/errors.ts";
import { withoutQuery } from "../util/same-server.ts";

/** Enough for the card of a model with its whole vocabulary, and for the list of a server with a hundred thousand models. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A body as text. Throws AppError "model.rejected" for one that does not end: compressed, a small answer fills the memory. */
export async function wholeText(response: Response, mostBytes = MOST_BYTES): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw new AppError(
        "model.rejected",
        `the answer of ${withoutQuery(response.url)} is longer than ${mostBytes / 2 ** 20} MiB`,
        { hint: "check what answers at that address" },
      );
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
