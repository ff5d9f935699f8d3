type Env = Readonly<Record<string, string | undefined>>;

/** Programs that set a clipboard, and what must be set for them to have one. */
const PROGRAMS = [
  { argv: ["pbcopy"], needs: undefined },
  { argv: ["wl-copy"], needs: "WAYLAND_DISPLAY" },
  { argv: ["xclip", "-selection", "clipboard"], needs: "DISPLAY" },
  { argv: ["xsel", "--clipboard", "--input"], needs: "DISPLAY" },
] as const;

/** Puts text into the clipboard by a program of this machine; false when there is none. */
export function setClipboard(text: string, env: Env): boolean {
  const program = PROGRAMS.find(
    ({ argv, needs }) =>
      (needs === undefined || env[needs]) && Bun.which(argv[0], { PATH: env["PATH"] ?? "" }),
  );
  if (!program) return false;
  Bun.spawn([...program.argv], { stdin: new Blob([text]), stdout: "ignore", stderr: "ignore" }).unref();
  return true;
}

/** What asks a terminal, which may stand elsewhere, to put text into its clipboard (OSC 52). */
export function clipboardSequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`;
}
