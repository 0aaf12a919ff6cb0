// A pool of locals, which are used again after their release.

import type { CodeWriter, Local, ValueType } from "../../../formats/wasm/index.js";

export interface Pool {
  take(type: ValueType): Local;
  /** Makes all locals that were taken available again. */
  release(): void;
}

export function createPool(code: CodeWriter): Pool {
  const free = new Map<ValueType, Local[]>();
  const inUse: { readonly type: ValueType; readonly local: Local }[] = [];
  return {
    take(type) {
      const local = free.get(type)?.pop() ?? code.local(type);
      inUse.push({ type, local });
      return local;
    },
    release() {
      for (const { type, local } of inUse.splice(0)) {
        const others = free.get(type);
        if (others === undefined) free.set(type, [local]);
        else others.push(local);
      }
    },
  };
}
