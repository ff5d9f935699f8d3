import { commandKey } from "./key-command.ts";
import { type Env, nonBlank, type ProviderSettings } from "./settings.ts";

export type KeySource = {
  /** The key to send, or undefined when the provider needs none. Throws AppError "auth". */
  current(signal: AbortSignal): Promise<string | undefined>;
  /** A key to try in place of a refused one; only a program can have another. */
  renew?(refused: string | undefined, signal: AbortSignal): Promise<string>;
};

/** Where the key of a provider comes from. The first of these that is configured decides. */
export type KeyOrigin =
  | { from: "command" }
  | { from: "variable"; variable: string }
  | { from: "config" }
  | { from: "openai" }
  | { from: "nowhere" };

/** Where OpenAI's own key is looked for, in this order: the first is meant for single runs. */
const OPENAI_KEY_VARIABLES = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

/** Where the settings say that the key is. */
export function keyOrigin(settings: ProviderSettings): KeyOrigin {
  if (settings.auth) return { from: "command" };
  if (settings.env_key) return { from: "variable", variable: settings.env_key };
  if (settings.experimental_bearer_token?.trim()) return { from: "config" };
  return settings.requires_openai_auth ? { from: "openai" } : { from: "nowhere" };
}

/** The variable that a user would set; undefined when the key is not looked for in one. */
export function keyVariable(settings: ProviderSettings): string | undefined {
  const origin = keyOrigin(settings);
  if (origin.from === "openai") return "OPENAI_API_KEY";
  return origin.from === "variable" ? origin.variable : undefined;
}

/** The key that the environment or the configuration holds. A program is not asked. */
export function storedKey(settings: ProviderSettings, env: Env): string | undefined {
  const origin = keyOrigin(settings);
  switch (origin.from) {
    case "variable":
      return nonBlank(env, origin.variable);
    case "config":
      return settings.experimental_bearer_token?.trim();
    case "openai":
      return openaiKey(env);
    case "command":
    case "nowhere":
      return undefined;
  }
}

/** What gives the key of a provider whenever it is needed. `id` is for the error that names a missing one. */
export function keySource(settings: ProviderSettings, id: string, env: Env): KeySource {
  if (settings.auth) return commandKey(settings.auth, env);
  const variable = keyVariable(settings);
  return {
    async current() {
      const key = storedKey(settings, env);
      if (key !== undefined || variable === undefined) return key;
      const { missingKey } = await import("./missing-key.ts");
      throw await missingKey({ variable, id, instructions: settings.env_key_instructions }, env);
    },
  };
}

/** OpenAI's own key from the environment, if there is one. */
export function openaiKey(env: Env): string | undefined {
  return OPENAI_KEY_VARIABLES.map((name) => nonBlank(env, name)).find((key) => key !== undefined);
}
