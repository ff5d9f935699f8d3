/**
 * The spellings under which a model may be known, most exact first, in lower case: hosts put a maker in front
 * (`qwen/…`, `us.anthropic.…`), a tag or a variant at the end (`…:free`, `…:30b`), name the form the weights were packed in
 * (`…-GGUF`, `…-fp8`), and write versions with other signs (`4-6` for `4.6`, `v3p1` for `v3.1`).
 */
export function spellingsOf(id: string): string[] {
  const whole = id.trim().toLowerCase();
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  const bare = name.replace(/^(?:[a-z][a-z-]*\.)+/, "");
  const untagged = bare.replace(/[:@].*$/, "");
  const unpacked = untagged.replace(PACKING, "");
  const found = [whole, name, bare, untagged, unpacked];
  const versions = [name, unpacked].flatMap((spelling) => [
    spelling.replace(/(\d)\.(?=\d)/g, "$1-"),
    spelling.replace(/(\d)p(?=\d)/g, "$1."),
  ]);
  return [...new Set([...found, ...versions])];
}

const PACKING =
  /(?:[-_.](?:gguf|ggml|mlx|awq|gptq|exl2|bnb|unsloth|fp4|fp8|nvfp4|mxfp4|bf16|fp16|int4|int8|[348]-?bit|i?q[2-8](?:_[0-9a-z]+)*))+$/;
