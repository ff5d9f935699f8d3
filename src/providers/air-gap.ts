import { AppError } from "../util/errors.ts";
import { isNear } from "../util/near-address.ts";
import { isCloudName } from "./ollama/names.ts";

/** Throws AppError "config" for a model whose name says that the server on this machine only passes requests on. */
export function checkNoCloud(model: string): void {
  if (isCloudName(model)) throw cloudForbidden(model);
}

/** The error for a model that would run on somebody else's machine. */
export function cloudForbidden(model: string): AppError {
  return new AppError(
    "config",
    `${model} runs on Ollama's servers, and air_gapped = true forbids leaving this machine`,
    { hint: "choose a model that `ollama list` shows with its full size" },
  );
}

/**
 * Throws AppError "config" for an address that is neither of this machine nor of its own network, and for a proxy that is
 * not: what goes to a private address by way of it has left the network.
 */
export function checkAirGap(providerId: string, baseUrl: string, proxy?: string): void {
  if (URL.canParse(baseUrl) && !isNear(baseUrl)) {
    throw new AppError(
      "config",
      `air_gapped = true forbids the provider ${providerId}: ${new URL(baseUrl).hostname} is not in the private network`,
      { hint: "use a local server, e.g. --oss, or remove air_gapped" },
    );
  }
  if (proxy === undefined || isNear(proxy)) return;
  throw new AppError(
    "config",
    `air_gapped = true forbids the proxy to the provider ${providerId}: ${new URL(proxy).hostname} is not in the private network`,
    { hint: `name ${new URL(baseUrl).hostname} in NO_PROXY` },
  );
}
