// Short pointers (`p3:32:32` in a data layout whose generic pointers have 64 bits; Triton uses them): 32 bits in memory and as
// integers. A register holds them as a 64-bit address whose upper half is zero.

import type { Type } from "../ir/type.js";
import { resize } from "../lower/integer.js";
import type { Scalar } from "./machine.js";
import type { Selection } from "./selection.js";

export const isShort = ({ layout }: Selection, type: Type): boolean =>
  type.kind === "pointer" && layout.bitsIn(type.space) < layout.pointerBits;

/** The 32 bits of a short pointer. */
export const shortBits = ({ emit, layout }: Selection, value: Scalar): Scalar =>
  resize(emit, value, layout.pointerBits, 32, false);

/** The short pointer of 32 bits. */
export const ofShortBits = ({ emit, layout }: Selection, value: Scalar): Scalar =>
  resize(emit, value, 32, layout.pointerBits, false);

/** A pointer with a zero upper half, whatever an addition left there. */
export const wholeAddress = (selection: Selection, value: Scalar, type: Type): Scalar =>
  isShort(selection, type) && !(value.kind === "register" && value.zero <= 32)
    ? ofShortBits(selection, shortBits(selection, value))
    : value;
