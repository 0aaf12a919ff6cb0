// A function's record for generated code (context.table.ts, FUNCTION): records of its blocks, the initial contents of its
// registers, its free frames.

import type { Arena, ArenaBlock } from "../../load/arena.js";
import { HEADER, HEADER_BYTES } from "../machine/frame-header.table.js";
import type { Frame } from "../state/frame.js";
import { BLOCK, BLOCK_BYTES, FUNCTION, FUNCTION_BYTES } from "./context.table.js";
import { fillRecords } from "./records.js";
import type { Unit } from "./unit.js";

export interface KnownFunction {
  /** Addresses of the function's record and of its blocks' records. */
  readonly record: number;
  readonly blocks: number;
  setCode(block: number, number: number): void;
  /** Lets generated code make the call at the end of the block, by the record at `link`. */
  setLink(block: number, link: number): void;
  /** The initial contents of registers, without the header, if an instruction reads them; undefined if there is no room. */
  image(): { readonly offset: number; readonly size: number } | undefined;
  /** Takes a frame from the free list of generated code, if it has one. */
  takeSpare(): Frame | undefined;
}

const NO_IMAGE = { offset: 0, size: 0 } as const;

/** Undefined where the arena has no room. */
export function createFunction(arena: Arena, unit: Unit): KnownFunction | undefined {
  const { program, graph } = unit;
  const { blocks, blockAt } = graph;
  const records = arena.take(BLOCK_BYTES * (blocks.length + 1));
  const pcs = arena.take(4 * blockAt.length);
  const fn = arena.take(FUNCTION_BYTES);
  if (records === undefined || pcs === undefined || fn === undefined) return undefined;
  fillRecords(unit, records.view);
  blockAt.forEach((block, pc) => pcs.view.setInt32(4 * pc, block, true));
  const put = (field: number, value: number): void => fn.view.setInt32(field, value, true);
  put(FUNCTION.blocks, records.offset);
  put(FUNCTION.blockAt, pcs.offset);
  put(FUNCTION.frameBytes, program.frameBytes);
  let storage: ArenaBlock | undefined;
  return {
    record: fn.offset,
    blocks: records.offset,
    setCode: (block, number) => records.view.setInt32(BLOCK_BYTES * block + BLOCK.fn, number, true),
    setLink: (block, link) => records.view.setInt32(BLOCK_BYTES * block + BLOCK.link, link, true),
    image() {
      if (!program.needsImage) return NO_IMAGE;
      const { buffer, byteOffset, byteLength } = program.image;
      if (storage === undefined) {
        storage = arena.take(byteLength);
        storage?.bytes.set(new Uint8Array(buffer, byteOffset, byteLength));
      }
      if (storage === undefined) return undefined;
      const image = { offset: storage.offset + HEADER_BYTES, size: byteLength - HEADER_BYTES };
      put(FUNCTION.image, image.offset);
      put(FUNCTION.imageBytes, image.size);
      return image;
    },
    takeSpare() {
      const frame = program.frames.get(fn.view.getInt32(FUNCTION.pool, true));
      if (frame !== undefined) put(FUNCTION.pool, frame.words[HEADER.next >> 2]!);
      return frame;
    },
  };
}
