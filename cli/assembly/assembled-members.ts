// A cache of assembled archive members, by their offsets, because names in an archive may repeat. Separate from the code that
// opens them, because most links have none.

import type { Source } from "../../lib/ptx/source-text.js";
import type { Assembled } from "./assembler-batch.js";

/** Assembled sources, keyed by the memory that contains the source and by its offset and name there. */
export interface AssembledMembers {
  readonly get: (source: Source) => Assembled | undefined;
  readonly set: (source: Source, assembled: Assembled) => void;
  /** Drops the result. */
  readonly delete: (source: Source) => void;
}

export function createAssembledMembers(): AssembledMembers {
  const memories = new WeakMap<object, Map<string, Assembled>>();
  /** The bytes of a re-readable source are in different memory each time, so its reader is the key. */
  const memoryOf = (source: Source): object => source.reread ?? source.bytes.buffer;
  const keyOf = (source: Source): string =>
    source.reread === undefined ? `${source.bytes.byteOffset} ${source.name}` : source.name;
  return {
    get: (source) => memories.get(memoryOf(source))?.get(keyOf(source)),
    set(source, assembled) {
      const memory = memoryOf(source);
      const known = memories.get(memory) ?? new Map<string, Assembled>();
      memories.set(memory, known);
      known.set(keyOf(source), assembled);
    },
    delete: (source) => void memories.get(memoryOf(source))?.delete(keyOf(source)),
  };
}
