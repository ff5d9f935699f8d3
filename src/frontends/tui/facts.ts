import { basename } from "node:path";
import type { LoadedConfig } from "../../config/load.ts";
import { userHome } from "../../config/paths.ts";
import type { OpenedSession } from "../../core/runtime.ts";
import { VERSION } from "../../util/package.ts";
import { branchOf } from "./git-branch.ts";
import type { Progress } from "./progress.ts";
import type { AppState } from "./state.ts";
import { costText } from "./view/duration.ts";
import { headerRows } from "./view/header.ts";
import type { StatusFacts } from "./view/status.ts";
import { cut } from "./view/text.ts";
import type { Theme } from "./view/theme.ts";

type Env = Readonly<Record<string, string | undefined>>;
type Known = { model: string; provider: string; harness: string; sandbox: string; approvals: string };

/** What the header, the status line and the summary say about where we are and with what. */
export class Facts {
  readonly #folder: string;
  readonly #branch: string | undefined;
  #known: Known | undefined;
  #opened: OpenedSession | undefined;

  constructor(cwd: string, env: Env) {
    const home = userHome(env);
    this.#folder = cwd === home || cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd;
    this.#branch = branchOf(cwd);
  }

  /** The settings are read; the rest is being started. */
  configured({ values, trust }: LoadedConfig): void {
    const approvals = typeof values.approval_policy === "string" ? values.approval_policy : "on-request";
    this.#known = {
      model: values.model ?? "",
      provider: values.model_provider,
      harness: values.harness ?? "",
      sandbox: values.sandbox_mode ?? (trust === undefined ? "read-only" : "workspace-write"),
      approvals,
    };
  }

  opened(opened: OpenedSession): void {
    this.#opened = opened;
    const { names, settings } = opened;
    this.#known = {
      model: names.model,
      provider: names.provider,
      harness: names.harness,
      sandbox: settings.sandboxMode,
      approvals: settings.approvals,
    };
  }

  header(width: number, theme: Theme): string[] {
    const place = {
      version: VERSION,
      folder: this.#folder,
      ...(this.#branch ? { branch: this.#branch } : {}),
    };
    if (this.#opened && this.#known) {
      const instructions = namesOf(this.#opened.inside.instructionFiles);
      return headerRows({ ...place, ...this.#known, instructions }, width, theme);
    }
    return [cut(`${theme.bold(`interpreter ${VERSION}`)}   ${theme.dim(this.#folder)}`, width - 1)];
  }

  status({ phase, vim }: AppState, progress: Progress): StatusFacts {
    const { settings, user } = this.#opened ?? {};
    const { input, output } = progress.total;
    const cost = costText(progress.cost);
    return {
      ...(phase === "ready" ? {} : { starting: "starting" }),
      ...nonEmpty(this.#known),
      ...(settings ? { sandbox: settings.sandboxMode, approvals: settings.approvals } : {}),
      ...(vim ? { mode: vim.mode.toUpperCase() } : {}),
      isPlanning: user?.isPlanning ?? false,
      folder: this.#folder.split("/").at(-1) ?? "",
      ...(this.#branch ? { branch: this.#branch } : {}),
      ...(this.#opened ? { contextLeft: progress.contextLeft ?? 100 } : {}),
      tokens: input + output,
      ...(cost === undefined ? {} : { cost }),
    };
  }

  farewell(): { sessionId?: string } {
    const id = this.#opened?.names.session;
    return id === undefined ? {} : { sessionId: id };
  }
}

/** `AGENTS.md`, and how many there are of a name. */
function namesOf(files: readonly string[]): string[] {
  const groups = Map.groupBy(files, (file) => basename(file));
  return [...groups].map(([name, { length }]) => (length === 1 ? name : `${length} ${name}`));
}

/** Without what is not known yet. */
function nonEmpty(known: Known | undefined): Partial<Known> {
  return Object.fromEntries(Object.entries(known ?? {}).filter(([, value]) => value !== ""));
}
