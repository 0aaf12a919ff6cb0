// Code of a load or store for four lanes. Most warps access words beside each other, or all the same one: each address
// register is looked at once in a segment, and all accesses through it, whatever their offset, take the way found. What is
// neither goes lane by lane, after one vector comparison with the region that the access remembers. A lane outside it makes
// the segment "miss": the interpreter does the rest of the segment for these lanes and those behind them, finds the region
// or the fault, and tells what to remember.

import type { Local } from "../../../formats/wasm/index.js";
import { InternalError } from "../../base/assert.js";
import type { AccessPlan, AddressParts, Place } from "./access-plan.js";
import { CONTEXT } from "./context.table.js";
import {
  bytesOf,
  type Elements,
  loadApart,
  loadUniform,
  storeApart,
  UNIT_SCRATCH,
  unitMove,
  type Values,
} from "./elements.js";
import { HELPER } from "./helpers.js";
import type { Lanes } from "./lanes.js";
import { createPatterns } from "./patterns.js";
import { createRegions, type Region } from "./regions.js";

/** Accesses of one segment, and what they share. */
export interface Accesses {
  emit(plan: AccessPlan): void;
  /** Sets `places` to where lanes find their bytes, or misses; `inner` is written where there is a lane, and told which. */
  locate(place: Place, bytes: number, places: Local, inner: (active: Local) => void): void;
}

/** A place that lanes have each of their own. */
type SomewherePlace = Place & { readonly kind: "window" | "global" };

