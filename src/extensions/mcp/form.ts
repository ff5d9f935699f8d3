import { z } from "zod";
import type { FormField, FormValue } from "../../protocol/questions.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";

/** Characters. */
const LONGEST_TEXT = 1_000;

const Choice = z.looseObject({ const: z.string(), title: z.string().optional() });
const Choices = {
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(Choice).optional(),
  anyOf: z.array(Choice).optional(),
};
const Property = z.looseObject({
  ...Choices,
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  items: z.looseObject(Choices).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  format: z.enum(["email", "uri", "date", "date-time"]).optional().catch(undefined),
  default: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
    .optional()
    .catch(undefined),
});
type Property = z.infer<typeof Property>;

/** `requestedSchema` of an elicitation: what a server wants to know. */
export const RequestedSchema = z.looseObject({
  properties: z.record(z.string(), Property).default({}),
  required: z.array(z.string()).default([]),
});

export function fieldsOf({ properties, required }: z.infer<typeof RequestedSchema>): FormField[] {
  return Object.entries(properties).map(([name, property]) => {
    const { title, description, minimum, maximum, minLength, maxLength, format } = property;
    const choices = choicesOf(property);
    return {
      name,
      kind: kindOf(property, choices.length > 0),
      isRequired: required.includes(name),
      title: title && shown(title),
      description: description && shown(description),
      choices: choices.length === 0 ? undefined : choices,
      minimum,
      maximum,
      minLength,
      maxLength,
      format,
      default: property.default,
    };
  });
}

/** As it may stand beside a field. */
function shown(text: string): string {
  return terminalSafe(text.slice(0, LONGEST_TEXT));
}

function kindOf({ type }: Property, hasChoices: boolean): FormField["kind"] {
  if (type === "array") return "choices";
  if (type === "boolean" || type === "number" || type === "integer") return type;
  return hasChoices ? "choice" : "text";
}

function choicesOf(property: Property): { value: string; label: string }[] {
  const { items = property } = property;
  const titled = items.oneOf ?? items.anyOf;
  const pairs =
    titled?.map(({ const: value, title }) => [value, title ?? value] as const) ??
    items.enum?.map((value, index) => [value, items.enumNames?.[index] ?? value] as const);
  const choices = (pairs ?? []).map(([value, label]) => ({ value, label: shown(label) }));
  // An answer comes back as a label: of two that look the same, each names its value.
  const alike = Map.groupBy(choices, ({ label }) => label);
  return choices.map((one) => (alike.get(one.label)?.length === 1 ? one : { ...one, label: named(one) }));
}

function named({ value, label }: { value: string; label: string }): string {
  return `${label} (${shown(value)})`;
}

/**
 * The answers that fit their fields, with a field's own value where there is none. Undefined when one that is required is
 * missing, or when one does not fit. What was not asked for is left out.
 */
export function completed(
  fields: readonly FormField[],
  answers: Readonly<Record<string, unknown>>,
): Record<string, FormValue> | undefined {
  const content: Record<string, FormValue> = {};
  for (const field of fields) {
    const given = Object.hasOwn(answers, field.name) ? (answers[field.name] ?? undefined) : undefined;
    const value = given === undefined ? field.default : fitting(field, given);
    if (value !== undefined) content[field.name] = value;
    else if (given !== undefined || field.isRequired) return undefined;
  }
  return content;
}

function fitting(field: FormField, value: unknown): FormValue | undefined {
  switch (field.kind) {
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "number":
    case "integer":
      return typeof value === "number" && isInRange(field, value) ? value : undefined;
    case "text":
      return typeof value === "string" && isLongEnough(field, value) ? value : undefined;
    case "choice":
      return typeof value === "string" && isOffered(field, value) ? value : undefined;
    case "choices":
      return Array.isArray(value) && value.every((one) => isOffered(field, one))
        ? value.map(String)
        : undefined;
  }
}

function isOffered({ choices }: FormField, value: unknown): boolean {
  return choices === undefined || choices.some((choice) => choice.value === value);
}

function isInRange({ kind, minimum, maximum }: FormField, value: number): boolean {
  const isWhole = kind !== "integer" || Number.isInteger(value);
  return isWhole && value >= (minimum ?? value) && value <= (maximum ?? value);
}

function isLongEnough({ minLength, maxLength }: FormField, text: string): boolean {
  return text.length >= (minLength ?? 0) && text.length <= (maxLength ?? text.length);
}
