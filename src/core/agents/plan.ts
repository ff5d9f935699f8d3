import { existsSync } from "node:fs";
import { join } from "node:path";
import type { LoadedConfig } from "../../config/load.ts";
import type { Provider } from "../../providers/types.ts";
import { SharedLock } from "../../util/async.ts";
import type { ModelLink } from "../turn/settings.ts";
import { agentLimits, wantedThreads } from "./limits.ts";
import { oneAtATime, servesOneAtATime } from "./one-at-a-time.ts";
import type { ChildParts } from "./open-child.ts";
import type { AgentPlan } from "./types.ts";

/** How the requests of a session and its children go to the server: side by side, or one after the other. */
export function requestQueue(config: LoadedConfig, provider: Provider): (link: ModelLink) => ModelLink {
  if (!servesOneAtATime(provider) || wantedThreads(config.values) !== undefined) return (link) => link;
  const lock = new SharedLock(1);
  return (link) => oneAtATime(link, lock);
}

/** The children of the session that the user talks to. All that they need is loaded with the first one. */
export function agentPlan(parts: Omit<ChildParts, "limits" | "team">): AgentPlan {
  const { config, choice } = parts;
  const limits = agentLimits(config.values, servesOneAtATime(choice.provider));
  const team: AgentPlan["team"] = new Set();
  return {
    limits,
    team,
    watch: parts.watch,
    open: async (wish, host) => {
      const { openChild } = await import("./open-child.ts");
      return await openChild({ ...parts, limits, team }, 1, wish, host);
    },
  };
}

/** The user's own kinds of agents, for the description of the tool that starts one; empty when there are none. */
export async function rolesText(config: LoadedConfig): Promise<string> {
  const hasTables = Object.values(config.values.agents ?? {}).some((value) => typeof value === "object");
  if (!hasTables && !existsSync(join(config.home, "agents"))) return "";
  const { readRoles } = await import("./roles.ts");
  const roles = await readRoles(config);
  const known = [...roles].map(([name, { description }]) =>
    description === "" ? name : `${name} (${description})`,
  );
  return `Kinds: ${known.join("; ")}.`;
}
