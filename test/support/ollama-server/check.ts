import { capabilitiesOf } from "./facts.ts";
import { fullName, isCloudName, withTag } from "./names.ts";
import type { InstalledModel, ServerOptions } from "./types.ts";

export type Refusal = { status: number; error: string };
type Body = Record<string, unknown>;

const THINK_LEVELS = ["low", "medium", "high", "max"];
const NUMBERS: Readonly<Record<string, string>> = {
  num_ctx: "integer",
  num_batch: "integer",
  num_gpu: "integer",
  num_predict: "integer",
  seed: "integer",
  top_k: "integer",
  temperature: "float32",
  top_p: "float32",
};

/** What is checked before a chat runs, in the server's order, with the server's texts (server/routes.go). */
export function refusalOf(
  body: Body | undefined,
  find: (name: string) => InstalledModel | undefined,
  options: ServerOptions,
): Refusal | undefined {
  if (body === undefined) return { status: 400, error: "missing request body" };
  const decoding = decodingProblem(body);
  if (decoding !== undefined) return { status: 400, error: decoding };
  const name = String(body["model"] ?? "");
  if (name === "") return { status: 400, error: "model is required" };
  if (/:local$/i.test(name) && isCloudName(name))
    return { status: 400, error: `use either :local or :cloud, not both: "${name}"` };
  const model = find(name);
  if (!model) return { status: 404, error: `model '${name}' not found` };
  if (model.remoteHost !== undefined) return cloudProblem(options);
  const able = capabilitiesOf(model);
  if (!able.includes("completion")) return { status: 400, error: `"${name}" does not support chat` };
  const tools = body["tools"];
  if (Array.isArray(tools) && tools.length > 0 && !able.includes("tools"))
    return { status: 400, error: `${fullName(withTag(name))} does not support tools` };
  const think = body["think"];
  if (think !== undefined && think !== false && !able.includes("thinking"))
    return { status: 400, error: `"${name}" does not support thinking` };
  return optionProblem(body["options"]);
}

/** The request is decoded into typed fields first, so a wrong type is the decoder's complaint. */
function decodingProblem(body: Body): string | undefined {
  const { think, messages, keep_alive: keepAlive } = body;
  if (typeof think === "string" && !THINK_LEVELS.includes(think))
    return `invalid think value: "${think}" (must be "high", "medium", "low", "max", true, or false)`;
  // Seconds are a number; a text is read as a duration, which needs its unit (api/types.go, Go's time package).
  if (typeof keepAlive === "string" && !/^[+-]?((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))+$/.test(keepAlive))
    return `time: missing unit in duration "${keepAlive}"`;
  const list = Array.isArray(messages) ? messages : [];
  return list.map(messageProblem).find((problem) => problem !== undefined);
}

function messageProblem(message: Body): string | undefined {
  const { content, tool_calls: calls, images } = message;
  if (content !== undefined && typeof content !== "string")
    return "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string";
  for (const call of Array.isArray(calls) ? calls : []) {
    // Arguments are an object; the text of one is refused by the decoder.
    if (typeof call?.function?.arguments !== "object")
      return "Value looks like object, but can't find closing '}' symbol";
  }
  const isPlain = (image: unknown) => typeof image === "string" && !image.startsWith("data:");
  return Array.isArray(images) && !images.every(isPlain) ? "illegal base64 data at input byte 4" : undefined;
}

function optionProblem(options: unknown): Refusal | undefined {
  if (typeof options !== "object" || options === null) return undefined;
  for (const [key, value] of Object.entries(options)) {
    const type = NUMBERS[key];
    // An unknown key is ignored; a wrong type is an internal error (api/types.go).
    if (type === undefined || typeof value === "number") continue;
    return { status: 500, error: `option "${key}" must be of type ${type}` };
  }
  return undefined;
}

function cloudProblem({ cloud }: ServerOptions): Refusal {
  if (cloud === "disabled")
    return { status: 403, error: "ollama cloud is disabled: remote model is unavailable" };
  if (cloud === "signed_out") return { status: 401, error: "unauthorized" };
  return { status: 502, error: "dial tcp: lookup ollama.com: no such host" };
}
