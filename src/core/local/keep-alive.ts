/** So that a model is not loaded anew after a pause for thought; Ollama's own default is five minutes. */
const KEEP_ALIVE = "30m";

const SECONDS = /^[+-]?\d+$/;
const DURATION = /^[+-]?((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))+$/;

/**
 * What `keep_alive` of a request has to be for OLLAMA_KEEP_ALIVE. The variable takes bare seconds as a text, a request
 * takes them as a number only.
 */
export function keepAlive(variable: string | undefined): string | number {
  const value = variable?.trim().replace(/^["']|["']$/g, "") ?? "";
  if (SECONDS.test(value)) return Number(value);
  return DURATION.test(value) ? value : KEEP_ALIVE;
}
