// Copies and reductions of many bytes by one instruction, and the stores that signal an mbarrier: PTX ISA 9.0 sections
// 9.7.9.25.4, 9.7.9.12 and 9.7.13.7. Limits are an H200's (records of bulk copies): addresses are multiples of 16. A size that is
// not one is rounded down, and the remaining bytes that the barrier expects never arrive.

import { hasModifier, typeOf } from "../../isa/opcode.js";
import type { Locate } from "../operands/access-loop.js";
import { bindAddress } from "../operands/access.js";
import { completeBytes } from "../async/mbarrier.js";
import { issueInGroup, issueWithSignal } from "../async/pending.js";
import type { Binder, Bound } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import type { Block } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { AccessedSpace } from "../state/observer.js";
import type { Spot } from "../state/warp.js";
import { lanesIn } from "../machine/walk.js";
import { bytesAt, locateBarrier, named, placeOf, valueOf } from "./async-operands.js";
import { operationOf } from "./atomic.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { nothing } from "./memory.js";
import { reducerOf, type Reducer } from "./reduce-bytes.js";

/** The blocks of a cluster that a mask of ranks names. */
export function ranksIn(frame: Frame, ranks: number, lane: number): readonly Block[] {
  const { blocks } = frame.warp.block.cluster;
  return lanesIn(ranks).map((rank) => {
    const block = blocks[rank];
    if (block !== undefined) return block;
    throw new KernelFault("trap", `multicast to rank ${rank}, but the cluster has ${blocks.length} blocks`, { lane });
  });
}

/** The same offset in the shared memory of another block. */
export const inBlock = ({ shared }: Block, { offset }: Spot): Spot => ({ view: shared, offset });

/** Copies or combines bytes. If other host threads run blocks, elements of global memory are combined atomically. */
function moveBytes(frame: Frame, from: Uint8Array, to: Uint8Array, reduce: Reducer | undefined): void {
  if (reduce === undefined) to.set(from);
  else reduce(to, from, frame.warp.block.launch.sharedCounters !== undefined);
}

interface Bulk {
  readonly target: AccessedSpace;
  readonly source: AccessedSpace;
  /** With .ignore_oob: bytes at either end that may lie outside their allocation, and are not copied. */
  readonly ignores?: boolean;
  readonly reduce?: Reducer | undefined;
}

/** Bytes that .ignore_oob leaves out at one end. */
function ignoredAt(binder: Binder, end: "left" | "right") {
  const count = valueOf(binder, named(binder, end), 0);
  return (frame: Frame, lane: number): number => {
    const bytes = count(frame, lane);
    if (bytes > 15) throw new KernelFault("trap", `.ignore_oob of ${bytes} bytes: the limit is 15`, { lane });
    return bytes;
  };
}

/** Finds the source, destination and size of a lane's bulk copy. */
function bindBulk(binder: Binder, { target, source, ignores = false }: Bulk) {
  const to = bindAddress(binder, named(binder, "d"), target, 16, 16, true).locate;
  // Allocations begin at multiples of 16, so ignored bytes can be out of bounds only after an allocation's end.
  const from = bindAddress(binder, named(binder, "a"), source, ignores ? 1 : 16, 16, false).locate;
  const size = valueOf(binder, named(binder, "size"), 0);
  const [left, right] = [ignoredAt(binder, "left"), ignoredAt(binder, "right")];
  return (frame: Frame, lane: number) => {
    const asked = size(frame, lane);
    const bytes = asked - (asked % 16);
    if (bytes === 0) return undefined;
    const skipped = left(frame, lane);
    const moved = Math.max(0, bytes - skipped - right(frame, lane));
    // An observer keeps the place that was located last: it is the one in global memory.
    const near = placeOf(target === "global" ? from : to, frame, lane);
    const far = placeOf(target === "global" ? to : from, frame, lane);
    return { bytes, skipped, moved, ...(target === "global" ? { to: far, from: near } : { to: near, from: far }) };
  };
}

/** Whether a modifier is a multicast one; its mask of blocks has 16 bits, or 32 with ::32b. */
const isMulticast = (text: string | undefined): boolean => text?.startsWith("multicast::cluster") === true;

