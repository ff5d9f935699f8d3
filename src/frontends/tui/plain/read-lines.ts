/**
 * Gives out each line that a person types, without its end, until the input ends; what is after the last line end is
 * a line too. The terminal edits and echoes them itself.
 */
export async function readLines(
  stream: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  }
  rest += decoder.decode();
  if (rest !== "") onLine(rest);
}
