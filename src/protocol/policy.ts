/** What a call will touch, known before anything runs. Paths are absolute. */
export type Access = { reads?: string[]; writes?: string[]; network?: boolean; argv?: string[] };

/** Every mode, flag and config key resolves to this one shape before anything is spawned. Paths are absolute. */
export type SandboxPolicy =
  | { mode: "off" }
  | { mode: "external"; network: boolean }
  | {
      mode: "restricted";
      read: "everything" | string[];
      write: string[];
      /** Read-only even though below a writable root, also when they do not exist yet. */
      protect: string[];
      /** Unreadable: paths, or globs that are expanded when a command starts. */
      deny: string[];
      network: boolean;
    };

export type CommandSpec = { argv: string[]; cwd: string; env: Record<string, string> };

/**
 * A command ready to be spawned: the sandbox's program in front of argv, and descriptors that the child must inherit
 * from index 3 on. `release` closes and cleans up; call it once, after the command ended or could not be started.
 */
export type SpawnSpec = CommandSpec & { fds: readonly number[]; release(): void };

export interface Sandbox {
  readonly id: "seatbelt" | "bwrap" | "landlock" | "appcontainer" | "none";
  /** Probed once; the reason says what is missing and what to do. */
  available(): Promise<{ ok: true } | { ok: false; reason: string }>;
  /** Throws AppError "sandbox.unavailable" when the policy can't be enforced; never returns an unsandboxed command for it. */
  wrap(command: CommandSpec, policy: SandboxPolicy, options: { tty: boolean }): Promise<SpawnSpec>;
  /** Does this outcome look like the sandbox's refusal? Never true for exit code 0. */
  denied(result: { exitCode: number; output: string }): boolean;
}
