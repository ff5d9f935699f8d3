/** Tokens. `input` includes `cachedInput` and `cacheWrite`; `output` includes `reasoning`. */
export type Usage = {
  input: number;
  cachedInput: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
};

/** How fast an answer came: the time to its first token, and tokens a second from there on. */
export type Speed = { firstTokenMs?: number; tokensPerSecond?: number };

export const NO_USAGE: Usage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

export function subtractUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input - b.input,
    cachedInput: a.cachedInput - b.cachedInput,
    cacheWrite: a.cacheWrite - b.cacheWrite,
    output: a.output - b.output,
    reasoning: a.reasoning - b.reasoning,
  };
}

/** `first token after 4.1 s, 14.3 tokens/s`; empty when nothing was measured. */
export function speedText({ firstTokenMs, tokensPerSecond }: Speed): string {
  return [
    ...(firstTokenMs === undefined ? [] : [`first token after ${(firstTokenMs / 1000).toFixed(1)} s`]),
    ...(tokensPerSecond === undefined ? [] : [`${tokensPerSecond.toFixed(1)} tokens/s`]),
  ].join(", ");
}
