// Allocation of tensor memory, and instructions that order its operations: PTX ISA 9.0 sections 9.7.16.7.1, 9.7.16.11 and
// 9.7.16.12. A warp that finds no free columns waits for some. With .cta_group::2, the first of two warps waits for that of the
// other block.

import { hasModifier, modifier } from "../../isa/opcode.js";
import { bindAddress } from "../operands/access.js";
import { arrive } from "../async/mbarrier.js";
import { signalAfterTensor } from "../async/pending.js";
import type { Binder, Bound } from "../operands/binder.js";
import type { Frame } from "../state/frame.js";
import type { Group } from "../state/warp.js";
import { everyLane } from "../machine/step.js";
import { allocate, blocksOf, deallocate, tensorMemoryOf, trap } from "../tensor/memory.js";
import { lanesIn } from "../machine/walk.js";
import { firstLane } from "../machine/warp.js";
import { locateBarrier, named, newSpot, placeOf, valueOf } from "./async-operands.js";
import { inBlock, ranksIn } from "./bulk-copy.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { nothing, spaceOfOpcode } from "./memory.js";
import { operandNamed } from "./mma.js";

const isPair = (binder: Binder): boolean => hasModifier(binder.opcode, "cta_group::2");

function checkCount(columns: number, lane: number): number {
  if (columns >= 32 && columns <= 512 && (columns & (columns - 1)) === 0) return columns;
  throw trap(`${columns} columns cannot be allocated: the number must be a power of two from 32 to 512`, lane);
}

/** Wakes warps that wait for columns, so that they try again. */
function wakeAllocators({ warp }: Frame): void {
  for (const { warps } of warp.block.cluster.blocks)
    for (const { groups } of warps)
      for (const group of groups)
        if (group.wait?.kind === "tensor-memory") {
          const { request } = group.frame.warp.block.tensorMemory ?? {};
          if (request === undefined) group.wait = undefined;
        }
}

const alloc: Meaning = custom((binder): Bound => {
  const space = hasModifier(binder.opcode, "shared::cta") ? "shared" : undefined;
  const target = bindAddress(binder, named(binder, "t"), space, 4, 4, true).locate;
  const count = valueOf(binder, named(binder, "columns"), 32);
  const pair = isPair(binder);
  const spot = newSpot();

  const finish = (group: Group, lane: number, column: number): void => {
    target(group.frame, lane, spot);
    spot.view.setUint32(spot.offset, column, true);
    group.pc++;
    group.wait = undefined;
  };
  const sleep = (group: Group, columns: number): false => {
    group.wait = { kind: "tensor-memory", columns };
    return false;
  };

  return {
    members: everyLane,
    memory: true,
    control: (warp, group, active) => {
      if (active === 0) {
        group.pc++;
        return true;
      }
      const lane = firstLane(active);
      const columns = checkCount(count(group.frame, lane), lane);
      const own = tensorMemoryOf(warp.block);
      if (!own.mayAllocate) throw trap("alloc after relinquish_alloc_permit in this block", lane);
      if (!pair) {
        const column = allocate([own], columns);
        if (column < 0) return sleep(group, columns);
        finish(group, lane, column);
        return true;
      }
      const blocks = blocksOf(warp.block, true, lane);
      const other = tensorMemoryOf(blocks[warp.block.rank & 1 ? 0 : 1]!);
      const request = other.request;
      if (request === undefined) {
        own.request ??= { columns, answer: (column) => finish(group, lane, column) };
        return sleep(group, columns);
      }
      if (request.columns !== columns)
        throw trap(`alloc of ${columns} columns, but the other block of the pair allocates ${request.columns}`, lane);
      const column = allocate([own, other], columns);
      if (column < 0) return sleep(group, columns);
      other.request = undefined;
      request.answer(column);
      finish(group, lane, column);
      return true;
    },
  };
});

const dealloc: Meaning = custom((binder): Bound => {
  const address = valueOf(binder, named(binder, "t"), 0);
  const count = valueOf(binder, named(binder, "columns"), 32);
  return {
    members: everyLane,
    memory: true,
    lanes: (frame, mask) => {
      const lane = firstLane(mask);
      const columns = checkCount(count(frame, lane), lane);
      deallocate(tensorMemoryOf(frame.warp.block), address(frame, lane), columns, lane);
      wakeAllocators(frame);
    },
  };
});

const relinquish: Meaning = custom(() => ({
  members: everyLane,
  lanes: ({ warp }) => {
    tensorMemoryOf(warp.block).mayAllocate = false;
  },
}));

/**
 * commit: arrives at the mbarrier when the thread's operations are complete; those that others issued earlier are complete then,
 * too.
 */
const commit: Reading = (opcode) =>
  custom((binder): Bound => {
    const locate = locateBarrier(binder, named(binder, "m"), spaceOfOpcode(opcode));
    const multicast = modifier(opcode, "multicast");
    const ranks = multicast === undefined ? undefined : valueOf(binder, operandNamed(binder, "mask"), 0);
    const most = multicast === "multicast::cluster::32b" ? -1 : 0xffff;
    return {
      memory: true,
      lanes: (frame, mask) => {
        for (const lane of lanesIn(mask)) {
          const at = placeOf(locate, frame, lane);
          const places =
            ranks === undefined
              ? [at]
              : ranksIn(frame, ranks(frame, lane) & most, lane).map((block) => inBlock(block, at));
          signalAfterTensor(frame, places, (barrier) => arrive(barrier, 1, false));
        }
      },
    };
  });

export const tcgen05AllocMeanings: Meanings = {
  "tcgen05.alloc": () => alloc,
  "tcgen05.dealloc": () => dealloc,
  "tcgen05.relinquish_alloc_permit": () => relinquish,
  "tcgen05.commit": commit,
  "tcgen05.fence": () => nothing,
};
