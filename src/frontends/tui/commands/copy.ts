import type { Port } from "../port.ts";

export function copyAnswer(port: Port): void {
  const answer = port.transcript.lastAnswer;
  if (answer === undefined) {
    port.change({ hint: "nothing to copy yet" });
    return;
  }
  copyText(port, answer);
  port.change({ hint: "copied the last answer" });
}

/** Programs that set a clipboard, and what must be set for them to have one. */
const PROGRAMS = [
  { argv: ["pbcopy"], needs: undefined },
  { argv: ["wl-copy"], needs: "WAYLAND_DISPLAY" },
  { argv: ["xclip", "-selection", "clipboard"], needs: "DISPLAY" },
  { argv: ["xsel", "--clipboard", "--input"], needs: "DISPLAY" },
] as const;

/** Puts text into the clipboard: by a program of this machine, and through the terminal (OSC 52), which may be elsewhere. */
export function copyText(port: Pick<Port, "io" | "terminal">, text: string): void {
  const { env } = port.io;
  port.terminal.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
  const program = PROGRAMS.find(
    ({ argv, needs }) =>
      (needs === undefined || env[needs]) && Bun.which(argv[0], { PATH: env["PATH"] ?? "" }),
  );
  if (!program) return;
  // Failing is no harm: the terminal was asked as well.
  Bun.spawn([...program.argv], { stdin: new Blob([text]), stdout: "ignore", stderr: "ignore" }).unref();
}
