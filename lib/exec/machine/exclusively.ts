// Accesses of 128 bits that must be whole: `atom` and strong `ld` and `st` of .b128. The host has nothing that does them in one
// step: where there are other threads, one at a time does them. They are whole among each other, which is what PTX asks for:
// operations of other sizes overlap them in part, are therefore not morally strong relative to them (PTX ISA 9.0 section 8.7),
// and where such race the memory model's axioms do not apply (section 8.7.2, mixed-size data races).

import type { Frame } from "../state/frame.js";
import { exclusiveWork } from "./shared-counters.js";

export function exclusively<T>({ warp }: Frame, work: () => T): T {
  const { sharedCounters } = warp.block.launch;
  return sharedCounters === undefined ? work() : exclusiveWork(sharedCounters, work);
}
