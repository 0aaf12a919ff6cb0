// Helpers for meanings of asynchronous instructions: operands by name, values by lane, places that outlive the instruction.

import type { Operand } from "../../isa/instruction.js";
import type { Locate } from "../operands/access-loop.js";
import { bindAddress, hex } from "../operands/access.js";
import type { Binder } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import type { Frame } from "../state/frame.js";
import type { AccessedSpace } from "../state/observer.js";
import type { Spot } from "../state/warp.js";

const NO_BYTES = new DataView(new ArrayBuffer(0));

export const newSpot = (): Spot => ({ view: NO_BYTES, offset: 0 });

/** The operand of that name in the form; undefined if there is none, or it is omitted. */
export function named(binder: Binder, name: string): Operand | undefined {
  const index = binder.opcode.form.operands.findIndex((spec) => spec.name === name);
  return index < 0 ? undefined : binder.operand(index);
}

/** An operand's value in a lane, unsigned and of at most 32 bits; the fallback without an operand. */
export function valueOf(
  binder: Binder,
  operand: Operand | undefined,
  fallback: number,
): (frame: Frame, lane: number) => number {
  if (operand === undefined) return () => fallback;
  const { word, stride } = binder.read(operand, 32);
  return (frame, lane) => frame.unsigned[word + stride * lane]!;
}

/** The value of a constant operand; the fallback for any other. */
export const constantOf = (operand: Operand | undefined, fallback: number): number =>
  operand?.kind === "immediate" ? Number(operand.bits) : fallback;

export function locateBarrier(binder: Binder, operand: Operand | undefined, space: AccessedSpace | undefined): Locate {
  return bindAddress(binder, operand, space, 8, 8, true).locate;
}

/** The place that a locator finds for a lane, as an object of its own. */
export function placeOf(locate: Locate, frame: Frame, lane: number): Spot {
  const spot = newSpot();
  locate(frame, lane, spot);
  return spot;
}

/** `size` bytes from a place on; throws if its memory ends before. */
export function bytesAt({ view, offset }: Spot, size: number, lane: number): Uint8Array {
  if (offset < 0 || offset + size > view.byteLength)
    throw new KernelFault(
      "illegal-address",
      `a copy of ${size} bytes at ${hex(offset)} extends past the ${view.byteLength} bytes of its memory`,
      { lane },
    );
  return new Uint8Array(view.buffer, view.byteOffset + offset, size);
}
