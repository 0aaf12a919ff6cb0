// Code of a load or store for four lanes. Most warps access adjacent words, or one common word: each address register is
// classified once in a segment, and all accesses through it, whatever their offset, use the result.
// Other patterns go lane by lane, after one vector comparison with the region that the access caches. A lane outside it makes the
// segment "miss": the interpreter executes the rest of the segment for these lanes and those after them, finds the region or the
// fault, and updates the cache.

import type { Local } from "../../../formats/wasm/index.js";
import { InternalError } from "../../base/assert.js";
import { WINDOW } from "../../load/address-space.js";
import type { AccessPlan, AddressParts, AccessPlace } from "./access-plan.js";
import { CONTEXT } from "./context.table.js";
import {
  elementBytes,
  type Elements,
  inWords,
  loadApart,
  loadUniform,
  storeApart,
  UNIT_SCRATCH,
  unitMove,
  type Values,
} from "./elements.js";
import { createFrameAccesses } from "./frame-access.js";
import { HELPER } from "./helpers.js";
import type { Lanes } from "./lanes.js";
import { pushStacks } from "./locate.js";
import { createPatterns, pushAddress } from "./patterns.js";
import { createRegions, type Region } from "./regions.js";

/** Accesses of one segment, and what they share. */
export interface Accesses {
  emit(plan: AccessPlan): void;
  /** Sets `places` to where lanes find their bytes, or misses; `inner` is written where there is a lane, and told which. */
  locate(place: AccessPlace, bytes: number, places: Local, inner: (active: Local) => void): void;
}

/** A place that lanes have each of their own. */
type SomewherePlace = AccessPlace & { readonly kind: "window" | "global" | "generic" };

type MovedPlace = Exclude<AccessPlace, { readonly kind: "frame" }>;

