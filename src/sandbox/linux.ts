import { closeSync } from "node:fs";
import { join } from "node:path";
import type { CommandSpec, Sandbox, SpawnSpec } from "../protocol/policy.ts";
import { AppError } from "../util/errors.ts";
import { bwrapOptions } from "./bwrap.ts";
import { denial } from "./denial.ts";
import { filterArchitecture, seccompFilter } from "./filter.ts";
import { openUnnamed } from "./filter-file.ts";
import { type Held, Litter } from "./litter.ts";
import { unchanged } from "./pass-through.ts";
import { isWithin, realPathOf } from "./paths.ts";
import { executablesNamed, isInUsualFolder, NO_BWRAP, type Probe, probeBwrap } from "./probe.ts";
import { type Layout, layOut, type RestrictedPolicy } from "./roots.ts";

export type LinuxHost = {
  /** A folder that no command may write to, for notes about what has to be cleared up. */
  stateDir: string;
  /** PATH of this process, where bwrap is looked for. */
  path: string;
  /** As in `process.arch`. */
  processor: string;
};

// The descriptors of a child's own start at 3; ours is the first.
const FILTER_FD = 3;
// Commands get a /dev of their own, so this one is out of their reach.
const SHARED_MEMORY = "/dev/shm";

/** Namespaces by bubblewrap, system calls by a seccomp filter. */
export function createLinuxSandbox(host: LinuxHost): Sandbox {
  const litter = new Litter(join(host.stateDir, "sandbox"));
  const probes = new Map<string, Promise<Probe>>();
  const filters = new Map<boolean, Uint8Array>();
  let executables: string[] | undefined;

  /** One that commands can replace, or that came with the workspace, is not trusted. */
  function trustedBwrap(cwd: string | undefined, writable: readonly string[]): string | undefined {
    executables ??= executablesNamed("bwrap", host.path);
    return executables.find((path) => {
      const real = realPathOf(path) ?? path;
      const isReplaceable = writable.some((folder) => isWithin(real, folder));
      const isBrought = cwd !== undefined && isWithin(real, cwd) && !isInUsualFolder(path);
      return !isReplaceable && !isBrought;
    });
  }

  function probe(bwrap: string | undefined): Promise<Probe> {
    if (bwrap === undefined) return Promise.resolve(NO_BWRAP);
    const known = probes.get(bwrap) ?? probeBwrap(bwrap);
    probes.set(bwrap, known);
    return known;
  }

  function filterFor(network: boolean): Uint8Array {
    const known = filters.get(network) ?? makeFilter(host.processor, network);
    filters.set(network, known);
    return known;
  }

  async function confine(command: CommandSpec, policy: RestrictedPolicy, tty: boolean): Promise<SpawnSpec> {
    const cwd = realPathOf(command.cwd) ?? command.cwd;
    // Who may write to the whole disk needs no bwrap of their own to get around it.
    const writable = policy.write.filter((root) => root !== "/").map((root) => realPathOf(root) ?? root);
    const bwrap = trustedBwrap(cwd, writable);
    const found = await probe(bwrap);
    if (bwrap === undefined || !found.ok) throw unavailable(found);
    const layout = await layOut(policy);
    const held = litter.hold(layout.places.flatMap(({ path, is }) => (is === "empty" ? path : [])));
    try {
      const fd = openUnnamed(filterFor(policy.network), [SHARED_MEMORY, host.stateDir]);
      const options = bwrapOptions({
        layout: withHeld(layout, held),
        network: policy.network,
        ownProc: found.ownProc,
        tty,
        cwd,
        filterFd: FILTER_FD,
      });
      const release = () => {
        closeSync(fd);
        held.release();
      };
      return { ...command, argv: [bwrap, ...options, "--", ...command.argv], fds: [fd], release };
    } catch (cause) {
      held.release();
      throw cause;
    }
  }

  return {
    id: "bwrap",
    async available() {
      const found = await probe(trustedBwrap(undefined, []));
      return found.ok ? { ok: true } : { ok: false, reason: `${found.reason}; ${found.hint}` };
    },
    async wrap(command, policy, { tty }) {
      return policy.mode === "restricted" ? confine(command, policy, tty) : unchanged(command);
    },
    denied: (result) => denial(result) !== undefined,
  };
}

/** Now that it is known which of the missing names could be made, and which exist after all. */
function withHeld(layout: Layout, held: Held): Layout {
  const places = layout.places.flatMap((place) => {
    if (place.is !== "empty" || held.kept.includes(place.path)) return [place];
    return held.occupied.includes(place.path) ? [{ path: place.path, is: "keep" as const }] : [];
  });
  return { ...layout, places };
}

function makeFilter(processor: string, network: boolean): Uint8Array {
  const architecture = filterArchitecture(processor);
  if (architecture !== undefined) return seccompFilter(architecture, network);
  throw new AppError("sandbox.unavailable", `the sandbox knows no system calls of ${processor} processors`, {
    hint: WITHOUT,
  });
}

const WITHOUT = "or run with --sandbox danger-full-access if you trust what will be run";

function unavailable(found: Probe): AppError {
  const { reason, hint } = found.ok ? { reason: "the sandbox can't start", hint: "try again" } : found;
  return new AppError("sandbox.unavailable", reason, { hint: `${hint}, ${WITHOUT}` });
}
