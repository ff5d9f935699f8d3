import type { Io } from "../../../protocol/program.ts";

/** Shows a web address to the person, if this machine has a way to. The address was printed as well. */
export function openBrowser(address: string, env: Io["env"]): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  if (program === undefined) return;
  try {
    const child = Bun.spawn([program, ...args, address], {
      env,
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
    });
    child.unref();
  } catch {
    // A machine without a browser, such as a server.
  }
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  // Unlike `cmd /c start`, this takes the address as it is: `&` in it starts nothing.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
