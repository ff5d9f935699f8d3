import { runDoctor } from "../../../core/local/doctor.ts";
import { checkText } from "../../../core/local/doctor-check.ts";
import type { CommandPort } from "./types.ts";

/** What `interpreter doctor` finds, under the settings of this conversation. */
export async function doctor(port: CommandPort): Promise<void> {
  const { env, cwd, config, signal } = port;
  const checks = await runDoctor({ env, cwd, config, overrides: [], profile: undefined }, signal);
  const isWell = checks.every(({ verdict }) => verdict !== "fail");
  port.notice({ level: isWell ? "info" : "warning", text: checks.map(checkText).join("").trimEnd() });
}
