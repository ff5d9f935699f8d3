import type { Port } from "../port.ts";
import { entryRows } from "../transcript-rows.ts";

/** Everything that was said and done, unfolded, on the alternate screen. */
export async function showTranscript(port: Port): Promise<void> {
  const { theme, transcript } = port;
  const cells = transcript.cells.map((cell) => {
    const rows = (width: number) => [
      "",
      ...entryRows({ cell, isRunning: false }, { width, theme, isExpanded: true }),
    ];
    return { rows, text: Bun.stripANSI(rows(100_000).join("\n")).trim() };
  });
  await port.page({ title: "transcript", cells, startsAtEnd: true });
}
