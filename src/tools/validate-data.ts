import { z } from "zod";
import { requireOrdinaryText } from "../util/fs.ts";
import { defineTool } from "./define.ts";
import { absolutePath, homeOf, locate, touched } from "./files/location.ts";
import { osErrorText } from "./files/os-error.ts";
import { MAX_FILE_BYTES } from "./files/size-limit.ts";
import { readingCall, refused, textResult } from "./results.ts";
import type { ToolResult } from "./types.ts";

const FORMATS = ["json", "toml"] as const;
type Format = (typeof FORMATS)[number];

const ValidateInput = z.looseObject({
  /** One of the two. */
  path: z.string().optional(),
  content: z.string().optional(),
  format: z.enum(["auto", ...FORMATS]).optional(),
});
type ValidateInput = z.infer<typeof ValidateInput>;

/** Native "validate_data": whether a file or a text is JSON or TOML, and if not, why. */
export const validateData = defineTool<ValidateInput>({
  name: "validate_data",
  schema: ValidateInput,
  parallel: true,
  async prepare(input, ctx) {
    const { path: named, content } = input;
    if (content !== undefined) return readingCall([], async () => verdict(content, input));
    if (!named) return refused("wanted a path or a content");
    const path = absolutePath(named, ctx.cwd, homeOf(ctx));
    const location = await locate(path);
    return readingCall(touched(location), async () => {
      try {
        return verdict(await requireOrdinaryText(location.target, MAX_FILE_BYTES), input);
      } catch (cause) {
        return textResult(false, `${path} can't be read: ${osErrorText(cause)}`);
      }
    });
  },
});

function verdict(text: string, { path = "", format = "auto" }: ValidateInput): ToolResult {
  const formats = format === "auto" ? likely(path) : [format];
  const problems: string[] = [];
  for (const one of formats) {
    const problem = problemOf(text, one);
    if (problem === undefined)
      return textResult(true, `valid ${one.toUpperCase()}`, { case: "valid", format: one });
    problems.push(`${one.toUpperCase()}: ${problem}`);
  }
  return textResult(false, `not valid as ${problems.join("; as ")}`, { case: "invalid" });
}

function likely(path: string): readonly Format[] {
  return FORMATS.filter((format) => path.endsWith(`.${format}`)).concat(
    /\.(?:json|toml)$/.test(path) ? [] : FORMATS,
  );
}

function problemOf(text: string, format: Format): string | undefined {
  try {
    if (format === "json") JSON.parse(text);
    else Bun.TOML.parse(text);
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
