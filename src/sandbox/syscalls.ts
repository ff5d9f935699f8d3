export type Architecture = "x64" | "arm64";

/** What the kernel calls an architecture in a filter's input. */
export const AUDIT_ARCHITECTURE: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** Numbers of system calls: x64, arm64. A missing second number: arm64 has no such call. */
const NUMBERS: Readonly<Record<string, readonly [number, number?]>> = {
  acct: [163, 89],
  add_key: [248, 217],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_settime: [227, 112],
  clone: [56, 220],
  clone3: [435, 435],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  ioperm: [173],
  iopl: [172],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  modify_ldt: [154],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  reboot: [169, 142],
  request_key: [249, 218],
  setdomainname: [171, 162],
  sethostname: [170, 161],
  setns: [308, 268],
  settimeofday: [164, 170],
  socket: [41, 198],
  socketpair: [53, 199],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
  vhangup: [153, 58],
};

/** The number of a call, undefined where the architecture does not have it. Throws for a name that is not in the table. */
export function callNumber(name: string, architecture: Architecture): number | undefined {
  const numbers = NUMBERS[name];
  if (numbers === undefined) throw new Error(`no number is known for the system call "${name}"`);
  return architecture === "x64" ? numbers[0] : numbers[1];
}
