import type { MessageLayout } from "../model/types.ts";
import type { WireApi } from "../protocol/items.ts";
import type { HarnessFile, HarnessTool } from "./schema.ts";

/** A harness that is whole: what is said first, which tools are shown, how the conversation is laid out. */
export type Harness = {
  id: string;
  wires: readonly WireApi[];
  prompt: { system: string; setup: readonly { role: "user" | "assistant"; text: string }[] };
  layout: MessageLayout;
  /** Strings in them are templates. A `null` header is not sent. */
  request: { body: Readonly<Record<string, unknown>>; headers: Readonly<Record<string, string | null>> };
  compaction?: { prompt: string };
  tools: readonly HarnessTool[];
};

/** `file` over `base`: tables are merged, lists replaced, tools merged by their names. */
export function extendFile(base: HarnessFile, file: HarnessFile): HarnessFile {
  const dropped = new Set(file.dropTools ?? []);
  const replaced = new Set(file.tools?.map(({ name }) => name));
  const kept = (base.tools ?? []).filter(({ name }) => !dropped.has(name) && !replaced.has(name));
  return {
    id: file.id,
    wires: file.wires ?? base.wires,
    prompt: { ...base.prompt, ...file.prompt },
    layout: { ...base.layout, ...file.layout },
    request: {
      body: { ...base.request?.body, ...file.request?.body },
      headers: { ...base.request?.headers, ...file.request?.headers },
    },
    compaction: file.compaction ?? base.compaction,
    tools: [...kept, ...(file.tools ?? [])],
  };
}

/** The name of what is missing, when the file can't stand for itself. */
export function missingPart(file: HarnessFile): string | undefined {
  if (file.wires === undefined) return "wires";
  if (file.prompt?.system === undefined) return "prompt.system";
  return file.tools === undefined ? "tools" : undefined;
}

export function complete(file: HarnessFile): Harness {
  return {
    id: file.id,
    wires: file.wires ?? [],
    prompt: { system: file.prompt?.system ?? "", setup: file.prompt?.setup ?? [] },
    layout: file.layout ?? {},
    request: { body: file.request?.body ?? {}, headers: file.request?.headers ?? {} },
    compaction: file.compaction,
    tools: file.tools ?? [],
  };
}
