/** Switches the echo of the terminal, for secrets. Where there is no `stty`, what is typed stays visible. */
export function setEcho(isOn: boolean): void {
  const stty = Bun.which("stty");
  if (stty)
    Bun.spawnSync([stty, isOn ? "echo" : "-echo"], { stdin: "inherit", stdout: "ignore", stderr: "ignore" });
}