/** `missDepth` returns how many blocks up the segment's miss is; `newSite` numbers the cache entries. */
export function createAccesses(lanes: Lanes, missDepth: () => number, newSite: () => number): Accesses {
  const regions = createRegions(lanes, newSite);
  const patterns = createPatterns(lanes, regions);
  const frames = createFrameAccesses(lanes);

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

  const locateGeneric = (
    offset: number,
    addresses: readonly Local[],
    bytes: number,
    region: Region,
    active: Local,
    isStore: boolean,
    places: Local,
  ): void => {
    const { code, context, first } = lanes;
    code.get(context).get(addresses[0]!).get(addresses[1]!).i64(BigInt(offset)).i32(bytes).get(active);
    code
      .i32(region.site)
      .get(first)
      .i32(isStore ? 0 : -1)
      .call(HELPER.locateGeneric);
    orMiss(places);
  };

  /**
   * Pushes 32-bit addresses; addresses with another high word become the end of the space, which is unmapped, unless `highWord`
   * is "any". Returns the offset still to be added.
   */
  const pushNarrow = ({ register, offset }: AddressParts, highWord: number | "any" = 0): number => {
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
      if (highWord !== "any") code.longs(BigInt(offset)).op("i64x2.add");
      code.set(local);
    });
    code.get(low).get(high).shuffleWords([0, 2, 4, 6]);
    if (highWord === "any") return offset;
    code.get(low).get(high).shuffleWords([1, 3, 5, 7]).words(highWord).op("i32x4.ne", "v128.or");
    return 0;
  };

  const locateNarrow = (
    addresses: Local,
    offset: number,
    bytes: number,
    region: Region,
    active: Local,
    places: Local,
    rankBase?: Local,
  ): void => {
    const { code, context } = lanes;
    code.get(context).get(addresses).i32(offset);
    if (rankBase !== undefined) code.get(rankBase).op("i32.sub");
    code.get(region.size).get(region.place).i32(bytes).get(active);
    code.call(HELPER.locate32);
    orMiss(places);
  };

  // ----------------------------------------------------------------------------------------------------------- the whole

  const emit = (plan: AccessPlan): void => {
    const { place, elements, operands, isStore, touches } = plan;
    if (!isStore) {
      const values = place.kind === "frame" ? frames.load({ ...place, elements }) : newValues(plan, false);
      if (place.kind !== "frame") move(place, elements, values, isStore, setActive());
      writeValues(plan, values);
      return;
    }
    const values = newValues(plan, place.kind === "frame");
    operands.forEach((operand, i) =>
      values[i]!.forEach((local, half) => {
        if (elements.bits === 64) lanes.push64(operand, half as 0 | 1);
        else lanes.push32(operand);
        lanes.code.set(local);
      }),
    );
    if (place.kind === "frame") {
      frames.store({ ...place, elements }, values, setActive());
      return;
    }
    if (touches.local) frames.forget();
    move(place, elements, values, isStore, setActive());
  };

  const newValues = ({ operands, elements }: AccessPlan, isKept: boolean): Values =>
    operands.map(() =>
      Array.from({ length: elements.bits === 64 ? 2 : 1 }, () => (isKept ? lanes.keep : lanes.temporary)("v128")),
    );

  const writeValues = ({ operands, elements: { bits, signed } }: AccessPlan, values: Values): void =>
    operands.forEach((operand, i) =>
      values[i]!.forEach((local, half) => {
        lanes.code.get(local);
        if (bits === 64) lanes.write64(operand, half as 0 | 1);
        else lanes.write32(operand, signed ? "s" : "u");
      }),
    );

  /** Lanes of the four whose guard holds. */
  const setActive = (): Local => {
    const { code, four, guard } = lanes;
    if (guard === undefined) return four;
    const active = lanes.temporary("i32");
    code.get(guard).op("i32x4.bitmask").get(four).op("i32.and").set(active);
    return active;
  };

  const move = (place: MovedPlace, elements: Elements, values: Values, isStore: boolean, active: Local): void => {
    const { code, context } = lanes;
    const bytes = elementBytes(elements);
    const places = lanes.temporary("v128");
    const apart = (): void => {
      if (isStore) storeApart(code, inWords(places), active, elements, values);
      else loadApart(code, inWords(places), elements, values);
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
      case "stack": {
        const addresses = lanes.temporary("v128");
        const offset = pushNarrow(place.address, place.isGeneric ? WINDOW.local : 0);
        code.set(addresses);
        ifAny(active, () => {
          locateNarrow(addresses, offset, bytes, regions.stack(), active, places);
          // Lanes that are not there may be anywhere in their own stacks: their offset is taken from the address again.
          code.get(addresses).words(offset).op("i32x4.add");
          pushActive(active);
          code.op("v128.and");
          pushStacks(code, context, lanes.first);
          code.op("i32x4.add").set(places);
          apart();
        });
        return;
      }
      case "window":
      case "global":
      case "generic":
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
    place.kind === "window"
      ? regions.window(place.space)
      : regions.global(place.address.register!, place.kind === "generic");

  /** Code that sets `places`; addresses are read before any condition, so that every way loads them from the frame. */
  const prepare = (
    place: SomewherePlace,
    region: Region,
    bytes: number,
    active: Local,
    isStore: boolean,
    places: Local,
  ): (() => void) => {
    const { code } = lanes;
    const { register, offset } = place.address;
    if (place.kind === "window") {
      const addresses = lanes.temporary("v128");
      const narrowOffset = pushNarrow(place.address, place.space === "shared" ? "any" : 0);
      code.set(addresses);
      const rankBase = register === undefined ? undefined : region.rankBase;
      return () => locateNarrow(addresses, narrowOffset, bytes, region, active, places, rankBase);
    }
    const addresses = [lanes.temporary("v128"), lanes.temporary("v128")];
    addresses.forEach((local, half) => {
      pushAddress(lanes, register!, half as 0 | 1);
      code.set(local);
    });
    if (place.kind === "generic") return () => locateGeneric(offset, addresses, bytes, region, active, isStore, places);
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
    const bytes = elementBytes(elements);
    const { register, offset } = place.address;
    const isWide = place.kind !== "window";
    const region = regionOf(place);
    const isLookedAt = register !== undefined && (isWide || lanes.strideOf(register) === 1);
    const pattern = isLookedAt ? patterns.of(register, bytes, region) : undefined;
    const locateEach = prepare(place, region, bytes, active, isStore, places);
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
      } else if (register === undefined && !isStore && offset >= 0 && offset % bytes === 0) {
        code
          .get(region.size)
          .i32(offset + bytes)
          .op("i32.ge_u")
          .if();
        loadUniform(code, region.place, elements, values, offset);
        code.br(1).op("end");
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
    if (place.kind === "window" || place.kind === "global" || place.kind === "generic")
      find = prepare(place, regionOf(place), bytes, active, true, places);
    else if (place.kind === "fixed" && place.base === "arena") find = () => void code.words(place.offset).set(places);
    else throw new InternalError(`an atomic access to a place of kind ${place.kind}`);
    ifAny(active, () => {
      find();
      inner(active);
    });
  };

  return { emit, locate };
}
