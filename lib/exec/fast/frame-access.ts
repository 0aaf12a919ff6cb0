// Loads and stores of a frame's variables, at known offsets of each lane's local memory. Unoptimised code keeps everything there.
// Values that a segment has loaded or stored stay in locals until something may have overwritten the memory.

import type { Local } from "../../../formats/wasm/index.js";
import { CONTEXT } from "./context.table.js";
import {
  type LaneAddresses,
  elementBytes,
  type Elements,
  gatherElements,
  scatterElements,
  type Values,
} from "./elements.js";
import type { Lanes } from "./lanes.js";

export interface FrameAccess {
  readonly offset: number;
  readonly elements: Elements;
}

/** Accesses of one segment. Offsets are in bytes from the frame's base. */
export interface FrameAccesses {
  readonly lanes: Lanes;
  known: readonly Known[];
  /** Addresses of the four lanes' frames; undefined before the first access. */
  frames: readonly Local[] | undefined;
}

/** An element that locals hold. */
interface Known {
  readonly offset: number;
  readonly bits: number;
  readonly signed: boolean;
  readonly locals: readonly Local[];
}

export const createFrameAccesses = (lanes: Lanes): FrameAccesses => ({ lanes, known: [], frames: undefined });

/** Emits the addresses of the four lanes' frames. The first access runs before all others, so they are set there. */
function emitFrames(lanes: Lanes): readonly Local[] {
  const { code, before, context, first } = lanes;
  const [start, stride] = [lanes.keep("i32"), lanes.keep("i32")];
  before.get(context).memory("i32.load", CONTEXT.localStride).set(stride);
  before.get(context).memory("i32.load", CONTEXT.local);
  before.get(context).memory("i32.load", CONTEXT.localBase).op("i32.add").set(start);
  const found = [0, 1, 2, 3].map(() => lanes.keep("i32"));
  code.get(first).get(stride).op("i32.mul").get(start).op("i32.add").set(found[0]!);
  for (const lane of [1, 2, 3])
    code
      .get(found[lane - 1]!)
      .get(stride)
      .op("i32.add")
      .set(found[lane]!);
  return found;
}

function inFrames(accesses: FrameAccesses, offset: number): LaneAddresses {
  const found = (accesses.frames ??= emitFrames(accesses.lanes));
  return { push: (code, lane) => code.get(found[lane]!), offset };
}

function addKnown(accesses: FrameAccesses, { offset, elements: { bits, signed } }: FrameAccess, values: Values): void {
  const added = values.map((locals, i) => ({ offset: offset + (bits / 8) * i, bits, signed, locals }));
  accesses.known = [...accesses.known, ...added];
}

function findKnown({ known }: FrameAccesses, { offset, elements }: FrameAccess): Values | undefined {
  const { count, bits, signed } = elements;
  const found = Array.from({ length: count }, (_, i) =>
    known.find(
      (each) => each.offset === offset + (bits / 8) * i && each.bits === bits && (bits >= 32 || each.signed === signed),
    ),
  );
  return found.every((each) => each !== undefined) ? found.map((each) => each.locals) : undefined;
}

/** Returns locals with the loaded values; nothing writes them. */
export function loadFromFrame(accesses: FrameAccesses, access: FrameAccess): Values {
  const there = findKnown(accesses, access);
  if (there !== undefined) return there;
  const { lanes } = accesses;
  const { count, bits } = access.elements;
  const values = Array.from({ length: count }, () =>
    Array.from({ length: bits === 64 ? 2 : 1 }, () => lanes.keep("v128")),
  );
  gatherElements(lanes.code, inFrames(accesses, access.offset), access.elements, values);
  addKnown(accesses, access, values);
  return values;
}

/** Stores locals that nothing else writes. */
export function storeToFrame(accesses: FrameAccesses, access: FrameAccess, values: Values, active: Local): void {
  const { offset, elements } = access;
  const { lanes } = accesses;
  const end = offset + elementBytes(elements);
  accesses.known = accesses.known.filter((each) => each.offset >= end || each.offset + each.bits / 8 <= offset);
  scatterElements(lanes.code, inFrames(accesses, offset), active, elements, values);
  // Smaller values are not kept, as their upper bits in the register are undefined; nor guarded ones, as other lanes have old
  // values.
  if (elements.bits >= 32 && lanes.guard === undefined) addKnown(accesses, access, values);
}

/** Forgets all known values, because anything in local memory may have been overwritten. */
export const forgetFrames = (accesses: FrameAccesses): void => void (accesses.known = []);
