// Accesses of 128 bits that must be atomic as a whole: `atom` and strong `ld` and `st` of .b128. The host has no single operation
// for them: if there are other threads, a lock admits one at a time. They are atomic relative to each other, as PTX requires.
// Operations of other sizes overlap them in part and are therefore not morally strong relative to them (PTX ISA 9.0 section 8.7).
// If these race, the memory model's axioms do not apply (section 8.7.2, mixed-size data races).

import type { Frame } from "../state/frame.js";
import { exclusiveWork } from "./shared-counters.js";

export function exclusively<T>({ warp }: Frame, work: () => T): T {
  const { sharedCounters } = warp.block.launch;
  return sharedCounters === undefined ? work() : exclusiveWork(sharedCounters, work);
}