/** `missDepth` answers how many blocks up the segment's miss is; `newSite` numbers what is remembered. */
export function createAccesses(lanes: Lanes, missDepth: () => number, newSite: () => number): Accesses {
  const regions = createRegions(lanes, newSite);
  const patterns = createPatterns(lanes, regions);

  // ------------------------------------------------------------------------------------------------------ lane by lane

  /** Sets `places` from what locate64 or locate32 left on the stack, or misses. */
  const orMiss = (places: Local): void => {
    const { code } = lanes;
    // What is below the answer on the stack is unwound by the branch.
    code.op("i32.eqz").brIf(missDepth()).set(places);
  };

  const locateGlobal = (
    offset: number,
    addresses: readonly Local[],
    bytes: number,
    region: Region,
    active: Local,
    places: Local,
  ): void => {
    const { code, context } = lanes;
    code.get(context).get(addresses[0]!).get(addresses[1]!).i64(BigInt(offset)).get(region.base!).get(region.size);
    code.get(region.place).i32(bytes).get(active).i32(region.site).call(HELPER.locate64);
    orMiss(places);
  };

  /** Pushes 32-bit addresses; those that need more are at the end of the space, where nothing is. */
  const pushNarrow = ({ register, offset }: AddressParts): number => {
    const { code } = lanes;
    if (register === undefined) {
      code.words(offset);
      return 0;
    }
    const operand = { kind: "register", register } as const;
    if (lanes.strideOf(register) === 1) {
      lanes.push32(operand);
      return offset;
    }
    const [low, high] = [lanes.temporary("v128"), lanes.temporary("v128")];
    [low, high].forEach((local, half) => {
      lanes.push64(operand, half as 0 | 1);
      code.longs(BigInt(offset)).op("i64x2.add").set(local);
    });
    code.get(low).get(high).shuffleWords([0, 2, 4, 6]);
    code.get(low).get(high).shuffleWords([1, 3, 5, 7]).words(0).op("i32x4.ne", "v128.or");
    return 0;
  };

  const locateNarrow = (
    addresses: Local,
    offset: number,
    bytes: number,
    region: Region,
    active: Local,
    places: Local,
  ): void => {
    const { code, context } = lanes;
    code.get(context).get(addresses).i32(offset).get(region.size).get(region.place).i32(bytes).get(active);
    code.call(HELPER.locate32);
    orMiss(places);
  };

  /** Where the first byte of each lane's local memory is. */
  const pushStacks = (): void => {
    const { code, context, first } = lanes;
    code.get(first).op("i32x4.splat").v128([0, 1, 2, 3]).op("i32x4.add");
    code.get(context).memory("v128.load32_splat", CONTEXT.localStride).op("i32x4.mul");
    code.get(context).memory("v128.load32_splat", CONTEXT.local).op("i32x4.add");
  };

  // ----------------------------------------------------------------------------------------------------------- the whole

  const emit = (plan: AccessPlan): void => {
    const { code } = lanes;
    const { place, elements, operands, isStore } = plan;
    const width = elements.bits === 64 ? 2 : 1;
    const values: Values = operands.map(() => Array.from({ length: width }, () => lanes.temporary("v128")));
    if (isStore)
      operands.forEach((operand, i) =>
        values[i]!.forEach((local, half) => {
          if (width === 2) lanes.push64(operand, half as 0 | 1);
          else lanes.push32(operand);
          code.set(local);
        }),
      );
    move(place, elements, values, isStore, setActive());
    if (isStore) return;
    operands.forEach((operand, i) =>
      values[i]!.forEach((local, half) => {
        code.get(local);
        if (width === 2) lanes.write64(operand, half as 0 | 1);
        else lanes.write32(operand, elements.signed ? "s" : "u");
      }),
    );
  };

  /** Lanes of the four whose guard holds. */
  const setActive = (): Local => {
    const { code, four, guard } = lanes;
    if (guard === undefined) return four;
    const active = lanes.temporary("i32");
    code.get(guard).op("i32x4.bitmask").get(four).op("i32.and").set(active);
    return active;
  };

  const move = (place: Place, elements: Elements, values: Values, isStore: boolean, active: Local): void => {
    const { code, context } = lanes;
    const bytes = bytesOf(elements);
    const places = lanes.temporary("v128");
    const apart = (): void => {
      if (isStore) storeApart(code, places, active, elements, values);
      else loadApart(code, places, elements, values);
    };
    switch (place.kind) {
      case "fixed": {
        const at = lanes.temporary("i32");
        if (place.base === "arena") code.i32(place.offset).set(at);
        else code.get(context).memory("i32.load", CONTEXT[place.base]).set(at);
        const offset = place.base === "arena" ? 0 : place.offset;
        if (!isStore) loadUniform(code, at, elements, values, offset);
        else {
          code.get(at).op("i32x4.splat").set(places);
          apart();
        }
        return;
      }
      case "frame":
        pushStacks();
        code.get(context).memory("i32.load", CONTEXT.localBase).i32(place.offset).op("i32.add");
        code.op("i32x4.splat", "i32x4.add").set(places);
        apart();
        return;
      case "stack": {
        const addresses = lanes.temporary("v128");
        const offset = pushNarrow(place.address);
        code.set(addresses);
        ifAny(active, () => {
          locateNarrow(addresses, offset, bytes, regions.stack(), active, places);
          // Lanes that are not there may be anywhere in their own stacks: their offset is taken from the address again.
          code.get(addresses).words(offset).op("i32x4.add");
          pushActive(active);
          code.op("v128.and");
          pushStacks();
          code.op("i32x4.add").set(places);
          apart();
        });
        return;
      }
      case "window":
      case "global":
        patterned(place, elements, values, isStore, active, places, apart);
    }
  };

  const pushActive = (active: Local): void => {
    lanes.code.get(active).i32(4).op("i32.shl").get(lanes.context).op("i32.add").memory("v128.load", CONTEXT.masks);
  };

  /** A guard may leave no lane at all. */
  const ifAny = (active: Local, inner: () => void): void => {
    const { code, four } = lanes;
    if (active === four) {
      inner();
      return;
    }
    code.get(active).if();
    lanes.depth++;
    inner();
    lanes.depth--;
    code.op("end");
  };

  const regionOf = (place: SomewherePlace): Region =>
    place.kind === "global" ? regions.global(place.address.register!) : regions.window(place.space);

  /** Code that sets `places`; addresses are read before any condition, so that every way loads them from the frame. */
  const prepare = (
    place: SomewherePlace,
    region: Region,
    bytes: number,
    active: Local,
    places: Local,
  ): (() => void) => {
    const { code } = lanes;
    const { register, offset } = place.address;
    if (place.kind === "window") {
      const addresses = lanes.temporary("v128");
      const narrowOffset = pushNarrow(place.address);
      code.set(addresses);
      return () => locateNarrow(addresses, narrowOffset, bytes, region, active, places);
    }
    const addresses = [lanes.temporary("v128"), lanes.temporary("v128")];
    addresses.forEach((local, half) => {
      lanes.push64({ kind: "register", register: register! }, half as 0 | 1);
      code.set(local);
    });
    return () => locateGlobal(offset, addresses, bytes, region, active, places);
  };

  const patterned = (
    place: SomewherePlace,
    elements: Elements,
    values: Values,
    isStore: boolean,
    active: Local,
    places: Local,
    apart: () => void,
  ): void => {
    const { code, four } = lanes;
    const bytes = bytesOf(elements);
    const { register, offset } = place.address;
    const isGlobal = place.kind === "global";
    const region = regionOf(place);
    const isLookedAt = register !== undefined && (isGlobal || lanes.strideOf(register) === 1);
    const pattern = isLookedAt ? patterns.of(register, bytes, region) : undefined;
    const locateEach = prepare(place, region, bytes, active, places);
    ifAny(active, () => {
      code.block();
      lanes.depth++;
      const unit = unitMove(elements, isStore);
      if (pattern !== undefined) {
        const at = lanes.temporary("i32");
        const way = (wanted: 1 | 2, go: () => void): void => {
          patterns.pushIsInside(pattern, wanted, offset, bytes, region, at);
          if (active !== four) code.get(active).i32(15).op("i32.eq", "i32.and");
          code.if();
          go();
          code.br(1).op("end");
        };
        if (unit !== undefined) {
          const scratch = Array.from({ length: elements.count === 1 ? 0 : UNIT_SCRATCH }, () =>
            lanes.temporary("v128"),
          );
          way(1, () => unit(code, at, values, elements.signed, scratch));
        }
        if (!isStore) way(2, () => loadUniform(code, at, elements, values));
      }
      locateEach();
      apart();
      lanes.depth--;
      code.op("end");
    });
  };

  const locate: Accesses["locate"] = (place, bytes, places, inner) => {
    const { code } = lanes;
    const active = setActive();
    let find: () => void;
    if (place.kind === "window" || place.kind === "global")
      find = prepare(place, regionOf(place), bytes, active, places);
    else if (place.kind === "fixed" && place.base === "arena") find = () => void code.words(place.offset).set(places);
    else throw new InternalError(`an atomic access to a place of kind ${place.kind}`);
    ifAny(active, () => {
      find();
      inner(active);
    });
  };

  return { emit, locate };
}
