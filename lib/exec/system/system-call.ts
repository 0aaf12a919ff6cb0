// One call of a system function, and its results as bytes.

import type { Frame } from "../state/frame.js";
import type { Warp } from "../state/warp.js";

export interface SystemCall {
  readonly warp: Warp;
  /** The caller's frame. */
  readonly frame: Frame;
  readonly mask: number;
  /** Arguments by lane, as unsigned integers. */
  readonly arguments: readonly ((lane: number) => number)[];
  /** Arguments as bytes, for those that are more than a number. */
  readonly argumentBytes: readonly ((lane: number) => Uint8Array)[];
  /** Writes the result, little-endian. */
  readonly result: (lane: number, bytes: Uint8Array) => void;
}

export function littleEndian(value: number, bytes: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 8) view.setBigUint64(0, BigInt(value), true);
  else view.setInt32(0, value, true);
  return new Uint8Array(view.buffer);
}
