import type { Port } from "../port.ts";

/** Keys of vim in the composer, on or off. */
export function toggleVim(port: Port): void {
  const isOn = port.state.vim === undefined;
  port.change({
    vim: isOn ? { mode: "insert" } : undefined,
    hint: isOn ? "vim keys: esc leaves the typing, i goes back to it" : "vim keys are off",
  });
}
