/**
 * One instruction of a classic BPF program. Jumps name labels; an instruction without its own `label` is reached from
 * the one above it.
 */
export type Instruction =
  | { op: "load"; offset: number; label?: string }
  | { op: "jump"; test: Test; value: number; yes?: string; no?: string; label?: string }
  | { op: "return"; value: number; label?: string };

/** `equal`: the loaded word is `value`; `at_least`: it is not below; `any_bit`: they share a bit. */
type Test = "equal" | "at_least" | "any_bit";

const LOAD_WORD = 0x20;
const RETURN = 0x06;
const JUMP: Record<Test, number> = { equal: 0x15, at_least: 0x35, any_bit: 0x45 };
const BYTES_PER_INSTRUCTION = 8;
const LONGEST_JUMP = 255;

/** The program as the kernel reads it: `u16 code, u8 jump if true, u8 jump if false, u32 value`, little-endian. */
export function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * BYTES_PER_INSTRUCTION);
  const view = new DataView(bytes.buffer);
  program.forEach((instruction, index) => {
    const at = index * BYTES_PER_INSTRUCTION;
    switch (instruction.op) {
      case "load":
        view.setUint16(at, LOAD_WORD, true);
        view.setUint32(at + 4, instruction.offset, true);
        return;
      case "return":
        view.setUint16(at, RETURN, true);
        view.setUint32(at + 4, instruction.value, true);
        return;
      case "jump":
        view.setUint16(at, JUMP[instruction.test], true);
        view.setUint8(at + 2, distance(program, index, instruction.yes));
        view.setUint8(at + 3, distance(program, index, instruction.no));
        view.setUint32(at + 4, instruction.value, true);
        return;
    }
  });
  return bytes;
}

/** Instructions to skip to reach the label; classic BPF only jumps forward. */
function distance(program: readonly Instruction[], from: number, label: string | undefined): number {
  if (label === undefined) return 0;
  const to = program.findIndex((instruction, index) => index > from && instruction.label === label);
  const steps = to - from - 1;
  if (to < 0 || steps > LONGEST_JUMP) throw new Error(`the filter can't jump from ${from} to "${label}"`);
  return steps;
}
