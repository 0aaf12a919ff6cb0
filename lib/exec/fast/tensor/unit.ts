// The tensor unit of a fast engine: an instance of generated code with scratch memory in the arena, behind the interface that
// meanings use (exec/tensor/quick.ts). It refuses what it does not support; the reference meaning then executes it.

import { encodeModule } from "../../../../formats/wasm/index.js";
import { webAssembly } from "../../../base/web-assembly.js";
import type { Arena } from "../../../load/arena.js";
import type { TensorUnit, TileOperands } from "../../state/step.js";
import { CORE } from "../../tensor/cores.table.js";
import { MEMORY_IMPORT } from "../driver.js";
import { decodeFunction, type HalfType, turnFunction } from "./decode.js";
import { SCRATCH, SCRATCH_BYTES, SLOT_BYTES, SLOTS } from "./layout.table.js";
import { decodeBFunction, gatherFunction, prepareFunction, tileFunction } from "./tile.js";
import { rowFunction } from "./row.js";

const TYPES: readonly HalfType[] = ["f16", "bf16"];

/** Numbers of the functions: three for all types, then PER_TYPE for each type. */
const TURN = 0;
const ROW = 1;
const GATHER = 2;
const FIRST_OF_TYPE = 3;
const PER_TYPE = 4;

/** The slot of a key, one of 2^7. Multiplying by the golden ratio of 2^32 separates neighbouring keys. */
const slotOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> (32 - Math.log2(SLOTS));

function moduleOf(isRelaxed: boolean): Uint8Array {
  const exports: Record<string, number> = { gather: GATHER };
  const row = rowFunction({ alignmentBits: CORE.half.alignmentBits, isRelaxed });
  const functions = [turnFunction(), row, gatherFunction()];
  TYPES.forEach((type, i) => {
    const decode = FIRST_OF_TYPE + PER_TYPE * i;
    const calls = { decode, turn: TURN, row: ROW, decodeB: decode + 2, type: i };
    functions.push(decodeFunction(type), prepareFunction(calls), decodeBFunction(calls), tileFunction(calls));
    exports[`prepare.${type}`] = decode + 1;
    exports[`tile.${type}`] = decode + 3;
  });
  return encodeModule({ imports: [MEMORY_IMPORT], functions, exports });
}

/** Undefined where the arena has no room. */
export function createTensorUnit(arena: Arena): TensorUnit | undefined {
  const host = webAssembly!;
  const storage = arena.take(SCRATCH_BYTES);
  if (storage === undefined) return undefined;
  const relaxed = moduleOf(true);
  const bytes = host.validate(relaxed) ? relaxed : moduleOf(false);
  const { exports } = new host.Instance(new host.Module(bytes), { host: { memory: arena.memory } });
  const base = storage.offset;
  const packed = new Int32Array(storage.bytes.buffer, storage.bytes.byteOffset, SCRATCH_BYTES / 4);
  const slot = (key: number): number => base + SCRATCH.slots + SLOT_BYTES * slotOf(key);
  // Looking up exports by name is slow.
  const units = new Map(
    TYPES.map((type) => {
      const [prepare, tile] = [exports[`prepare.${type}`]!, exports[`tile.${type}`]!];
      return [
        type as string,
        {
          prepare: (a: readonly number[], blocks: 1 | 2): boolean =>
            prepare(base, a[0]!, a[1]!, a[2] ?? 0, a[3] ?? 0, blocks) === 0,
          tile: ({ b, key, c, d, blocks }: TileOperands): boolean =>
            tile(base, slot(key), b[0]!, b[1] ?? 0, blocks, c[0]!, c[1]!, c[2]!, c[3]!, d[0]!, d[1]!, d[2]!, d[3]!) ===
            0,
        },
      ];
    }),
  );
  return {
    prepareOf: (type) => units.get(type)?.prepare,
    tileOf: (type) => units.get(type)?.tile,
    gather: exports["gather"] as TensorUnit["gather"],
    zeros: base + SCRATCH.zeros,
    packed,
    packedA: SCRATCH.packedA,
    packedB: SCRATCH.packedB,
    base,
  };
}
