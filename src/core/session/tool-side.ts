import type { LoadedConfig } from "../../config/load.ts";
import type { Approver } from "../../protocol/approvals.ts";
import type { CommandHost } from "../../protocol/command-host.ts";
import type { Editor } from "../../protocol/editor.ts";
import type { Asker } from "../../protocol/questions.ts";
import { ApprovalMemory } from "../../safety/approvals.ts";
import { pickSandbox } from "../../sandbox/pick-sandbox.ts";
import { childEnvironment } from "../../tools/shell/env.ts";
import type { ProgramFolder } from "../../tools/shell/program-folder.ts";
import type { SkillEntry, ToolMemory } from "../../tools/types.ts";
import type { ModelChoice } from "../model/model-choice.ts";
import type { CallDeps } from "../turn/calls.ts";
import { outputLimit } from "../turn/output-limit.ts";
import { editorBeside } from "./editor-side.ts";
import { keepingApprover } from "./kept-approvals.ts";
import { mcpSecrets } from "./mcp-servers.ts";
import { searchAddress } from "./session-settings.ts";

export type ToolSideOptions = ModelChoice & {
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  sessionId: string;
  memory: ToolMemory;
  /** Programs of ours that commands find on their PATH. */
  programs: ProgramFolder;
  approver: Approver | undefined;
  asker: Asker | undefined;
  editor: Editor | undefined;
  host: CommandHost | undefined;
  skills: readonly SkillEntry[];
  onBug(cause: unknown): void;
};

export type ToolSide = Pick<CallDeps, "context" | "sandbox" | "host" | "approver" | "memory" | "onBug">;

/** What tools run with: their environment without any key, the sandbox of this system, and whom to ask. */
export async function toolSide(options: ToolSideOptions): Promise<ToolSide> {
  const { config, env, cwd, model, provider, sessionId, memory } = options;
  const childEnv = childEnvironment({
    parent: env,
    policy: config.values.shell_environment_policy,
    secrets: [...provider.secretVariables, ...mcpSecrets(config)],
    sessionId,
    networkOff: false, // whether it is off is decided call by call
  });
  const picked = await pickSandbox({
    platform: process.platform,
    processor: process.arch,
    stateDir: config.home,
    path: env["PATH"] ?? "",
  });
  const { sandbox, editor } = options.editor ? editorBeside(picked, options.editor) : { sandbox: picked };
  const search = searchAddress(config.values);
  const fixed = {
    sessionId,
    cwd,
    memory,
    env: childEnv,
    programs: options.programs,
    images: model.images,
    skills: options.skills,
    ...(options.asker ? { asker: options.asker } : {}),
    ...(editor ? { editor } : {}),
    ...(search === undefined ? {} : { searchUrl: search }),
    isAirGapped: config.values.air_gapped,
    // What the user has set is taken as it is.
    outputLimit: config.values.tool_output_token_limit === undefined ? outputLimit(model) : model.truncation,
  };
  return {
    context: (call) => ({ ...fixed, callId: call.callId }),
    sandbox,
    host: options.host,
    approver: options.approver ? keepingApprover(options.approver, config) : NOBODY,
    memory: new ApprovalMemory(),
    onBug: options.onBug,
  };
}

const NOBODY: Approver = {
  ask: async () => ({
    decision: "denied",
    message: "nobody can be asked in this run, so the call was refused",
  }),
};
