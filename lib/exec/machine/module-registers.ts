// Registers of the module, which functions of PTX before 3.0 share (PTX ISA 9.0 section 7.1.1: without the calling convention).
// While a function runs, each is a register of its frame like any other. Around calls and returns, its value is stored in the
// thread's local memory, where the linker has allocated bytes, and loaded from there. Rejected: keeping them only in memory
// (every instruction would have two kinds of operands), and one register file for all frames of a warp (the same, and every fast
// path of frames would need a second case).

import type { Code } from "../../isa/code.js";
import type { LoadedSlot } from "../../load/process.js";
import { bytesAt } from "./frame.js";
import type { Frame, Place, SharedPlace } from "../state/frame.js";
import { lanesIn } from "./walk.js";
import { localBytes } from "./warp.js";

const elements = ["x", "y", "z", "w"] as const;

/** Places, in the frame and in memory, of the module registers that a function uses. */
export function sharedPlaces(
  { moduleRegisters, registers }: Code,
  slots: readonly LoadedSlot[],
  placeOf: (register: number, element: string) => Place,
): readonly SharedPlace[] {
  return (moduleRegisters ?? []).flatMap(({ register, symbol }) => {
    const { type, vector } = registers[register]!;
    const bytes = Math.ceil(type.bits / 8);
    return elements
      .slice(0, vector)
      .map((element, i) => ({ place: placeOf(register, element), offset: slots[symbol]!.value + i * bytes, bytes }));
  });
}

/** Stores the values of those lanes in memory. */
export function saveShared(frame: Frame, mask: number): void {
  copyShared(frame, mask, (inFrame, inMemory) => inMemory.set(inFrame));
}

/** Loads the values of those lanes from memory. */
export function loadShared(frame: Frame, mask: number): void {
  copyShared(frame, mask, (inFrame, inMemory) => inFrame.set(inMemory));
}

function copyShared(frame: Frame, mask: number, copy: (inFrame: Uint8Array, inMemory: Uint8Array) => void): void {
  const { shared } = frame.program;
  if (shared.length === 0) return;
  for (const { place, offset, bytes } of shared) {
    const { word, stride } = place;
    for (const lane of lanesIn(mask)) {
      const inMemory = localBytes(frame.warp, lane, offset, bytes);
      if (stride > 0) {
        copy(bytesAt(frame, word + stride * lane, bytes), inMemory);
        continue;
      }
      // A predicate is its lane's bit of the word.
      const flag = Uint8Array.of((frame.words[word]! >>> lane) & 1);
      copy(flag, inMemory);
      frame.words[word] = (frame.words[word]! & ~(1 << lane)) | (flag[0]! << lane);
    }
  }
}
