import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { FEATURES, isFeatureName } from "./features.ts";
import {
  formatOrigin,
  type Layer,
  layerFrom,
  mergeLayers,
  type Origin,
  originAt,
  readLayer,
  withOverrides,
} from "./layers.ts";
import { type Override, parseKeyPath } from "./overrides.ts";
import { CONFIG_FILE, type Env, findHome, PROJECT_FOLDER, systemConfigFile, userHome } from "./paths.ts";
import { findProjectRoot, foldersBetween, realPath } from "./project.ts";
import { projectLayer } from "./project-layer.ts";
import { ConfigShape, type ConfigValues } from "./schema.ts";
import { MOST_DESCRIBED, type Problem } from "./shape.ts";
import { formatPath, valueAt } from "./toml-table.ts";
import { type Trust, trustOf } from "./trust.ts";

export type LoadOptions = {
  env: Env;
  /** Absolute. */
  cwd: string;
  /** Lowest first. */
  overrides: readonly Override[];
  /** `--profile`; else the key `profile` counts. */
  profile?: string | undefined;
  ignoreUserConfig?: boolean;
  /** Unknown keys are errors. */
  strict?: boolean;
  /** Settings for all users of the machine; by default where the platform has them. */
  systemFile?: string;
};

export type LoadedConfig = {
  values: ConfigValues;
  home: string;
  /** For people, one line each. */
  warnings: string[];
  /** Where the value at a dotted path came from; undefined when it is a default. */
  originOf(path: string): Origin | undefined;
  projectRoot: string;
  /** What the user decided about the working directory. */
  trust: Trust | undefined;
  /** The trusted `.openinterpreter` folders of the project that exist, outermost first. */
  projectFolders: string[];
};

/**
 * Reads and merges all settings, lowest first: machine, user, profile, trusted project folders from the root down, then
 * `overrides`. Throws AppError "config" with the place of the fault.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { env, cwd, overrides } = options;
  const home = await findHome(env);
  const personHome = userHome(env);
  const warnings: string[] = [];
  const base = await userLayers(options, home, warnings);

  // What decides over the project's own files must not come from them.
  const decided = mergeLayers(withOverrides(base, overrides.filter(isSet), cwd, personHome));
  const markers = stringsAt(decided, "project_root_markers") ?? [".git"];
  const projectRoot = findProjectRoot(cwd, markers);
  const projects = valueAt(decided, ["projects"]);
  const project = { layers: [] as Layer[], folders: [] as string[] };
  for (const folder of foldersBetween(projectRoot, cwd)) {
    const configFolder = join(folder, PROJECT_FOLDER);
    if (!existsSync(configFolder) || realPath(configFolder) === realPath(home)) continue;
    if (trustOf(folder, projects, markers) !== "trusted") {
      const ignored = join(configFolder, CONFIG_FILE);
      if (existsSync(ignored)) warnings.push(untrustedWarning(ignored, folder, home));
      continue;
    }
    project.folders.push(configFolder);
    project.layers.push(...(await projectLayer(join(configFolder, CONFIG_FILE), personHome, warnings)));
  }

  const files = [...base, ...project.layers];
  refuseHiddenFaults(files, overrides);
  const layers = withOverrides(files, overrides, cwd, personHome);
  return {
    values: checkedValues(layers, options.strict ?? false, warnings),
    home,
    warnings,
    originOf: (path) => originAt(layers, parseKeyPath(path)),
    projectRoot,
    trust: trustOf(cwd, projects, markers),
    projectFolders: project.folders,
  };
}

/** The file that a profile may have in place of a table in config.toml. Throws AppError "config" for what is not a name. */
export function profileFile(home: string, profile: string): string {
  if (/^[\w.-]+$/.test(profile)) return join(home, `${profile}.${CONFIG_FILE}`);
  throw new AppError("config", `a profile name has letters, digits, "-", "_" and ".", found "${profile}"`);
}

