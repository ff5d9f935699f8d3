/** How much a model is to reason, from least to most. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;
export type Effort = (typeof EFFORTS)[number];

/** When a person is asked before a call runs. */
export const APPROVAL_POLICIES = ["untrusted", "on-request", "never"] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

/** What commands may touch, as a person can set it. */
export const SANDBOX_MODES = ["read-only", "workspace-write", "danger-full-access"] as const;
/** "external-sandbox": something around this program confines it already. */
export type SandboxMode = (typeof SANDBOX_MODES)[number] | "external-sandbox";
