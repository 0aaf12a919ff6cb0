// References to memory: a generic address, with the block, warp and lane whose shared or local memory is meant. Clients only send
// them back.

import type { MemoryContext } from "../../lib/debug/memory.js";
import { contextOf } from "../../lib/debug/view.js";
import { RequestError, stoppedIn } from "./request.js";
import type { State } from "./state.js";

export function memoryReference(address: number, context: MemoryContext | undefined): string {
  const { block, warp, lane } = context ?? {};
  const whose = block === undefined || warp === undefined ? "" : `#${block.index}.${warp.index}.${lane ?? 0}`;
  return `0x${address.toString(16)}${whose}`;
}

export function readReference(
  state: State,
  reference: string,
): { readonly address: number; readonly context: MemoryContext } {
  const { process, threads, stop } = stoppedIn(state);
  const [, digits, block, warp, lane] = /^(0x[0-9a-f]{1,13}|\d{1,16})(?:#(\d+)\.(\d+)\.(\d+))?$/i.exec(reference) ?? [];
  if (digits === undefined) throw new RequestError(`'${reference}' is not an address`);
  const view =
    block === undefined
      ? stop
      : [...threads.values()].find(
          (each) => each.warp.block.index === Number(block) && each.warp.index === Number(warp),
        );
  if (view === undefined) throw new RequestError("the block whose memory it is has ended");
  return { address: Number(digits), context: contextOf(process, view.warp, Number(lane ?? stop.lane)) };
}
