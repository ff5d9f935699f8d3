import type { Quirks } from "./types.ts";

type Rule = { host?: RegExp; model?: RegExp; quirks: Quirks };

/**
 * What is known of providers and models that differ from the documented wire. All rules that match are merged, later ones
 * win. A rule is only worth its line when the server refuses or misreads the ordinary form.
 */
const RULES: readonly Rule[] = [
  { model: /gpt-oss|gpt-5|(^|\/)o[134](-|$)/i, quirks: { reasoningParam: "reasoning_effort" } },
  {
    host: /(^|\.)openai\.(com|azure\.com)$/,
    quirks: {
      developerRole: true,
      maxTokensField: "max_completion_tokens",
      reasoningParam: "reasoning_effort",
      strictTools: true,
    },
  },
  { host: /(^|\.)deepseek\.com$/, quirks: { reasoningParam: "thinking" } },
  { host: /(^|\.)(moonshot\.(ai|cn)|kimi\.com)$/, quirks: { reasoningParam: "thinking" } },
  { host: /(^|\.)(z\.ai|bigmodel\.cn)$/, quirks: { reasoningParam: "thinking" } },
  { host: /(^|\.)dashscope(-intl|-us)?\.aliyuncs\.com$/, quirks: { reasoningParam: "enable_thinking" } },
  {
    host: /(^|\.)openrouter\.ai$/,
    quirks: { reasoningField: "reasoning", reasoningParam: "reasoning_effort" },
  },
  // Groq knows neither this parameter on all models nor reasoning_content in a history.
  { host: /(^|\.)groq\.com$/, quirks: { reasoningField: "reasoning", parallelToolCalls: false } },
  // Mistral refuses unknown fields and every call id that is not nine letters or digits.
  {
    host: /(^|\.)mistral\.ai$/,
    quirks: { usageInStream: false, reasoningParam: "none", toolCallIdPattern: "^[a-zA-Z0-9]{9}$" },
  },
  { host: /(^|\.)cerebras\.ai$/, quirks: { maxTokensField: "max_completion_tokens" } },
];

/** Ollama's port: it reads reasoning back only from this field, and drops max_completion_tokens without a word. */
const OLLAMA: Quirks = {
  reasoningField: "reasoning",
  reasoningParam: "reasoning_effort",
  maxTokensField: "max_tokens",
};

/** What is known of a server and a model by the address and the name alone. */
export function quirksFor(baseUrl: string, model: string): Quirks {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const matching = RULES.filter(
    (rule) => (rule.host?.test(url?.hostname ?? "") ?? true) && (rule.model?.test(model) ?? true),
  );
  const quirks: Quirks = Object.assign({}, ...matching.map((rule) => rule.quirks));
  return url?.port === "11434" ? { ...quirks, ...OLLAMA } : quirks;
}
