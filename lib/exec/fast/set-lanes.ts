// Emits code for some of four lanes, one after the other.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";

/** Emits `emit` for each lane; at run time those run whose bit is set in `lanes`, the lowest first. */
export function forSetLanes(code: CodeWriter, lanes: Local, emit: (lane: number) => void): void {
  for (let lane = 0; lane < 4; lane++) {
    const bit = 1 << lane;
    code.get(lanes).i32(bit).op("i32.and").if();
    emit(lane);
    code.op("end");
  }
}
