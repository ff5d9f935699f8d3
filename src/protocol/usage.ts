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
