/** What is known before a context window is chosen. Tokens and bytes. */
export type WindowFacts = {
  /** `model_context_window` of the settings. */
  wanted?: number;
  /** The longest context that the model was made for. */
  modelMax?: number;
  /** num_ctx of the model's own parameters. */
  modelDefault?: number;
  /** What the model has now, when it is in memory. */
  loaded?: number;
  /** Memory that is free for the model; undefined when it runs on another machine. */
  freeBytes?: number;
  modelBytes?: number;
  bytesPerToken?: number;
};

export type Window = {
  tokens: number;
  /** Where the number comes from, in a few words. */
  origin: string;
  /** What the user should know about it. */
  warning?: string;
};

/** Below this, a coding task is hard to hold. */
export const COMFORTABLE = 16_384;
/** Nothing smaller is chosen by itself. */
const LEAST = 8_192;
/** Nothing larger is chosen by itself: memory and the time to read a prompt grow with it. */
const USUAL_MOST = 65_536;
/** Without facts about memory. */
const UNKNOWN_MEMORY = 32_768;
const MEMORY_SHARE = 0.8;
const COMPUTE_BYTES = 0.5 * 2 ** 30;
const STEP = 2_048;

/**
 * The window to ask for. The user's number wins; then what is loaded already, as a change would load the model again; then
 * the model's own parameter; then what memory allows.
 */
export function chooseWindow(facts: WindowFacts): Window {
  const { wanted, loaded, modelDefault, modelMax = Number.POSITIVE_INFINITY } = facts;
  if (wanted !== undefined) return fromUser(wanted, modelMax);
  if (loaded !== undefined && loaded >= COMFORTABLE)
    return { tokens: Math.min(loaded, modelMax), origin: "as it is loaded" };
  if (modelDefault !== undefined && modelDefault >= COMFORTABLE)
    return { tokens: Math.min(modelDefault, modelMax), origin: "the model's own num_ctx" };
  return byMemory(facts, modelMax);
}

function fromUser(wanted: number, modelMax: number): Window {
  const tokens = Math.min(wanted, modelMax);
  const problems = [
    ...(wanted > modelMax
      ? [`model_context_window is ${wanted}, but the model was made for ${modelMax} tokens`]
      : []),
    ...(tokens < LEAST ? [smallText(tokens)] : []),
  ];
  return { tokens, origin: "model_context_window", ...warningOf(problems) };
}

function byMemory(facts: WindowFacts, modelMax: number): Window {
  const fitting = fittingTokens(facts);
  const most = Math.min(modelMax, USUAL_MOST);
  const tokens = Math.min(most, Math.max(LEAST, fitting ?? UNKNOWN_MEMORY));
  const origin =
    fitting === undefined ? "a usual size" : fitting >= most ? "fits into memory" : "what memory allows";
  const problems = [
    ...(fitting !== undefined && fitting < LEAST
      ? [
          `memory for only about ${Math.max(0, fitting)} tokens of context seems to be free; a smaller model runs better`,
        ]
      : []),
    ...(tokens < COMFORTABLE ? [smallText(tokens)] : []),
  ];
  return { tokens, origin, ...warningOf(problems) };
}

function fittingTokens({ freeBytes, modelBytes, bytesPerToken, loaded }: WindowFacts): number | undefined {
  if (freeBytes === undefined || modelBytes === undefined || bytesPerToken === undefined) return undefined;
  // What a loaded model occupies is free again once it is loaded with another window.
  const forContext = MEMORY_SHARE * freeBytes - (loaded === undefined ? modelBytes : 0) - COMPUTE_BYTES;
  return Math.floor(forContext / bytesPerToken / STEP) * STEP;
}

function smallText(tokens: number): string {
  return `a context of ${tokens} tokens is small: long tasks will be summarised often`;
}

function warningOf(problems: readonly string[]): { warning?: string } {
  return problems.length === 0 ? {} : { warning: problems.join("; ") };
}
