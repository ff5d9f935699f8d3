import profile from "../../sandbox-profiles/linux.yaml";
import { assemble, type Instruction } from "./bpf.ts";
import { type Architecture, AUDIT_ARCHITECTURE, callNumber } from "./syscalls.ts";

// Bun reads YAML while it bundles, so in the executable these are literals; a test checks their shape.
const refusedCalls: readonly string[] = profile.refusedCalls;
const absentCalls: readonly string[] = profile.absentCalls;
const refusedTerminalRequests: readonly number[] = profile.refusedTerminalRequests;

// The input of a filter: call number, architecture, instruction pointer, then six arguments of 8 bytes.
const CALL = 0;
const ARCHITECTURE = 4;
const lowWordOf = (argument: number) => 16 + 8 * argument;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const FAIL_WITH = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;

const FIRST_X32_CALL = 0x40000000;
const CLONE_NEWUSER = 0x10000000;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;

/**
 * The system calls that commands may make, as a seccomp program. Sockets: a private network still has its own loopback,
 * so IPv4 and IPv6 are open either way; a Unix socket would reach past every namespace, so only pairs are. With
 * `network` programs may also ask the kernel for addresses and routes, as `os.networkInterfaces()` does.
 */
export function seccompFilter(architecture: Architecture, network: boolean): Uint8Array {
  const call = (name: string) => callNumber(name, architecture);
  const is = (name: string, label: string): Instruction[] => {
    const number = call(name);
    return number === undefined ? [] : [{ op: "jump", test: "equal", value: number, yes: label }];
  };
  return assemble([
    { op: "load", offset: ARCHITECTURE },
    { op: "jump", test: "equal", value: AUDIT_ARCHITECTURE[architecture], no: "kill" },
    { op: "load", offset: CALL },
    // The second set of numbers on x64 would get around every number below.
    ...(architecture === "x64" ? [jump("at_least", FIRST_X32_CALL, "absent")] : []),
    ...absentCalls.flatMap((name) => is(name, "absent")),
    ...refusedCalls.flatMap((name) => is(name, "refuse")),
    ...is("unshare", "namespaces"),
    ...is("clone", "namespaces"),
    ...is("ioctl", "terminal"),
    ...is("socket", "socket"),
    ...is("socketpair", "pair"),
    { op: "return", value: ALLOW },
    { op: "load", offset: lowWordOf(0), label: "namespaces" },
    { op: "jump", test: "any_bit", value: CLONE_NEWUSER, yes: "refuse", no: "allow" },
    { op: "load", offset: lowWordOf(1), label: "terminal" },
    ...refusedTerminalRequests.map((request) => jump("equal", request, "refuse")),
    { op: "return", value: ALLOW },
    { op: "load", offset: lowWordOf(0), label: "pair" },
    { op: "jump", test: "equal", value: AF_UNIX, yes: "allow", no: "refuse" },
    { op: "load", offset: lowWordOf(0), label: "socket" },
    jump("equal", AF_INET, "allow"),
    jump("equal", AF_INET6, "allow"),
    ...(network ? NETLINK_ROUTE_ONLY : []),
    { op: "return", value: FAIL_WITH | EPERM, label: "refuse" },
    { op: "return", value: FAIL_WITH | ENOSYS, label: "absent" },
    { op: "return", value: KILL_PROCESS, label: "kill" },
    { op: "return", value: ALLOW, label: "allow" },
  ]);
}

const NETLINK_ROUTE_ONLY: readonly Instruction[] = [
  { op: "jump", test: "equal", value: AF_NETLINK, no: "refuse" },
  { op: "load", offset: lowWordOf(2) },
  { op: "jump", test: "equal", value: 0, yes: "allow" },
];

function jump(test: "equal" | "at_least", value: number, yes: string): Instruction {
  return { op: "jump", test, value, yes };
}

/** Undefined where no filter is known for the processor. */
export function filterArchitecture(processor: string): Architecture | undefined {
  return processor === "x64" || processor === "arm64" ? processor : undefined;
}