/** Completes an observer's access: it received the addresses when they were located; the number of bytes is known here. */
function watchBulk({ warp: { block } }: Frame, bytes: number, barrier: number): void {
  if (block.observer === undefined) return;
  block.launch.access.bytes = bytes;
  block.launch.access.barrier = barrier;
}

/** Bulk copies to shared memory signal their bytes at [m]; with multicast, at the same offset of each block. */
function bulkToShared(bulk: Bulk): Reading {
  return (opcode) =>
    custom((binder): Bound => {
      const copyOf = bindBulk(binder, bulk);
      const barrier = locateBarrier(binder, named(binder, "m"), "shared");
      const ranks = opcode.chosen.some(isMulticast) ? valueOf(binder, named(binder, "mask"), 0) : undefined;
      return {
        memory: true,
        lanes: (frame, mask) => {
          for (const lane of lanesIn(mask)) {
            const at = placeOf(barrier, frame, lane);
            const copy = copyOf(frame, lane);
            if (copy === undefined) continue;
            const { skipped, moved } = copy;
            watchBulk(frame, copy.bytes, at.offset);
            const source = bytesAt({ view: copy.from.view, offset: copy.from.offset + skipped }, moved, lane);
            const send = (target: Spot, signalled: Spot): void => {
              const bytes = bytesAt(target, copy.bytes, lane).subarray(skipped, skipped + moved);
              issueWithSignal(
                frame,
                signalled,
                () => moveBytes(frame, source, bytes, bulk.reduce),
                (state) => completeBytes(state, copy.bytes),
              );
            };
            if (ranks === undefined) send(copy.to, at);
            else
              for (const block of ranksIn(frame, ranks(frame, lane) & 0xffff, lane))
                send(inBlock(block, copy.to), inBlock(block, at));
          }
        },
      };
    });
}

/**
 * Bulk copies to global memory complete with the thread's bulk group. With .cp_mask, bit i of `bytes` copies byte i of every 16.
 */
function bulkToGlobal(reduce?: Reducer): Reading {
  return (opcode) =>
    custom((binder): Bound => {
      const copyOf = bindBulk(binder, { target: "global", source: "shared" });
      const picked = hasModifier(opcode, "cp_mask") ? valueOf(binder, named(binder, "bytes"), 0xffff) : undefined;
      return {
        memory: true,
        lanes: (frame, mask) => {
          for (const lane of lanesIn(mask)) {
            const copy = copyOf(frame, lane);
            if (copy === undefined) continue;
            const source = bytesAt(copy.from, copy.bytes, lane);
            const target = bytesAt(copy.to, copy.bytes, lane);
            watchBulk(frame, copy.bytes, -1);
            const pick = picked === undefined ? undefined : picked(frame, lane);
            issueInGroup(
              frame,
              "bulk",
              1 << lane,
              toMemory(source, (bytes) => {
                if (pick === undefined) moveBytes(frame, bytes, target, reduce);
                else for (let i = 0; i < bytes.length; i++) if (((pick >>> (i & 15)) & 1) !== 0) target[i] = bytes[i]!;
              }),
            );
          }
        },
      };
    });
}

/** An operation that may write later than it reads its source. */
function toMemory(source: Uint8Array, write: (bytes: Uint8Array) => void) {
  let held: Uint8Array | undefined;
  return {
    read: () => void (held ??= source.slice()),
    complete: () => write(held ?? source),
  };
}

const reducing =
  (to: (reduce: Reducer) => Reading): Reading =>
  (opcode) => {
    const reduce = reducerOf(operationOf(opcode)!, typeOf(opcode)!.name);
    return reduce && to(reduce)(opcode);
  };

// --------------------------------------------------------------------------------------------------- st.async, red.async

