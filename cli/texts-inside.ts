// What came of the texts in archives, which are known by where they stand, because a name may come twice. Apart from who opens
// them, because most links have none.

import type { Source } from "../lib/ptx/tree.js";
import type { Assembled } from "./assembler-batch.js";

/** What came of texts, by the memory that they stand in, and by place and name in it. */
export interface TextsInside {
  readonly get: (source: Source) => Assembled | undefined;
  readonly set: (source: Source, assembled: Assembled) => void;
  /** Lets go of it. */
  readonly delete: (source: Source) => void;
}

export function createTextsInside(): TextsInside {
  const memories = new WeakMap<object, Map<string, Assembled>>();
  /** Of a text that is read again, each time in other memory, what does so. */
  const memoryOf = (source: Source): object => source.again ?? source.bytes.buffer;
  const keyOf = (source: Source): string =>
    source.again === undefined ? `${source.bytes.byteOffset} ${source.name}` : source.name;
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
