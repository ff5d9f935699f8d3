import profile from "../../sandbox-profiles/linux.yaml";
import type { Layout, Place } from "./layout.ts";

// Bun reads YAML while it bundles, so in the executable this is a literal; a test checks its shape.
const procReadOnly: readonly string[] = profile.procReadOnly;

export type Confinement = {
  layout: Layout;
  network: boolean;
  /** False where a container does not let us mount a /proc of our own. */
  ownProc: boolean;
  /** The command has a terminal made for it, or the user's: keep job control. */
  tty: boolean;
  /** Where the command starts, a real path. */
  cwd: string;
  /** The descriptor from which bwrap reads the seccomp program. */
  filterFd: number;
};

/** The options of bwrap that make the confinement. The command's own words follow after `--`. */
export function bwrapOptions({ layout, network, ownProc, tty, cwd, filterFd }: Confinement): string[] {
  return [
    "--die-with-parent",
    // A session of its own takes the terminal away, and with it the chance to type into it. With a terminal the filter
    // refuses the calls that would.
    ...(tty ? [] : ["--new-session"]),
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    ...(network ? [] : ["--unshare-net"]),
    // Started by root, bwrap would leave root's capabilities for the new namespaces.
    ...["--cap-drop", "ALL"],
    ...rootOptions(layout),
    ...["--dev", "/dev"],
    ...(ownProc ? ["--proc", "/proc"] : []),
    ...procReadOnly.flatMap((path) => ["--ro-bind-try", path, path]),
    ...layout.places.filter(({ path }) => path !== "/").flatMap(placeOptions),
    ...layout.links.flatMap(({ path, target }) => ["--symlink", target, path]),
    // Only now: until here bwrap itself had to make mount points in them.
    ...layout.places.filter(({ is }) => is === "deny_folder").flatMap(({ path }) => ["--remount-ro", path]),
    ...(layout.readsEverything ? [] : ["--remount-ro", "/"]),
    ...["--chdir", cwd],
    ...["--seccomp", String(filterFd)],
  ];
}

function rootOptions({ readsEverything, places }: Layout): string[] {
  const root = places.find(({ path }) => path === "/");
  if (root?.is === "write") return ["--bind", "/", "/"];
  return readsEverything || root?.is === "keep" ? ["--ro-bind", "/", "/"] : ["--tmpfs", "/"];
}

function placeOptions(place: Place): string[] {
  const { path } = place;
  switch (place.is) {
    case "write":
      return ["--bind", path, path];
    case "keep":
      return ["--ro-bind", path, path];
    case "empty":
      return ["--perms", "0555", "--tmpfs", path, "--remount-ro", path];
    case "deny_file":
      // A device on a file system that is mounted without devices: it can't be opened, whoever asks.
      return ["--ro-bind", "/dev/null", path];
    case "deny_folder":
      return ["--perms", place.entered ? "0111" : "0000", "--tmpfs", path];
  }
}