/** Machine, user and profile. */
async function userLayers(options: LoadOptions, home: string, warnings: string[]): Promise<Layer[]> {
  const { env, overrides } = options;
  const personHome = userHome(env);
  const [system, user] = await Promise.all([
    readLayer(options.systemFile ?? systemConfigFile(env), personHome),
    options.ignoreUserConfig ? undefined : readLayer(join(home, CONFIG_FILE), personHome),
  ]);
  const layers = [system, user].filter((layer) => layer !== undefined);
  const named = mergeLayers(withOverrides(layers, overrides.filter(isSet), options.cwd, personHome))[
    "profile"
  ];
  const profile = options.profile ?? (typeof named === "string" ? named : undefined);
  if (profile === undefined) return layers;
  const file = profileFile(home, profile);
  const table = layerFrom(layers, ["profiles", profile]);
  const fromFile = await readLayer(file, personHome);
  if (table === undefined && fromFile === undefined) {
    warnings.push(`profile ${profile} is empty: there is neither ${file} nor a table [profiles.${profile}]`);
  }
  return [...layers, ...[table, fromFile].filter((layer) => layer !== undefined)];
}

function checkedValues(layers: readonly Layer[], strict: boolean, warnings: string[]): ConfigValues {
  const problems: Problem[] = [];
  const values = ConfigShape.read(mergeLayers(layers), [], problems);
  if (values !== undefined) problems.push(...unknownFeatures(values));
  const unknown = problems.filter((problem) => problem.kind === "unknown");
  const faults = problems.filter((problem) => problem.kind === "fault");
  if (values === undefined || faults.length > 0) throw configError(layers, faults);
  if (strict && unknown.length > 0) throw configError(layers, unknown);
  warnings.push(...describeAll(layers, unknown));
  return values;
}

/**
 * A wrong value in a file is told also while an option of this run, such as the one for the sandbox, stands above it. With
 * `-c` a person may repair it for one run.
 */
function refuseHiddenFaults(files: readonly Layer[], overrides: readonly Override[]): void {
  const hidden = overrides.filter(
    ({ option, path }) => option !== "-c" && files.some(({ table }) => valueAt(table, path) !== undefined),
  );
  if (hidden.length === 0) return;
  const problems: Problem[] = [];
  ConfigShape.read(mergeLayers(files), [], problems);
  const faults = problems.filter(
    ({ kind, path }) => kind === "fault" && hidden.some((override) => path[0] === override.path[0]),
  );
  if (faults.length > 0) throw configError(files, faults);
}

function configError(layers: readonly Layer[], problems: readonly Problem[]): AppError {
  return new AppError("config", describeAll(layers, problems).join("\n"));
}

function describeAll(layers: readonly Layer[], problems: readonly Problem[]): string[] {
  const lines = problems.slice(0, MOST_DESCRIBED).map((problem) => describe(layers, problem));
  const more = problems.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more of this kind`] : lines;
}

function describe(layers: readonly Layer[], problem: Problem): string {
  const origin = originAt(layers, problem.path) ?? originAt(layers, problem.path.slice(0, -1));
  const where = origin === undefined ? "" : `${formatOrigin(origin)}: `;
  const key = formatPath(problem.path);
  if (problem.kind === "fault") return `${where}${key}: ${problem.message}`;
  const tip = problem.near === undefined ? "" : `; did you mean \`${problem.near}\`?`;
  return `${where}unrecognized configuration field \`${key}\`${tip}`;
}

function unknownFeatures({ features }: ConfigValues): Problem[] {
  return Object.keys(features)
    .filter((name) => !isFeatureName(name))
    .map((name, i) => {
      const near = i < MOST_DESCRIBED ? nearest(name, Object.keys(FEATURES), 3) : undefined;
      const problem = { kind: "unknown", path: ["features", name], message: "unknown feature" } as const;
      return near === undefined ? problem : { ...problem, near };
    });
}

function untrustedWarning(file: string, folder: string, home: string): string {
  const remedy = `set trust_level = "trusted" under [projects.${JSON.stringify(folder)}] in ${join(home, CONFIG_FILE)}`;
  return `${file} is ignored, as its folder is not trusted; to use it, ${remedy}`;
}

function isSet(override: Override): boolean {
  return "set" in override;
}

function stringsAt(table: unknown, key: string): string[] | undefined {
  const list = valueAt(table, [key]);
  if (!Array.isArray(list)) return undefined;
  return list.filter((item) => typeof item === "string");
}
