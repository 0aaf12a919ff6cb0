// Tensor copies, reductions and prefetches: PTX ISA 9.0 section 9.7.9.25.5. The tensor map is read when the copy is issued.

import { hasModifier } from "../../isa/opcode.js";
import type { Operand } from "../../isa/instruction.js";
import { bindAddress } from "../operands/access.js";
import { completeBytes } from "../async/mbarrier.js";
import { issueInGroup, issueWithSignal } from "../async/pending.js";
import { readTensorMapObject } from "../async/tensor-map.js";
import type { CopyMode, TensorRequest } from "../async/tensor-rows.js";
import { checkTile, loadTile, readTile, storeTile, type TensorTile, tensorTile } from "../async/tensor-tile.js";
import type { Binder, Bound } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import { TENSOR_MAP_BYTES } from "../../load/tensor-map.js";
import type { Frame } from "../state/frame.js";
import type { Spot } from "../state/warp.js";
import { lanesIn } from "../machine/walk.js";
import { locateBarrier, named, placeOf, valueOf } from "./async-operands.js";
import { operationOf } from "./atomic.js";
import { inBlock, ranksIn } from "./bulk-copy.js";
import { custom, type Meaning, type Meanings } from "./meaning.js";
import { reducerOf, type Reducer } from "./reduce-bytes.js";

/** Alignment of tiles in shared memory, and of tensor maps. */
const TILE_ALIGN = 128;
const MAP_ALIGN = 64;

const modes: Readonly<Record<string, CopyMode>> = {
  "tile::gather4": "rows",
  "tile::scatter4": "rows",
  im2col: "im2col",
  im2col_no_offs: "im2col",
  "im2col::w": "im2col::w",
  "im2col::w::128": "im2col::w::128",
};

/** Finds a lane's tile. */
function bindTile(binder: Binder, isStore: boolean): (frame: Frame, lane: number) => TensorTile {
  const locate = bindAddress(binder, named(binder, "t"), undefined, TENSOR_MAP_BYTES, MAP_ALIGN, false).locate;
  const coordinates = coordinatesOf(binder).map((element) => binder.read(element, 32));
  const offsets = binder.elements(named(binder, "i")).map((element) => valueOf(binder, element, 0));
  const mode = modes[binder.modifier("mode") ?? ""] ?? "tile";
  const { memory } = binder.process;
  return (frame, lane) => {
    const map = readTensorMapObject(placeOf(locate, frame, lane), lane);
    const request: TensorRequest = {
      mode,
      coordinates: coordinates.map(({ word, stride }) => frame.words[word + stride * lane]!),
      offsets: offsets.map((value) => value(frame, lane) & 0xffff),
    };
    return tensorTile(memory, map, request, isStore, lane);
  };
}

/** The coordinate registers, which follow the tensor map in its brackets. */
function coordinatesOf(binder: Binder): readonly Operand[] {
  const operand = named(binder, "t");
  return operand?.kind === "address" ? (operand.rest ?? []).flatMap((each) => binder.elements(each)) : [];
}

const load: Meaning = custom((binder): Bound => {
  const tileOf = bindTile(binder, false);
  const target = bindAddress(binder, named(binder, "d"), "shared", 1, TILE_ALIGN, true).locate;
  const barrier = locateBarrier(binder, named(binder, "m"), "shared");
  const ranks = hasModifier(binder.opcode, "multicast::cluster")
    ? valueOf(binder, named(binder, "mask"), 0)
    : undefined;
  return {
    memory: true,
    lanes: (frame, mask) => {
      for (const lane of lanesIn(mask)) {
        const tile = tileOf(frame, lane);
        const to = placeOf(target, frame, lane);
        const at = placeOf(barrier, frame, lane);
        const send = ({ view, offset }: Spot, signalled: Spot): void => {
          checkTile(tile, view, offset, lane);
          issueWithSignal(
            frame,
            signalled,
            () => loadTile(tile, view, offset),
            (state) => completeBytes(state, tile.bytes),
          );
        };
        if (ranks === undefined) send(to, at);
        else
          for (const block of ranksIn(frame, ranks(frame, lane) & 0xffff, lane))
            send(inBlock(block, to), inBlock(block, at));
      }
    },
  };
});

/** A store, or with an operation a reduction. */
const store = (op?: string): Meaning =>
  custom((binder): Bound => {
    const tileOf = bindTile(binder, true);
    const source = bindAddress(binder, named(binder, "a"), "shared", 1, TILE_ALIGN, false).locate;
    return {
      memory: true,
      lanes: (frame, mask) => {
        const isShared = frame.warp.block.launch.sharedCounters !== undefined;
        for (const lane of lanesIn(mask)) {
          const tile = tileOf(frame, lane);
          const { view, offset } = placeOf(source, frame, lane);
          checkTile(tile, view, offset, lane);
          const reduce = op === undefined ? undefined : tensorReducer(op, tile, lane);
          let held: Uint8Array | undefined;
          const read = (): Uint8Array => (held ??= readTile(tile, view, offset));
          issueInGroup(frame, "bulk", 1 << lane, {
            read,
            complete: () =>
              storeTile(tile, read(), (into, bytes) => {
                if (reduce === undefined) into.set(bytes);
                else reduce(into, bytes, isShared);
              }),
          });
        }
      },
    };
  });

function tensorReducer(op: string, { map: { type } }: TensorTile, lane: number): Reducer {
  const reduce = type.reduced === undefined ? undefined : reducerOf(op, type.reduced);
  if (reduce !== undefined) return reduce;
  throw new KernelFault("trap", `tensor reduction: .${op} is not supported for elements of ${type.name}`, { lane });
}

/** A prefetch has no visible effect; coordinates trap as a load's do. */
const prefetch: Meaning = custom((binder): Bound => {
  const tileOf = bindTile(binder, false);
  return {
    memory: true,
    lanes: (frame, mask) => {
      for (const lane of lanesIn(mask)) tileOf(frame, lane);
    },
  };
});

export const tensorCopyMeanings: Meanings = {
  "cp.async.bulk.tensor.load": () => load,
  "cp.async.bulk.tensor.store": () => store(),
  "cp.reduce.async.bulk.tensor": (opcode) => store(operationOf(opcode)!),
  "cp.async.bulk.prefetch.tensor": () => prefetch,
};
