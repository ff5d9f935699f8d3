import { RUN_OPTIONS } from "../../../config/flags.ts";
import type { CommandSpec } from "../../../util/args.ts";
import { NAME } from "../../../util/package.ts";

const JSON_OPTION = { long: "json", summary: "Print JSON" } as const;
const CONFIG_OPTIONS = RUN_OPTIONS.filter(({ long }) => ["config", "profile"].includes(long));

export const LIST = {
  name: `${NAME} skills list`,
  summary: "Lists the skills that a session in this folder has",
  options: [
    JSON_OPTION,
    { long: "all", summary: "Also those that are switched off, or hidden by a nearer one of the same name" },
    ...CONFIG_OPTIONS,
  ],
  positionals: [],
} as const satisfies CommandSpec;

export const SHOW = {
  name: `${NAME} skills show`,
  summary: "Shows one skill: where it is, what lies beside it, and its instructions",
  options: [JSON_OPTION, ...CONFIG_OPTIONS],
  positionals: [{ name: "NAME", summary: "Name of the skill" }],
} as const satisfies CommandSpec;

export const NEW = {
  name: `${NAME} skills new`,
  summary: "Makes the folder of a new skill",
  options: [
    { long: "description", short: "d", value: "TEXT", summary: "What it is for, and when to use it" },
    { long: "project", summary: "In .agents/skills of this project instead of your home folder" },
    { long: "from", value: "NAME", summary: "Start from a copy of this skill" },
    ...CONFIG_OPTIONS,
  ],
  positionals: [{ name: "NAME", summary: "Name of the skill" }],
} as const satisfies CommandSpec;

export const VALIDATE = {
  name: `${NAME} skills validate`,
  summary: "Finds mistakes in skills; exit code 1 when there are any",
  options: [JSON_OPTION, { long: "strict", summary: "Warnings count as mistakes" }, ...CONFIG_OPTIONS],
  positionals: [
    {
      name: "[PATH]...",
      summary: "A SKILL.md, its folder, or a folder of skills; default: all that are seen from here",
    },
  ],
} as const satisfies CommandSpec;
