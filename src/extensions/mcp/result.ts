import { z } from "zod";
import type { McpResult } from "../../protocol/details.ts";
import type { Part } from "../../protocol/items.ts";
import { imageType } from "../../util/image-type.ts";
import { isRecord } from "../../util/json.ts";

/** `error` says why the tool could not be reached; a tool that failed by itself is a `result` with `isError`. */
export type McpOutcome = { durationMs: number } & ({ result: McpResult } | { error: string });

export const CallResult = z.looseObject({
  content: z.preprocess(asList, z.array(z.unknown()).default([])),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish(),
  _meta: z.unknown().optional(),
});

/** Some servers send the one part without its list, or its text alone. */
function asList(content: unknown): unknown {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content === null ? undefined : isRecord(content) ? [content] : content;
}

/** Characters of base64; 15 MiB of a picture. */
const LONGEST_IMAGE = 20 * 1024 * 1024;
/** Characters of base64 that tell the kind of a picture. */
const HEAD_LENGTH = 16;

const Block = z.union([
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("image"), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal("audio"), data: z.string(), mimeType: z.string() }),
  z.looseObject({
    type: z.literal("resource"),
    resource: z.looseObject({ uri: z.string(), text: z.string().optional() }),
  }),
  z.looseObject({ type: z.literal("resource_link"), uri: z.string(), name: z.string().optional() }),
]);

export function toResult(answer: z.infer<typeof CallResult>): McpResult {
  const { content, structuredContent, isError, _meta } = answer;
  return {
    content,
    ...(structuredContent === undefined || structuredContent === null ? {} : { structuredContent }),
    ...(isError ? { isError } : {}),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** What the model reads: how long it took, then the structured result alone when there is one, else part for part. */
export function modelContent(outcome: McpOutcome, { images }: { images: boolean }): Part[] {
  if ("error" in outcome) return [text(`tool call error: ${outcome.error}`)];
  const { content, structuredContent } = outcome.result;
  const head = `Wall time: ${(outcome.durationMs / 1000).toFixed(4)} seconds\nOutput:`;
  if (structuredContent !== undefined) return [text(`${head}\n${JSON.stringify(structuredContent)}`)];
  return [text(head), ...content.map((block) => blockPart(block, images))];
}

/** One block of what a server says, as the model reads it. */
export function blockPart(raw: unknown, images: boolean): Part {
  const { data: block } = Block.safeParse(raw);
  if (block === undefined) return text(JSON.stringify(raw));
  switch (block.type) {
    case "text":
      return text(block.text);
    case "image":
      return images
        ? picture(block)
        : text(`[image ${block.mimeType}, left out: this model does not look at images]`);
    case "audio":
      return text(`[audio ${block.mimeType}, left out]`);
    case "resource":
      return text(block.resource.text ?? `[resource ${block.resource.uri}, binary, left out]`);
    case "resource_link":
      return text(`[resource ${block.uri}${block.name === undefined ? "" : `: ${block.name}`}]`);
  }
}

/** What a server calls an image may be anything; model servers refuse the whole request for one that is not. */
function picture({ data, mimeType }: { data: string; mimeType: string }): Part {
  if (data.length > LONGEST_IMAGE) return text(`[image ${mimeType}, left out: it is larger than 15 MiB]`);
  const type = imageType(Buffer.from(data.slice(0, HEAD_LENGTH), "base64"));
  if (type === undefined || !/^[\w+/\s-]+={0,2}\s*$/.test(data))
    return text(`[image ${mimeType}, left out: it is not PNG, JPEG, GIF or WebP]`);
  return { type: "input_image", imageUrl: `data:${type};base64,${data}` };
}

function text(value: string): Part {
  return { type: "input_text", text: value };
}
