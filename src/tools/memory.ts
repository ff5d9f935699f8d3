import type { MemoryKey, ToolMemory } from "./types.ts";

type Slot<T> = { key: MemoryKey<T>; value: T };

/** What a child agent has in common with its parent. */
export type SharedMemory = { of: ToolMemory; keys: readonly { readonly name: string }[] };

/** State of one session for its tools. A value is made when it is first asked for; a key is known by identity. */
export function createToolMemory(shared?: SharedMemory): ToolMemory {
  const slots: Slot<unknown>[] = [];
  return {
    get(key) {
      if (shared?.keys.includes(key)) return shared.of.get(key);
      for (const slot of slots) if (belongsTo(slot, key)) return slot.value;
      const value = key.init();
      slots.push({ key, value });
      return value;
    },
    async dispose() {
      const failures: unknown[] = [];
      for (let slot = slots.pop(); slot; slot = slots.pop()) {
        try {
          await slot.key.dispose?.(slot.value);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

function belongsTo<T>(slot: Slot<unknown>, key: MemoryKey<T>): slot is Slot<T> {
  return slot.key === key;
}
