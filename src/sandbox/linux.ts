import { closeSync } from "node:fs";
import { join } from "node:path";
import type { CommandSpec, Sandbox, SandboxPolicy, SpawnSpec } from "../protocol/policy.ts";
import { AppError } from "../util/errors.ts";
import { bwrapOptions } from "./bwrap.ts";
import { denial } from "./denial.ts";
import { canResetSignals, withInterrupts } from "./interrupts.ts";
import { type Layout, layOut, type RestrictedPolicy } from "./layout.ts";
import { unchanged } from "./pass-through.ts";
import { isWithin, realPathOf } from "./paths.ts";
import type { SandboxHost } from "./pick-sandbox.ts";
import { type Held, Placeholders } from "./placeholders.ts";
import { executablesNamed, isInUsualFolder, NO_BWRAP, type Probe, probeBwrap } from "./probe.ts";
import { filterArchitecture, seccompFilter } from "./seccomp.ts";
import { openUnnamed } from "./unnamed-file.ts";

type LinuxHost = Omit<SandboxHost, "platform">;

// The descriptors of a child's own start at 3; ours is the first.
const FILTER_FD = 3;
// Commands get a /dev of their own, so this one is out of their reach.
const SHARED_MEMORY = "/dev/shm";

/** Namespaces by bubblewrap, system calls by a seccomp filter. Nothing is looked for before the first command. */
export class LinuxSandbox implements Sandbox {
  readonly id = "bwrap";
  readonly #host: LinuxHost;
  readonly #placeholders: Placeholders;
  readonly #probes = new Map<string, Promise<Probe>>();
  readonly #filters = new Map<boolean, Uint8Array>();
  #executables: string[] | undefined;
  #resetsSignals: Promise<boolean> | undefined;

  constructor(host: LinuxHost) {
    this.#host = host;
    const spare = join(SHARED_MEMORY, `interpreter-sandbox-${process.getuid?.()}`);
    this.#placeholders = new Placeholders([join(host.stateDir, "sandbox"), spare]);
  }

  async available(): Promise<{ ok: true } | { ok: false; reason: string }> {
    const found = await this.#probe(this.#trustedBwrap(undefined, []));
    return found.ok ? { ok: true } : { ok: false, reason: `${found.reason}; ${found.hint}` };
  }

  async wrap(command: CommandSpec, policy: SandboxPolicy, { tty }: { tty: boolean }): Promise<SpawnSpec> {
    return policy.mode === "restricted" ? this.#confine(command, policy, tty) : unchanged(command);
  }

  denied(result: { exitCode: number; output: string }): boolean {
    return denial(result) !== undefined;
  }

  async #confine(command: CommandSpec, policy: RestrictedPolicy, tty: boolean): Promise<SpawnSpec> {
    const cwd = realPathOf(command.cwd) ?? command.cwd;
    // Who may write to the whole disk needs no bwrap of their own to get around it.
    const writable = policy.write.filter((root) => root !== "/").map((root) => realPathOf(root) ?? root);
    const bwrap = this.#trustedBwrap(cwd, writable);
    const found = await this.#probe(bwrap);
    if (bwrap === undefined || !found.ok) throw unavailable(found);
    const layout = await layOut(policy);
    const held = this.#placeholders.hold(
      layout.places.flatMap(({ path, is }) => (is === "empty" ? path : [])),
    );
    try {
      const options = bwrapOptions({
        layout: withHeld(layout, held),
        network: policy.network,
        ownProc: found.ownProc,
        tty,
        cwd,
        filterFd: FILTER_FD,
      });
      const { outer, inner } = splitEnvironment(command.env);
      const argv = await this.#launch([bwrap, ...options, ...inner], command.argv, tty);
      const fd = openUnnamed(this.#filter(policy.network), [SHARED_MEMORY, this.#host.stateDir]);
      const release = () => {
        closeSync(fd);
        held.release();
      };
      return { argv, cwd: command.cwd, env: outer, fds: [fd], release };
    } catch (cause) {
      held.release();
      throw cause;
    }
  }

  async #launch(bwrap: readonly string[], command: readonly string[], tty: boolean): Promise<string[]> {
    // To env a first word with `=` in it is a variable.
    if (tty && !command[0]?.includes("=")) {
      this.#resetsSignals ??= canResetSignals();
      if (await this.#resetsSignals) return withInterrupts(bwrap, command);
    }
    return [...bwrap, "--", ...command];
  }

  /** One that commands can replace, or that came with the workspace, is not trusted. */
  #trustedBwrap(cwd: string | undefined, writable: readonly string[]): string | undefined {
    this.#executables ??= executablesNamed("bwrap", this.#host.path);
    return this.#executables.find((path) => {
      const real = realPathOf(path) ?? path;
      const isReplaceable = writable.some((folder) => isWithin(real, folder));
      const isBrought = cwd !== undefined && isWithin(real, cwd) && !isInUsualFolder(path);
      return !isReplaceable && !isBrought;
    });
  }

  #probe(bwrap: string | undefined): Promise<Probe> {
    if (bwrap === undefined) return Promise.resolve(NO_BWRAP);
    const known = this.#probes.get(bwrap) ?? probeBwrap(bwrap);
    this.#probes.set(bwrap, known);
    return known;
  }

  #filter(network: boolean): Uint8Array {
    const known = this.#filters.get(network) ?? makeFilter(this.#host.processor, network);
    this.#filters.set(network, known);
    return known;
  }
}

// What the dynamic loader and the C library load code and data by.
const LOADER_VARIABLE = /^(LD_.*|GCONV_PATH|GLIBC_TUNABLES|LOCPATH|NLSPATH)$/;

/**
 * A variable such as LD_LIBRARY_PATH may name a folder of the workspace, whose libraries would then be loaded into bwrap,
 * outside the sandbox. bwrap gets those as options and sets them for the command alone.
 */
function splitEnvironment(env: Readonly<Record<string, string>>) {
  const outer: Record<string, string> = {};
  const inner: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (LOADER_VARIABLE.test(name)) inner.push("--setenv", name, value);
    else outer[name] = value;
  }
  return { outer, inner };
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
  const reason = `the sandbox does not know the system calls of ${processor} processors`;
  throw new AppError("sandbox.unavailable", reason, { hint: `run with ${WITHOUT}` });
}

const WITHOUT = "--sandbox danger-full-access if you trust what will be run";

function unavailable(found: Probe): AppError {
  const { reason, hint } = found.ok ? { reason: "the sandbox can't start", hint: "try again" } : found;
  return new AppError("sandbox.unavailable", reason, { hint: `${hint}, or run with ${WITHOUT}` });
}
