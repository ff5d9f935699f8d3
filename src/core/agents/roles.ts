import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import type { LoadedConfig } from "../../config/load.ts";
import { parseToml } from "../../config/toml.ts";
import { EFFORTS, type Effort, SANDBOX_MODES, type SandboxMode } from "../../protocol/settings.ts";

import { AppError, toAppError } from "../../util/errors.ts";
import { codeOf, factsOf } from "../../util/fs.ts";

/** A kind of child agent of our own or of the user's. */
export type AgentRole = {
  /** For the model that chooses one. */
  description: string;
  /** Follows the system prompt. */
  instructions?: string;
  /** Of the provider that the session uses: a role does not choose where data goes. */
  model?: string;
  effort?: Effort;
  /** Counts where it allows less than the parent may. */
  sandboxMode?: SandboxMode;
  names: readonly string[];
};

const RoleShape = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  config_file: z.string().optional(),
  nickname_candidates: z.array(z.string().regex(/^[\w .-]{1,40}$/)).optional(),
  model: z.string().optional(),
  model_reasoning_effort: z.enum(EFFORTS).optional(),
  developer_instructions: z.string().optional(),
  sandbox_mode: z.enum(SANDBOX_MODES).optional(),
});
/** A file may be one of another program's, with more settings than a role has here. */
const RoleFileShape = z.looseObject(RoleShape.shape);
type RoleFile = z.infer<typeof RoleShape>;

/** Settings of `[agents]` that are not roles. */
const SETTINGS: ReadonlySet<string> = new Set(["enabled"]);

/**
 * The roles by name: ours, then files `agents/NAME.toml` of the home folder, then tables `[agents.NAME]`, each over the one
 * before. Throws AppError "config" with the file and the key that is wrong.
 */
export async function readRoles({ home, values }: LoadedConfig): Promise<Map<string, AgentRole>> {
  const roles = new Map<string, AgentRole>(Object.entries(OURS));
  for (const file of await roleFiles(join(home, "agents"))) {
    const read = await readRoleFile(file);
    roles.set(read.name ?? basename(file, ".toml"), roleOf(read));
  }
  for (const [name, value] of Object.entries(values.agents ?? {})) {
    if (SETTINGS.has(name) || typeof value !== "object" || value === null) continue;
    const inline = checked(RoleShape, value, `[agents.${name}]`);
    const file = inline.config_file === undefined ? {} : await readRoleFile(inline.config_file);
    roles.set(name, roleOf({ ...file, ...inline }));
  }
  return roles;
}

async function roleFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(".toml"))
    .sort()
    .map((name) => join(folder, name));
}

/** Bytes. */
const LONGEST_FILE = 256 * 1024;

async function readRoleFile(file: string): Promise<RoleFile> {
  const facts = factsOf(file);
  // Reading a pipe would never end.
  if (facts && (!facts.isFile() || facts.size > LONGEST_FILE))
    throw new AppError("config", `${file}: wanted an ordinary file of at most 256 KiB with an agent role`, {
      hint: "correct config_file, or remove the role",
    });
  try {
    return checked(RoleFileShape, parseToml(await readFile(file, "utf8"), file), file);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      "config",
      `${file}: an agent role can't be read (${codeOf(cause) ?? toAppError(cause).message})`,
      {
        hint: "correct config_file, or remove the role",
        cause,
      },
    );
  }
}

function checked(shape: z.ZodType<RoleFile>, value: unknown, place: string): RoleFile {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const key = issue?.path.join(".") ?? "";
  throw new AppError("config", `${place}: ${key === "" ? "" : `${key}: `}${issue?.message ?? "not a role"}`, {
    hint: `a role has ${Object.keys(RoleShape.shape).join(", ")}`,
  });
}

function roleOf(read: RoleFile): AgentRole {
  const { developer_instructions, model, model_reasoning_effort, sandbox_mode } = read;
  return {
    description: read.description ?? "",
    ...(developer_instructions === undefined ? {} : { instructions: developer_instructions }),
    ...(model === undefined ? {} : { model }),
    ...(model_reasoning_effort === undefined ? {} : { effort: model_reasoning_effort }),
    ...(sandbox_mode === undefined ? {} : { sandboxMode: sandbox_mode }),
    names: read.nickname_candidates ?? [],
  };
}

const OURS: Readonly<Record<string, AgentRole>> = {
  default: { description: "any task", names: [] },
  worker: {
    description: "a change or a fix of its own, in files that nobody else works on",
    instructions:
      "Others may work in this folder at the same time. Change only what your task needs, leave changes alone that are not yours, and name every file that you changed.",
    names: [],
  },
  explorer: {
    description: "looks something up in the code; changes nothing",
    instructions:
      "Find what you are asked for, and change nothing. Give the places as `path:line`, and say what you did not find.",
    names: [],
  },
};
