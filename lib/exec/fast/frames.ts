// Frames that generated code has created for calls: the host's objects for them are updated on demand.

import { HEADER } from "../machine/frame-header.table.js";
import type { Frame } from "../state/frame.js";
import type { Linkage } from "../state/generated-code.js";
import type { Warp } from "../state/warp.js";

/** Returns the frame at that address, now the warp's, after updating it and its callers from their headers. */
export type FrameAt = (offset: number, warp: Warp) => Frame;

export const createFrameAt =
  (frames: ReadonlyMap<number, Frame>, linkageOf: (record: number) => Linkage): FrameAt =>
  (offset, warp) => {
    const found = frames.get(offset)!;
    let frame = found;
    while (frame.words[HEADER.isNew >> 2] === 1) {
      const { words } = frame;
      const parent = frames.get(words[HEADER.parent >> 2]!)!;
      words[HEADER.isNew >> 2] = 0;
      frame.warp = warp;
      frame.parent = parent;
      frame.returnPc = words[HEADER.returnPc >> 2]!;
      frame.results = linkageOf(words[HEADER.link >> 2]!).results;
      frame.localBase = words[HEADER.localBase >> 2]!;
      frame.localTop = words[HEADER.localTop >> 2]!;
      frame.depth = words[HEADER.depth >> 2]!;
      frame = parent;
    }
    return found;
  };

/** The kernel's frame at the bottom of a call stack. */
export function kernelFrame(frame: Frame): Frame {
  let bottom = frame;
  while (bottom.parent !== undefined) bottom = bottom.parent;
  return bottom;
}
