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
  const memories = new WeakMap<ArrayBufferLike, Map<string, Assembled>>();
  const keyOf = ({ name, bytes }: Source): string => `${bytes.byteOffset} ${name}`;
  return {
    get: (source) => memories.get(source.bytes.buffer)?.get(keyOf(source)),
    set(source, assembled) {
      const { buffer } = source.bytes;
      const known = memories.get(buffer) ?? new Map<string, Assembled>();
      memories.set(buffer, known);
      known.set(keyOf(source), assembled);
    },
    delete: (source) => void memories.get(source.bytes.buffer)?.delete(keyOf(source)),
  };
}
