export type FilterInput = { call: number; architecture: number; args: readonly number[] };

/** What the kernel would answer: interprets the five instructions that our filters are made of. */
export function runFilter(program: Uint8Array, { call, architecture, args }: FilterInput): number {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const input = new DataView(new ArrayBuffer(64));
  input.setUint32(0, call, true);
  input.setUint32(4, architecture, true);
  args.forEach((value, index) => {
    input.setUint32(16 + 8 * index, value, true);
  });
  let loaded = 0;
  for (let at = 0; at < program.length; at += 8) {
    const code = view.getUint16(at, true);
    const value = view.getUint32(at + 4, true);
    if (code === 0x06) return value;
    if (code === 0x20) {
      loaded = input.getUint32(value, true);
      continue;
    }
    at += 8 * view.getUint8(at + (holds(code, loaded, value) ? 2 : 3));
  }
  throw new Error("the filter ended without an answer");
}

function holds(code: number, loaded: number, value: number): boolean {
  if (code === 0x15) return loaded === value;
  if (code === 0x35) return loaded >= value;
  if (code === 0x45) return (loaded & value) !== 0;
  throw new Error(`unknown instruction ${code}`);
}
