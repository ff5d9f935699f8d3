import { expect, test } from "bun:test";
import { filterArchitecture, seccompFilter } from "../../src/sandbox/seccomp.ts";
import { callNumber } from "../../src/sandbox/syscalls.ts";
import { type FilterInput, runFilter } from "./run-filter.ts";

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;
const WORD = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const BOTH = ["x64", "arm64"] as const;

// A changed filter has to be looked at by a person: the bytes themselves are the record.
test("the filters are the ones that were reviewed", () => {
  const digest = (architecture: (typeof BOTH)[number], network: boolean) => {
    const bytes = seccompFilter(architecture, network);
    return `${bytes.length / 8} instructions, ${new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16)}`;
  };
  expect({
    x64: digest("x64", false),
    "x64 with network": digest("x64", true),
    arm64: digest("arm64", false),
    "arm64 with network": digest("arm64", true),
  }).toMatchInlineSnapshot(`
    {
      "arm64": "68 instructions, 6caee2c390e439fb",
      "arm64 with network": "71 instructions, fddd8f7a673be944",
      "x64": "72 instructions, a4cbdcf80f46f913",
      "x64 with network": "75 instructions, 74332211e7f73531",
    }
  `);
});

for (const architecture of BOTH) {
  const answer = (call: string, args: number[] = [], network = false) =>
    ask(architecture, network, { call: callNumber(call, architecture) ?? -1, args });

  test(`${architecture}: calls that reach outside are refused, ordinary ones are not`, () => {
    expect(answer("ptrace")).toBe(EPERM);
    expect(answer("mount")).toBe(EPERM);
    expect(answer("keyctl")).toBe(EPERM);
    expect(answer("io_uring_setup")).toBe(EPERM);
    expect(ask(architecture, false, { call: architecture === "x64" ? 39 : 172, args: [] })).toBe(ALLOW);
    expect(ask(architecture, false, { call: 0, args: [] })).toBe(ALLOW);
  });

  test(`${architecture}: a program can't make user namespaces, and clone3 looks like an old kernel`, () => {
    expect(answer("clone3")).toBe(ENOSYS);
    expect(answer("clone", [0x10000000 | 17])).toBe(EPERM);
    expect(answer("unshare", [0x10000000])).toBe(EPERM);
    expect(answer("clone", [17])).toBe(ALLOW);
  });

  test(`${architecture}: of all sockets, only Internet ones and pairs can be made`, () => {
    const families = [1, 2, 10, 16, 17, 38, 40];
    expect(families.filter((family) => answer("socket", [family, 1, 0]) === ALLOW)).toEqual([2, 10]);
    expect(families.filter((family) => answer("socketpair", [family, 1, 0]) === ALLOW)).toEqual([1]);
  });

  test(`${architecture}: with the network on, programs may also ask for addresses and routes`, () => {
    expect(answer("socket", [16, 3, 0], true)).toBe(ALLOW);
    expect(answer("socket", [16, 3, 9], true)).toBe(EPERM);
    expect(answer("socket", [1, 1, 0], true)).toBe(EPERM);
    expect(answer("socket", [2, 1, 0], true)).toBe(ALLOW);
  });

  test(`${architecture}: nothing can be typed into the terminal`, () => {
    expect(answer("ioctl", [0, 0x5412])).toBe(EPERM);
    expect(answer("ioctl", [0, 0x541c])).toBe(EPERM);
    expect(answer("ioctl", [0, 0x5413])).toBe(ALLOW);
  });

  test(`${architecture}: calls of another architecture end the program`, () => {
    const other = architecture === "x64" ? WORD.arm64 : 0x40000003;
    expect(ask(architecture, false, { call: 0, args: [], architecture: other })).toBe(KILL);
  });
}

test("x64: the second set of call numbers does not exist", () => {
  expect(ask("x64", false, { call: 0x40000000 + 41, args: [2] })).toBe(ENOSYS);
});

test("other processors have no filter", () => {
  expect(["x64", "arm64", "riscv64"].map(filterArchitecture)).toEqual(["x64", "arm64", undefined]);
});

function ask(
  architecture: (typeof BOTH)[number],
  network: boolean,
  input: Omit<FilterInput, "architecture"> & { architecture?: number },
): number {
  return runFilter(seccompFilter(architecture, network), { architecture: WORD[architecture], ...input });
}
