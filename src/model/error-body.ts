/** A server could go on for ever, or never begin. */
const MOST_BYTES = 1_000_000;
const PATIENCE_MS = 5_000;

/** What a server says about an error, as far as it came: the status alone tells enough to go on without it. */
export async function errorBody(
  response: Response,
  signal: AbortSignal | undefined,
  patienceMs = PATIENCE_MS,
): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const hangUp = () => void reader.cancel().catch(() => undefined);
  const timer = setTimeout(hangUp, patienceMs);
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      text += decoder.decode(chunk.value, { stream: true });
      bytes += chunk.value.length;
      if (bytes >= MOST_BYTES) break;
    }
  } catch (cause) {
    if (signal?.aborted) throw cause;
  } finally {
    clearTimeout(timer);
    hangUp();
  }
  return text;
}
