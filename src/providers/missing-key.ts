import { join } from "node:path";
import { PROJECT_FOLDER, userHome } from "../config/paths.ts";
import { AppError } from "../util/errors.ts";
import { NAME } from "../util/package.ts";
import { type Env, nonBlank } from "./settings.ts";

export type WantedKey = {
  variable: string;
  /** The provider that wants it. */
  id: string;
  /** The user's own words about this key, from the provider's table. */
  instructions: string | undefined;
};

/** Says which variable is missing, where it can be written, and what works without it. */
export async function missingKey({ variable, id, instructions }: WantedKey, env: Env): Promise<AppError> {
  const places: Row[] = [
    ["this shell", `export ${variable}=...`],
    ["for good", `a line ${variable}=... in ${dotEnvFile(env)}`],
    ["config.toml", `experimental_bearer_token = "..." below [model_providers.${id}]`],
    ...(await otherWays(variable, id, env)),
  ];
  const width = Math.max(...places.map(([name]) => name.length));
  const lines = places.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
  const hint = [instructions ?? "Set it, or take another way:", ...lines].join("\n");
  return new AppError("auth", `Missing environment variable: \`${variable}\`.`, { hint });
}

type Row = [name: string, text: string];

function dotEnvFile(env: Env): string {
  return join(nonBlank(env, "INTERPRETER_HOME") ?? join(userHome(env), PROJECT_FOLDER), ".env");
}

async function otherWays(variable: string, id: string, env: Env): Promise<Row[]> {
  const { catalogEntriesWithKey } = await import("./catalog.ts");
  const withKey = catalogEntriesWithKey((name) => name !== variable && nonBlank(env, name) !== undefined);
  const [usable] = withKey.filter((entry) => entry.sharedKey !== true);
  const rows: Row[] = [];
  if (usable) rows.push(["another host", `${usable.key} is set: add -c model_provider=${usable.id}`]);
  else if (id === "openai")
    rows.push(["another host", `set its key, add -c model_provider=ID (see ${NAME} providers)`]);
  rows.push(["this machine", "start Ollama or LM Studio, and add --oss"]);
  if (id === "openai") rows.push(["no model", `${NAME} exec --demo plays a recorded session`]);
  return rows;
}
