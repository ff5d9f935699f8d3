import type { Item, Part } from "../protocol/items.ts";
import type { AppError } from "../util/errors.ts";
import { isRecord, type Json, parseJson, textIn } from "../util/json.ts";
import { type Forms, learnForm, usualForms } from "./refused-forms.ts";
import type { Quirks } from "./types.ts";

/** What was learned of a server: what it refuses, so that later requests leave it out from the start, and how it ends. */
export type Refusals = {
  /** Keys of the body. */
  dropped: Set<string>;
  quirks: Pick<Quirks, "maxTokensField">;
  images: boolean;
  /** Thoughts of earlier answers. */
  thoughts: boolean;
  /** Two messages of the same role in a row. */
  repeatedRoles: boolean;
  forms: Forms;
  /** Its streams end without an end mark and without usage: an end like that is no cut. */
  omitsEndMark: boolean;
};

/** Text that stands where a picture was. */
const IMAGE_LEFT_OUT = "[image left out: this model does not take images]";

/** A request is nothing without these. */
const NEEDED = new Set(["model", "messages", "input", "stream", "tools"]);
const REFUSED_PARAMETER =
  /unknown|unsupported|unrecognized|unexpected|not (be )?supported|does not support|not permitted|not allowed|extra (inputs|fields)|extra_forbidden|invalid (parameter|argument|field)|only supported|additional propert/i;
const LIMIT_TOO_LARGE =
  /max_(completion_|output_)?tokens.{0,80}(too large|exceed|at most|valid range|less than|<=|maximum)|\d in the completion|exceed.{0,60}max_(completion_)?tokens/is;
const REFUSED_IMAGE =
  /(image|vision|multimodal|modalit).{0,80}(not support|unsupported|not allowed|not available|not enabled|no endpoints|must be (a )?text|invalid(?!_request))|(not support|unsupported|unknown variant|no endpoints found).{0,60}(image|vision|multimodal)|mmproj/is;
const REFUSED_ROLES = /roles? must alternate|alternate (between )?user|consecutive (user|messages)/i;
const REFUSED_THOUGHTS =
  /(property|field|unknown|unrecognized|unexpected|extra|not permitted).{0,60}(reasoning_content|reasoning_details|extra_content)|(reasoning_content|reasoning_details|extra_content).{0,60}(unsupported|not supported|not permitted|not allowed|unknown)|(invalid|missing|expected).{0,40}[`'"]?(thinking|signature)|signature.{0,30}invalid/is;

export function noRefusals(): Refusals {
  return {
    dropped: new Set(),
    quirks: {},
    images: false,
    thoughts: false,
    repeatedRoles: false,
    forms: usualForms(),
    omitsEndMark: false,
  };
}

/** Learns from a refused request what to leave out. False when the error says nothing new, and the error is real. */
export function learnRefusal(error: AppError, body: Json, refusals: Refusals): boolean {
  if (learnAnswerLimit(error, body, refusals)) return true;
  const isAboutTheRequest = error.code === "model.rejected" || error.status === 500 || error.status === 501;
  if (!isAboutTheRequest) return false;
  const { message } = error;
  if (!refusals.images && REFUSED_IMAGE.test(message) && holdsImage(body)) {
    refusals.images = true;
    return true;
  }
  if (!refusals.repeatedRoles && REFUSED_ROLES.test(message)) {
    refusals.repeatedRoles = true;
    return true;
  }
  if (!refusals.thoughts && REFUSED_THOUGHTS.test(message)) {
    refusals.thoughts = true;
    return true;
  }
  return learnForm(message, body, refusals.forms) || learnParameter(message, body, refusals);
}

/**
 * A harness asks for as long an answer as its models can write; a server with a smaller one behind it says so, often in the
 * words of an overflow. Without the limit, the server's own counts.
 */
function learnAnswerLimit({ code, message }: AppError, body: Json, { dropped }: Refusals): boolean {
  if (code !== "model.rejected" && code !== "model.context_window") return false;
  const key = ["max_tokens", "max_completion_tokens"].find((name) => typeof body[name] === "number");
  if (key === undefined || !LIMIT_TOO_LARGE.test(message)) return false;
  const named = [...message.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  // A message without the number may mean the prompt.
  if (!named.includes(Number(body[key])) && !/valid range/i.test(message)) return false;
  dropped.add(key);
  return true;
}

/** The body without what was refused. */
export function withoutRefused(body: Json, refusals: Refusals): Json {
  return Object.fromEntries(
    Object.entries(body).filter(
      ([key]) => !refusals.dropped.has(key) && !(refusals.thoughts && key === "thinking"),
    ),
  );
}

/** The items without the parts that were refused. */
export function withoutRefusedItems(items: readonly Item[], refusals: Refusals): readonly Item[] {
  const kept = refusals.thoughts ? items.flatMap(withoutThought) : items;
  if (!refusals.images) return kept;
  return kept.map((item) =>
    item.type === "message" || item.type === "tool_result"
      ? { ...item, content: item.content.map(withoutImage) }
      : item,
  );
}

function withoutThought(item: Item): Item[] {
  if (item.type === "reasoning") return [];
  return item.type === "tool_call" ? [{ ...item, sealed: undefined }] : [item];
}

function withoutImage(part: Part): Part {
  return part.type === "input_image" ? { type: "input_text", text: IMAGE_LEFT_OUT } : part;
}

function learnParameter(message: string, body: Json, refusals: Refusals): boolean {
  if (!REFUSED_PARAMETER.test(message)) return false;
  const key = refusedKey(message, body);
  if (key === undefined) return false;
  const other = key === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  const isRenamed = /^max_(completion_)?tokens$/.test(key) && message.includes(other);
  if (isRenamed && refusals.quirks.maxTokensField === undefined) refusals.quirks.maxTokensField = other;
  else refusals.dropped.add(key);
  return true;
}

/** The key of the body that the message is about. A common word counts only in quotes. */
function refusedKey(message: string, body: Json): string | undefined {
  const parsed = parseJson(message);
  const error = isRecord(parsed) && isRecord(parsed["error"]) ? parsed["error"] : parsed;
  const named = isRecord(error) ? textIn(error["param"])?.split(".")[0] : undefined;
  const keys = Object.keys(body).filter((key) => !NEEDED.has(key));
  if (named !== undefined && keys.includes(named)) return named;
  return keys.find((key) => {
    const word = key.includes("_") ? `(?<![\\w.])${key}(?!\\w)` : `['"\`]${key}['"\`]`;
    return new RegExp(word).test(message);
  });
}

function holdsImage(body: Json): boolean {
  return /"type":"(input_image|image_url|image)"/.test(JSON.stringify(body));
}
