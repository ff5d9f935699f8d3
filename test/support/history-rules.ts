import { asObject, type Json, listIn, type Wire } from "./exec.ts";

/** What a strict model server would refuse about the history in a request; empty when it is in order. */
export function historyProblems(body: Json, wire: Wire): string[] {
  switch (wire) {
    case "responses":
      return responsesProblems(listIn(body, "input").map(asObject));
    case "chat":
      return chatProblems(listIn(body, "messages").map(asObject));
    case "messages":
      return messagesProblems(body, listIn(body, "messages").map(asObject));
  }
}

/** Every call has one result, after all calls of its answer and in their order. */
function responsesProblems(input: readonly Json[]): string[] {
  const problems: string[] = [];
  let open: string[] = [];
  for (const item of input) {
    const id = String(item["call_id"]);
    if (item["type"] === "function_call") open.push(id);
    else if (item["type"] === "function_call_output") {
      if (open[0] !== id) problems.push(`the result of ${id} stands where that of ${open[0]} is expected`);
      open = open.filter((one) => one !== id);
    } else if (item["role"] === "user" && open.length > 0) {
      problems.push(`no result for ${open.join(", ")}`);
      open = [];
    }
  }
  if (open.length > 0) problems.push(`no result for ${open.join(", ")}`);
  return problems;
}

/** One system message, first; the results of an answer's calls directly after it, in their order. */
function chatProblems(messages: readonly Json[]): string[] {
  const roles = messages.map((message) => String(message["role"]));
  const problems: string[] = [];
  if (roles.lastIndexOf("system") !== 0 || roles.includes("developer"))
    problems.push("not one system message");
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message["role"] === "tool") {
      const id = String(message["tool_call_id"]);
      if (open[0] !== id) problems.push(`the result of ${id} stands where that of ${open[0]} is expected`);
      open = open.filter((one) => one !== id);
      continue;
    }
    if (open.length > 0) problems.push(`no result for ${open.join(", ")}`);
    open = listIn(message, "tool_calls").map((call) => String(asObject(call)["id"]));
    if (message["role"] === "assistant" && roles[index - 1] === "assistant")
      problems.push("two answers in a row");
    if (message["role"] === "assistant" && open.length === 0 && !message["content"])
      problems.push("an empty answer");
  }
  if (open.length > 0) problems.push(`no result for ${open.join(", ")}`);
  return problems;
}

/** Roles take turns, the user begins; the results of an answer's calls open the next message, in their order. */
function messagesProblems(body: Json, messages: readonly Json[]): string[] {
  const problems: string[] = [];
  if (!("system" in body)) problems.push("no system text");
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const role = index % 2 === 0 ? "user" : "assistant";
    if (message["role"] !== role) problems.push(`message ${index} is not the ${role}'s`);
    const blocks = listIn(message, "content").map(asObject);
    const results = blocks.filter(({ type }) => type === "tool_result");
    const ids = results.map((block) => String(block["tool_use_id"]));
    if (ids.join() !== open.join()) problems.push(`results [${ids}] where [${open}] are expected`);
    if (blocks.slice(0, results.length).some(({ type }) => type !== "tool_result"))
      problems.push(`results of message ${index} are not its first blocks`);
    if (message["content"] === "" || (blocks.length === 0 && typeof message["content"] !== "string"))
      problems.push(`message ${index} is empty`);
    open = blocks.flatMap((block) => (block["type"] === "tool_use" ? [String(block["id"])] : []));
  }
  if (open.length > 0) problems.push(`no result for ${open.join(", ")}`);
  if (messages.at(-1)?.["role"] !== "user") problems.push("the last word is not the user's");
  return problems;
}