/** st.async and red.async to shared memory store a register's bytes and signal them at [m]. */
function storeWithSignal(reduce?: Reducer): Reading {
  return (opcode) =>
    custom((binder): Bound => {
      const { bits } = typeOf(opcode)!;
      const elements = binder.elements(named(binder, "b")).map((element) => binder.read(element, bits));
      const size = (bits / 8) * elements.length;
      const target = bindAddress(binder, named(binder, "a"), "shared", size, size, true).locate;
      const barrier = locateBarrier(binder, named(binder, "m"), "shared");
      return {
        memory: true,
        lanes: (frame, mask) => {
          for (const lane of lanesIn(mask)) {
            const bytes = bytesAt(placeOf(target, frame, lane), size, lane);
            const at = placeOf(barrier, frame, lane);
            const words = elements.flatMap(({ word, stride }) =>
              Array.from({ length: bits / 32 }, (_, i) => frame.words[word + stride * lane + i]!),
            );
            const value = new Uint8Array(Int32Array.from(words).buffer);
            issueWithSignal(
              frame,
              at,
              () => moveBytes(frame, value, bytes, reduce),
              (state) => completeBytes(state, size),
            );
          }
        },
      };
    });
}

/** st.async.release and red.async.release signal nothing: other threads poll the value itself, so it is stored at once. */
function storeReleased(reduce?: Reducer): Reading {
  return (opcode) =>
    custom((binder): Bound => {
      const { bits } = typeOf(opcode)!;
      const size = bits / 8;
      const { word, stride } = binder.read(named(binder, "b"), bits);
      const locate: Locate = bindAddress(binder, named(binder, "a"), "global", size, size, true).locate;
      return {
        memory: true,
        lanes: (frame, mask) => {
          for (const lane of lanesIn(mask)) {
            const start = 4 * (word + stride * lane);
            const value = new Uint8Array(frame.words.buffer, frame.words.byteOffset + start, size);
            moveBytes(frame, value, bytesAt(placeOf(locate, frame, lane), size, lane), reduce);
          }
        },
      };
    });
}

/** st.bulk stores zeros in the block's own shared memory. */
const zeros: Meaning = custom((binder): Bound => {
  const size = binder.read(named(binder, "size"), binder.opcode.form.id === "st.bulk.narrow" ? 32 : 64);
  const locate = bindAddress(
    binder,
    named(binder, "a"),
    hasModifier(binder.opcode, "shared::cta") ? "shared" : undefined,
    1,
    8,
    true,
  ).locate;
  return {
    memory: true,
    lanes: (frame, mask) => {
      for (const lane of lanesIn(mask)) {
        const bytes = frame.unsigned[size.word + size.stride * lane]!;
        if (bytes > 0) bytesAt(placeOf(locate, frame, lane), bytes, lane).fill(0);
      }
    },
  };
});

const load = bulkToShared({ target: "shared", source: "global" });
const share = bulkToShared({ target: "shared", source: "shared" });
const store = bulkToGlobal();

/** Strong copies need no further order: each moves its bytes at one time. A multimem address is that of the memory itself. */
export const bulkCopyMeanings: Meanings = {
  "cp.async.bulk.load": load,
  "cp.async.bulk.load.strong": load,
  "cp.async.bulk.load.ignore": bulkToShared({ target: "shared", source: "global", ignores: true }),
  "cp.async.bulk.share": share,
  "cp.async.bulk.share.strong": share,
  "cp.async.bulk.store": store,
  "cp.async.bulk.store.strong": store,
  "multimem.cp.async.bulk": store,
  "multimem.cp.async.bulk.strong": store,
  "multimem.cp.reduce.async.bulk": reducing(bulkToGlobal),
  "multimem.cp.reduce.async.bulk.noftz": reducing(bulkToGlobal),
  "multimem.st.async": storeReleased(),
  "multimem.red.async": reducing(storeReleased),
  "cp.reduce.async.bulk.share": reducing((reduce) => bulkToShared({ target: "shared", source: "shared", reduce })),
  "cp.reduce.async.bulk.store": reducing(bulkToGlobal),
  "cp.reduce.async.bulk.store.noftz": reducing(bulkToGlobal),
  "cp.async.bulk.prefetch": () => nothing,
  "st.async": storeWithSignal(),
  "st.async.release": storeReleased(),
  "st.bulk": () => zeros,
  "st.bulk.narrow": () => zeros,
  "red.async": reducing(storeWithSignal),
  "red.async.release": reducing(storeReleased),
};
