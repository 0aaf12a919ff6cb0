// alloca, stacksave and stackrestore: PTX ISA 9.0 section 9.7.17. Allocations of a call follow its frame's variables in each
// lane's local memory, and are released with the frame. The stack grows upwards here, so a stack pointer does not determine where
// it ends: the eight bytes below an allocation hold its end. As in PTX, the stack pointer is the last allocation's address.

import { typeOf } from "../../isa/opcode.js";
import { growLocal } from "../machine/block.js";
import type { Binder, Bound } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import { setLocalTop } from "../machine/frame.js";
import type { Frame, Place } from "../state/frame.js";
import { lanesIn } from "../machine/walk.js";
import { custom, type Meaning, type Meanings } from "./meaning.js";

/** Bytes below an allocation that hold its end, and the least alignment ("the minimum guaranteed"). */
const HEADER = 8;

/** The first byte after the frame's variables. */
const bottomOf = (frame: Frame): number => frame.localBase + frame.program.frameBytes;

const save: Meaning = custom((binder): Bound => {
  const d = binder.write(binder.operand(0), typeOf(binder.opcode)!.bits);
  const { pointer } = binder.scope.stack();
  return {
    lanes: (frame, mask) => {
      for (const lane of lanesIn(mask)) writeWord(frame, d, lane, bottomOf(frame) + frame.words[pointer.word + lane]!);
    },
  };
});

const restore: Meaning = custom((binder): Bound => {
  const a = binder.read(binder.operand(0), typeOf(binder.opcode)!.bits);
  const { pointer, top } = binder.scope.stack();
  return {
    lanes: (frame, mask) => {
      const bottom = bottomOf(frame);
      for (const lane of lanesIn(mask)) {
        const saved = readNumber(frame, a, lane);
        const end = saved === bottom ? bottom : endOf(frame, lane, saved);
        if (!(end >= saved && end <= bottom + frame.words[top.word + lane]!))
          throw new KernelFault(
            "trap",
            "stackrestore of a value that no stacksave of this call or its callers returned",
            {
              lane,
              address: saved,
            },
          );
        frame.words[pointer.word + lane] = saved - bottom;
        frame.words[top.word + lane] = end - bottom;
      }
    },
  };
});

/** The end of the allocation at that address; NaN if there is none. */
function endOf(frame: Frame, lane: number, address: number): number {
  const { local, localStride } = frame.warp;
  const inFrame = address > bottomOf(frame) && address <= frame.localTop && address % HEADER === 0;
  return inFrame ? local.getUint32(lane * localStride + address - HEADER, true) : NaN;
}

const allocate: Meaning = custom((binder): Bound => {
  const { bits } = typeOf(binder.opcode)!;
  const d = binder.write(binder.operand(0), bits);
  const size = binder.read(binder.operand(1), bits);
  const align = alignment(binder);
  const { pointer, top } = binder.scope.stack();
  return {
    lanes: (frame, mask) => {
      const { words, warp } = frame;
      const bottom = bottomOf(frame);
      for (const lane of lanesIn(mask)) {
        const start = Math.ceil((bottom + words[top.word + lane]! + HEADER) / align) * align;
        const end = start + readNumber(frame, size, lane);
        growLocal(warp, end, lane);
        setLocalTop(frame, Math.max(frame.localTop, Math.ceil(end / 16) * 16));
        warp.local.setUint32(lane * warp.localStride + start - HEADER, end, true);
        words[pointer.word + lane] = start - bottom;
        words[top.word + lane] = end - bottom;
        writeWord(frame, d, lane, start);
      }
    },
  };
});

function alignment(binder: Binder): number {
  const operand = binder.operand(2);
  return operand?.kind === "immediate" ? Math.max(HEADER, Number(operand.bits)) : HEADER;
}

function readNumber({ unsigned }: Frame, { word, stride }: Place, lane: number): number {
  const at = word + stride * lane;
  return unsigned[at]! + (stride === 2 ? unsigned[at + 1]! * 2 ** 32 : 0);
}

function writeWord({ words }: Frame, { word, stride }: Place, lane: number, value: number): void {
  words[word + stride * lane] = value;
  if (stride === 2) words[word + 2 * lane + 1] = 0;
}

export const stackMeanings: Meanings = {
  stacksave: () => save,
  stackrestore: () => restore,
  alloca: () => allocate,
};
