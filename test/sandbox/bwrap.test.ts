import { expect, test } from "bun:test";
import profile from "../../sandbox-profiles/linux.yaml";
import { bwrapOptions, type Confinement } from "../../src/sandbox/bwrap.ts";

const PLAIN: Confinement = {
  layout: { readsEverything: true, places: [], links: [] },
  network: false,
  ownProc: true,
  tty: false,
  cwd: "/ws",
  filterFd: 3,
};
const COVERS = [
  "--ro-bind-try /proc/sys /proc/sys",
  "--ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger",
  "--ro-bind-try /proc/irq /proc/irq",
  "--ro-bind-try /proc/bus /proc/bus",
  "--ro-bind-try /proc/acpi /proc/acpi",
  "--ro-bind-try /proc/scsi /proc/scsi",
];

test("a command that may change nothing sees everything read-only, in namespaces of its own", () => {
  expect(lines(PLAIN)).toEqual([
    "--die-with-parent",
    "--new-session",
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-net",
    "--cap-drop ALL",
    "--ro-bind / /",
    "--dev /dev",
    "--proc /proc",
    ...COVERS,
    "--chdir /ws",
    "--seccomp 3",
  ]);
});

test("places become mounts in their order, and denied folders are closed at the end", () => {
  const places: Confinement["layout"]["places"] = [
    { path: "/ws", is: "write" },
    { path: "/ws/.codex", is: "empty" },
    { path: "/ws/.env", is: "deny_file" },
    { path: "/ws/.git", is: "keep" },
    { path: "/ws/a", is: "deny_folder", entered: true },
    { path: "/ws/a/b", is: "write" },
    { path: "/ws/c", is: "deny_folder", entered: false },
  ];
  const all = lines({ ...PLAIN, layout: { readsEverything: true, places, links: [] } });
  expect(all.slice(all.indexOf(COVERS.at(-1) ?? "") + 1)).toEqual([
    "--bind /ws /ws",
    "--perms 0555",
    "--tmpfs /ws/.codex",
    "--remount-ro /ws/.codex",
    "--ro-bind /dev/null /ws/.env",
    "--ro-bind /ws/.git /ws/.git",
    "--perms 0111",
    "--tmpfs /ws/a",
    "--bind /ws/a/b /ws/a/b",
    "--perms 0000",
    "--tmpfs /ws/c",
    "--remount-ro /ws/a",
    "--remount-ro /ws/c",
    "--chdir /ws",
    "--seccomp 3",
  ]);
});

test("a command with a terminal keeps its session, one with the network shares it", () => {
  const changed = lines({ ...PLAIN, tty: true, network: true });
  expect(lines(PLAIN).filter((line) => !changed.includes(line))).toEqual(["--new-session", "--unshare-net"]);
});

test("without a /proc of our own the one of the container is shown, still read-only", () => {
  const changed = lines({ ...PLAIN, ownProc: false });
  expect(lines(PLAIN).filter((line) => !changed.includes(line))).toEqual(["--proc /proc"]);
});

test("a restricted view starts empty and ends closed", () => {
  const places = [{ path: "/usr", is: "keep" as const }];
  const all = lines({
    ...PLAIN,
    layout: { readsEverything: false, places, links: [{ path: "/bin", target: "usr/bin" }] },
  });
  expect(all.filter((line) => / \/(usr.*|bin)?$/.test(line))).toEqual([
    "--tmpfs /",
    "--ro-bind /usr /usr",
    "--symlink usr/bin /bin",
    "--remount-ro /",
  ]);
});

test("the whole disk can be the writable folder", () => {
  const places = [{ path: "/", is: "write" as const }];
  const all = lines({ ...PLAIN, layout: { readsEverything: true, places, links: [] } });
  expect(all.filter((line) => line.endsWith(" /"))).toEqual(["--bind / /"]);
});

test("the profile file has the shape that the code expects", () => {
  const shape = Object.fromEntries(
    Object.entries(profile).map(([name, values]) => [
      name,
      Array.isArray(values) ? [...new Set(values.map((value) => typeof value))] : typeof values,
    ]),
  );
  expect(shape).toEqual({
    procReadOnly: ["string"],
    refusedCalls: ["string"],
    absentCalls: ["string"],
    refusedTerminalRequests: ["number"],
  });
});

/** One line for each option with its values. */
function lines(confinement: Confinement): string[] {
  return bwrapOptions(confinement)
    .join(" ")
    .split(/ (?=--)/);
}
