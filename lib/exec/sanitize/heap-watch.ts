// Watches blocks of the device heap: wrong calls of malloc and free, and blocks that are never freed.

import type { Frame } from "../state/frame.js";
import type { Warp } from "../state/warp.js";
import { callPc, type LaunchContext, partyAt, report } from "./context.js";
import type { Finding } from "./finding.js";
import { addHeapBlock, heapBlockAt, liveHeapBlocks, type Objects } from "./objects.js";
import { undefineRegion } from "./values.js";

/** By address of the block: the finding if it is never freed. */
export type Allocations = Map<number, Omit<Finding, "count">>;

export function heapAllocated(
  context: LaunchContext,
  allocations: Allocations,
  warp: Warp,
  frame: Frame,
  lane: number,
  address: number,
  size: number,
): void {
  const { objects, values, launch } = context;
  if (address === 0) return;
  addHeapBlock(objects, address, size);
  const region = launch.process.memory.find(address, Math.min(1, size));
  if (region !== undefined) undefineRegion(values, region);
  const pc = callPc(warp, frame);
  allocations.set(address, {
    kind: "leak",
    space: "global",
    message: "",
    kernel: launch.kernel.name,
    ...partyAt(context, warp, lane, context.sites.of(frame.program.fn, pc), undefined),
    remedy: "free the block after its last use",
  });
}

export function heapFreed(context: LaunchContext, warp: Warp, frame: Frame, lane: number, address: number): void {
  if (address === 0) return;
  const object = heapBlockAt(context.objects, address);
  if (object === undefined) return;
  const pc = callPc(warp, frame);
  if (object.dead === 0 && object.base === address) {
    object.dead = -1;
    return;
  }
  report(
    context,
    { warp, frame, pc, lane },
    () => ({
      kind: object.dead === 0 ? "out-of-bounds" : "double-free",
      space: "global",
      message:
        object.dead === 0
          ? `free of an address ${address - object.base} bytes after the start of a block of the device heap (${object.size} bytes)`
          : `a block of the device heap (${object.size} bytes) is freed again`,
      remedy: object.dead === 0 ? "free the address that malloc returned" : "free each block once, by one thread",
      address,
      bytes: object.size,
    }),
    "free",
  );
}

/** Blocks that are never freed, by the call that allocated them. */
export function findLeaks(objects: Objects, allocations: Allocations): readonly Finding[] {
  const bySite = new Map<string, { finding: Omit<Finding, "count">; count: number; bytes: number }>();
  for (const { base, size } of liveHeapBlocks(objects)) {
    const finding = allocations.get(base);
    if (finding === undefined) continue;
    const key = `${finding.ptx.file}:${finding.ptx.line}:${finding.ptx.instruction}`;
    const known = bySite.get(key);
    if (known === undefined) bySite.set(key, { finding, count: 1, bytes: size });
    else {
      known.count++;
      known.bytes += size;
    }
  }
  return [...bySite.values()].map(({ finding, count, bytes }) => ({
    ...finding,
    message: `${count === 1 ? "a block" : `${count} blocks`} of the device heap (${bytes} bytes) ${count === 1 ? "is" : "are"} never freed`,
    bytes,
    count,
  }));
}
