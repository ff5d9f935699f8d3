import { fileURLToPath } from "node:url";
import type { ContentBlock, EmbeddedResource, ResourceLink } from "@agentclientprotocol/sdk/unstable";
import type { Part } from "../../protocol/items.ts";
import { invalidParams } from "./errors.ts";
import { titleText } from "./texts.ts";

/** A prompt as the model reads it, in the same order. */
export function inputOf(prompt: readonly ContentBlock[]): Part[] {
  const isEmpty = prompt.every((block) => block.type === "text" && block.text.trim() === "");
  if (isEmpty) throw invalidParams("the prompt is empty");
  return prompt.map(partOf);
}

/** The words of a prompt alone. */
export function wordsOf(prompt: readonly ContentBlock[]): string {
  return prompt.map((block) => (block.type === "text" ? block.text : "")).join("");
}

function partOf(block: ContentBlock): Part {
  switch (block.type) {
    case "text":
      return text(block.text);
    case "image":
      return picture(block.mimeType, block.data);
    case "resource_link":
      return text(linkText(block));
    case "resource":
      return resourcePart(block);
    case "audio":
      throw invalidParams("audio is not supported in prompts");
  }
}

function linkText({ name, uri, description }: ResourceLink): string {
  return `[${name}](${placeOf(uri)})${description ? ` (${description})` : ""}`;
}

function resourcePart({ resource }: EmbeddedResource): Part {
  const place = placeOf(resource.uri);
  if ("text" in resource)
    return text(`<resource uri=${JSON.stringify(place)}>\n${resource.text}\n</resource>`);
  const { mimeType, blob } = resource;
  if (mimeType?.startsWith("image/")) return picture(mimeType, blob);
  const bytes = Buffer.byteLength(blob, "base64");
  return text(`<resource uri=${JSON.stringify(place)}>\n(${bytes} bytes that are not text)\n</resource>`);
}

/** Servers refuse a request for a picture that is none, and each later one that repeats it. */
function picture(mimeType: string, data: string): Part {
  if (!/^image\/[\w.+-]+$/.test(mimeType))
    throw invalidParams(`a picture must be of a type image/…, found ${titleText(mimeType)}`);
  const plain = data.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain))
    throw invalidParams("a picture must be in base64, and this is not");
  return { type: "input_image", imageUrl: `data:${mimeType};base64,${plain}` };
}

/** Files are named as tools take them. */
function placeOf(uri: string): string {
  if (!uri.startsWith("file://")) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}

function text(words: string): Part {
  return { type: "input_text", text: words };
}
