// Loads and stores of a frame's variables, whose place in each lane's local memory is known. Code that was not optimised keeps
// everything there: what a segment has loaded or stored stays in locals until something may have stored over it.

import type { Local } from "../../../formats/wasm/index.js";
import { CONTEXT } from "./context.table.js";
import { type Apart, elementBytes, type Elements, loadApart, storeApart, type Values } from "./elements.js";
import type { Lanes } from "./lanes.js";

export interface FrameAccess {
  readonly offset: number;
  readonly elements: Elements;
}

/** Of one segment. Offsets are bytes behind the frame's base. */
export interface FrameAccesses {
  /** Locals with what a load answers, which nothing writes. */
  load(access: FrameAccess): Values;
  /** Stores locals that nothing else writes. */
  store(access: FrameAccess, values: Values, active: Local): void;
  /** Anything in local memory may have been stored over. */
  forget(): void;
}

interface Known {
  readonly offset: number;
  readonly bits: number;
  readonly signed: boolean;
  readonly locals: readonly Local[];
}

export function createFrameAccesses(lanes: Lanes): FrameAccesses {
  let known: readonly Known[] = [];
  let frames: readonly Local[] | undefined;

  /** Where the frame is of each of the four lanes; found where it is first asked for, which everyone passes. */
  const findFrames = (): readonly Local[] => {
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
  };
  const inFrames = (offset: number): Apart => {
    const found = (frames ??= findFrames());
    return { push: (code, lane) => code.get(found[lane]!), offset };
  };

  const remember = ({ offset, elements: { bits, signed } }: FrameAccess, values: Values): void => {
    const added = values.map((locals, i) => ({ offset: offset + (bits / 8) * i, bits, signed, locals }));
    known = [...known, ...added];
  };
  const find = ({ offset, elements: { count, bits, signed } }: FrameAccess): Values | undefined => {
    const found = Array.from({ length: count }, (_, i) =>
      known.find(
        (each) =>
          each.offset === offset + (bits / 8) * i && each.bits === bits && (bits >= 32 || each.signed === signed),
      ),
    );
    return found.every((each) => each !== undefined) ? found.map((each) => each.locals) : undefined;
  };

  return {
    load(access) {
      const there = find(access);
      if (there !== undefined) return there;
      const { count, bits } = access.elements;
      const values = Array.from({ length: count }, () =>
        Array.from({ length: bits === 64 ? 2 : 1 }, () => lanes.keep("v128")),
      );
      loadApart(lanes.code, inFrames(access.offset), access.elements, values);
      remember(access, values);
      return values;
    },
    store(access, values, active) {
      const { offset, elements } = access;
      const end = offset + elementBytes(elements);
      known = known.filter((each) => each.offset >= end || each.offset + each.bits / 8 <= offset);
      storeApart(lanes.code, inFrames(offset), active, elements, values);
      // Upper bits of smaller values are whatever the register has; other lanes keep what they had.
      if (elements.bits >= 32 && lanes.guard === undefined) remember(access, values);
    },
    forget: () => void (known = []),
  };
}
