import type { ModelChoice } from "../../../core/choices/models.ts";
import { sizeText } from "../../../core/local/size-text.ts";
import { cut } from "../view/text.ts";

const WIDEST_NAME = 40;

/** One label for each model, in columns: name, size on disk, context, abilities. Only columns that say something. */
export function modelRows(models: readonly ModelChoice[]): string[] {
  const nameWidth = Math.min(WIDEST_NAME, Math.max(...models.map(({ id }) => Bun.stringWidth(id)), 0));
  const sizes = models.map(sizeOf);
  const contexts = models.map(({ context }) => contextText(context));
  const sizeWidth = Math.max(...sizes.map(({ length }) => length), 0);
  const contextWidth = Math.max(...contexts.map(({ length }) => length), 0);
  return models.map((model, i) => {
    const name = cut(model.id, nameWidth);
    const columns = [
      name + " ".repeat(nameWidth - Bun.stringWidth(name)),
      ...(sizeWidth > 0 ? [(sizes[i] ?? "").padStart(sizeWidth)] : []),
      ...(contextWidth > 0 ? [(contexts[i] ?? "").padStart(contextWidth)] : []),
      abilities(model),
    ];
    return columns.join("  ").trimEnd();
  });
}

/** Tokens as model makers name them: `32k`, `1M`. */
export function contextText(tokens: number | undefined): string {
  if (tokens === undefined) return "";
  if (tokens >= 1_000_000) return `${Math.round(tokens / 100_000) / 10}M`;
  return `${tokens % 1024 === 0 ? tokens / 1024 : Math.round(tokens / 1000)}k`;
}

function sizeOf({ bytes, isCloud }: ModelChoice): string {
  return bytes === undefined || bytes === 0 || isCloud ? "" : sizeText(bytes);
}

function abilities({ tools, images, isLoaded, isCloud }: ModelChoice): string {
  return [
    ...(tools === undefined ? [] : [tools ? "tools" : "no tools, writes its commands as text"]),
    ...(images ? ["images"] : []),
    ...(isCloud ? ["leaves this machine"] : []),
    ...(isLoaded ? ["loaded"] : []),
  ].join(", ");
}
