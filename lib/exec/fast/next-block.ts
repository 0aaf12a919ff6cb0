// Begins the next block after all threads of one have exited, in the same memory, registers and warps: as ../machine/block.ts
// does between blocks, without the host's objects, which are updated on demand (moveBlock there).

import type { CodeWriter } from "../../../formats/wasm/index.js";
import { HEADER_BYTES } from "../machine/frame-header.table.js";
import { CONTEXT, GROUP, WARP, WARP_BYTES } from "./context.table.js";
import { wordFunction } from "./word-function.js";

/** begin(context, warps, count): advances the context to the next block and resets memory, registers and the warps' records. */
export function nextBlockFunction(): CodeWriter {
  const { code, local, load, store, increase, add } = wordFunction(["context", "warps", "count"], ["warp", "end"], []);
  const { context, warps, count, warp, end } = local;
  const clear = (base: number, field: number): void => store(base, field, () => code.i32(0));

  for (const field of [CONTEXT.number, CONTEXT.ctaid]) increase(context, field, () => code.i32(1));
  // Carries from x to y to z.
  for (const component of [0, 4]) {
    load(context, CONTEXT.ctaid + component);
    load(context, CONTEXT.nctaid + component)
      .op("i32.eq")
      .if();
    clear(context, CONTEXT.ctaid + component);
    increase(context, CONTEXT.ctaid + component + 4, () => code.i32(1));
    code.op("end");
  }
  load(context, CONTEXT.sharedSize).if();
  load(context, CONTEXT.shared).i32(0);
  load(context, CONTEXT.sharedSize).fillMemory().op("end");
  for (const field of ["arrived", "hasOpened", "live"] as const) clear(context, CONTEXT[field]);
  increase(context, CONTEXT.epoch, () => code.i32(1));
  store(context, CONTEXT.blockEpoch, () => load(context, CONTEXT.epoch));
  store(context, CONTEXT.begun, () => load(context, CONTEXT.total));
  store(context, CONTEXT.quota, () => load(context, CONTEXT.slice));

  code.get(warps).tee(warp).get(count).i32(WARP_BYTES).op("i32.mul", "i32.add").set(end).loop();
  for (const field of [WARP.waits, WARP.issued, WARP.hasExited, WARP.groups + GROUP.pc, WARP.groups + GROUP.penalty])
    clear(warp, field);
  store(warp, WARP.groupCount, () => code.i32(1));
  store(warp, WARP.groups + GROUP.mask, () => load(warp, WARP.lanes));
  store(warp, WARP.groups + GROUP.frame, () => load(warp, WARP.words));
  increase(context, CONTEXT.live, () => load(warp, WARP.lanes).op("i32.popcnt"));
  load(warp, WARP.localStride).if();
  load(warp, WARP.local).i32(0);
  load(warp, WARP.localStride).i32(32).op("i32.mul").fillMemory().op("end");
  load(context, CONTEXT.imageBytes).if();
  load(warp, WARP.words).i32(HEADER_BYTES).op("i32.add");
  load(context, CONTEXT.image);
  load(context, CONTEXT.imageBytes).copyMemory().op("end");
  add(warp, WARP_BYTES);
  code.get(warp).get(end).op("i32.lt_u").brIf(0).op("end");
  return code;
}
