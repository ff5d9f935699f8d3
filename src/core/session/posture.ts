import type { LoadedConfig } from "../../config/load.ts";
import type { SandboxPolicy } from "../../protocol/policy.ts";
import type { ApprovalPolicy, SandboxMode } from "../../protocol/settings.ts";

import { resolvePolicy } from "../../safety/modes.ts";
import { AppError } from "../../util/errors.ts";

export type Posture = { approvals: ApprovalPolicy; sandboxMode: SandboxMode; sandbox: SandboxPolicy };

/** What commands may touch and when somebody is asked, from the configuration. `isUnattended`: nobody can be asked. */
export function postureOf(
  config: LoadedConfig,
  { cwd, tmpdir, isUnattended }: { cwd: string; tmpdir?: string; isUnattended: boolean },
): Posture {
  const { values } = config;
  refuseUnbuilt(config);
  const sandboxMode = values.sandbox_mode ?? defaultMode(config);
  const writable = values.sandbox_workspace_write;
  const sandbox = resolvePolicy({
    mode: sandboxMode,
    cwd,
    writableRoots: writable.writable_roots,
    network: writable.network_access,
    excludeTmpdir: writable.exclude_tmpdir_env_var,
    excludeSlashTmp: writable.exclude_slash_tmp,
    stateDir: config.home,
    ...(tmpdir === undefined ? {} : { tmpdir }),
  });
  return { approvals: approvalsOf(config, isUnattended), sandboxMode, sandbox };
}

/** Without a setting, commands can change nothing; a project that the user has decided about may be worked in. */
function defaultMode({ trust }: LoadedConfig): SandboxMode {
  return trust === undefined ? "read-only" : "workspace-write";
}

/** Where nobody can be asked, only an explicit wish for this run changes "never". */
function approvalsOf(config: LoadedConfig, isUnattended: boolean): ApprovalPolicy {
  const wanted = config.values.approval_policy;
  const policy = typeof wanted === "string" ? wanted : undefined;
  if (isUnattended) return policy !== undefined && isOfThisRun(config) ? policy : "never";
  return policy ?? (config.trust === "untrusted" ? "untrusted" : "on-request");
}

function isOfThisRun(config: LoadedConfig): boolean {
  return config.originOf("approval_policy")?.kind === "option";
}

function refuseUnbuilt({ values }: LoadedConfig): void {
  if (values.approvals_reviewer === "auto_review") {
    throw new AppError("config", "the automatic reviewer of approvals is not built yet", {
      hint: "leave out approvals_reviewer and --approve-for-me; nothing is then approved automatically",
    });
  }
  if (typeof values.approval_policy === "object") {
    throw new AppError("config", "approval_policy as a table is not supported yet", {
      hint: 'use one of "untrusted", "on-request", "never"',
    });
  }
  if (values.default_permissions !== undefined && values.sandbox_mode === undefined) {
    throw new AppError("config", "permission profiles (default_permissions) are not built yet", {
      hint: 'set sandbox_mode to "read-only", "workspace-write" or "danger-full-access"',
    });
  }
}
