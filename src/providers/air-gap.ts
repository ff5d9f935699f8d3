import { isLoopback } from "../../model/errors.ts";
import { isCloudName } from "../../providers/ollama/names.ts";
import { AppError } from "../../util/errors.ts";

/** Throws AppError "config" for a model whose name says that the server on this machine only passes requests on. */
export function checkNoCloud(model: string): void {
  if (isCloudName(model)) throw cloudForbidden(model);
}

export function cloudForbidden(model: string): AppError {
  return new AppError(
    "config",
    `${model} runs on Ollama's servers, and air_gapped = true forbids leaving this machine`,
    { hint: "choose a model that `ollama list` shows with its full size" },
  );
}

/** Throws AppError "config" for an address that is neither of this machine nor of its own network. */
export function checkAirGap(providerId: string, baseUrl: string): void {
  if (!URL.canParse(baseUrl)) return;
  const { hostname } = new URL(baseUrl);
  if (isNear(baseUrl)) return;
  throw new AppError(
    "config",
    `air_gapped = true forbids the provider ${providerId}: ${hostname} is not in the private network`,
    { hint: "use a local server, e.g. --oss, or remove air_gapped" },
  );
}

/** The address is one of this machine or of its own network. */
export function isNear(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return isLoopback(hostname) || isPrivate(hostname);
}

const PRIVATE_V4 = /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/;

function isPrivate(hostname: string): boolean {
  if (/^[\d.]+$/.test(hostname)) return PRIVATE_V4.test(hostname);
  if (hostname.startsWith("[")) return /^\[f[cd]|^\[fe[89ab]/i.test(hostname);
  return !hostname.includes(".") || /\.(local|lan|internal|home\.arpa)$/i.test(hostname);
}
