import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk/unstable";
import type { Override } from "../../config/overrides.ts";
import type { Effort } from "../../protocol/settings.ts";

/** What a session can be set to, and what it is set to. */
export type OptionFacts = {
  modes: SessionModeState;
  model: string;
  models: readonly string[];
  /** Those of them that leave this machine although its server lists them. */
  cloudModels: readonly string[];
  harness: string;
  /** A conversation can't change its harness: then there is only the one. */
  harnesses: readonly string[];
  effort: Effort | undefined;
  efforts: readonly Effort[];
};

export type OptionId = "mode" | "model" | "harness" | "reasoning_effort";

const DEFAULT_EFFORT = "default";

export function configOptions(facts: OptionFacts): SessionConfigOption[] {
  const { modes, model, models, cloudModels, harness, harnesses, effort, efforts } = facts;
  return [
    {
      id: "mode",
      name: "Mode",
      description: "What commands may do, and when you are asked",
      category: "mode",
      type: "select",
      currentValue: modes.currentModeId,
      options: modes.availableModes.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      id: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: model,
      options: plain(withCurrent(models, model)).map((option) =>
        cloudModels.includes(option.value) ? { ...option, description: "leaves this machine" } : option,
      ),
    },
    {
      id: "harness",
      name: "Harness",
      description: "The form in which tools and prompts are presented to the model",
      category: "model_config",
      type: "select",
      currentValue: harness,
      options: plain(withCurrent(harnesses, harness)),
    },
    {
      id: "reasoning_effort",
      name: "Reasoning effort",
      category: "thought_level",
      type: "select",
      currentValue: effort ?? DEFAULT_EFFORT,
      options: plain([DEFAULT_EFFORT, ...(effort ? withCurrent(efforts, effort) : efforts)]),
    },
  ];
}

/** The settings that a value stands for. */
export function optionOverrides(id: Exclude<OptionId, "mode">, value: string): Override[] {
  if (id === "reasoning_effort") {
    const path = ["model_reasoning_effort"];
    return [value === DEFAULT_EFFORT ? { path, option: id, unset: true } : { path, option: id, set: value }];
  }
  return [{ path: [id], option: id, set: value }];
}

export function isOptionId(id: string): id is OptionId {
  return id === "mode" || id === "model" || id === "harness" || id === "reasoning_effort";
}

/** Is this value among those that were offered? */
export function isOffered(options: readonly SessionConfigOption[], id: string, value: string): boolean {
  const option = options.find((one) => one.id === id);
  if (option?.type !== "select") return false;
  return option.options.some((choice) => "value" in choice && choice.value === value);
}

function withCurrent(values: readonly string[], current: string): readonly string[] {
  return values.includes(current) ? values : [current, ...values];
}

function plain(values: readonly string[]): { value: string; name: string }[] {
  return values.map((value) => ({ value, name: value }));
}
