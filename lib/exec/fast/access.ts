// Emits the code of a load or store for four lanes. Most warps access adjacent words, or one common word: each address register
// is classified once in a segment, and all accesses through it, whatever their offset, use the result.
// Other patterns go lane by lane, after one vector comparison with the region that the access caches. A lane outside it makes the
// segment "miss": the interpreter executes the rest of the segment for this lane and those after it, finds the region or the
// fault, and updates the cache.

import type { Local } from "../../../formats/wasm/index.js";
import { InternalError } from "../../base/assert.js";
import { WINDOW } from "../../load/address-space.js";
import type { LaneChecks } from "./access-checks.js";
import type { AccessPlan, AddressParts, AccessPlace } from "./access-plan.js";
import { CONTEXT } from "./context.table.js";
import {
  elementBytes,
  type Elements,
  inWords,
  gatherElements,
  loadUniform,
  scatterElements,
  UNIT_SCRATCH,
  unitMove,
  type Values,
} from "./elements.js";
import { createFrameAccesses, forgetFrames, type FrameAccesses, loadFromFrame, storeToFrame } from "./frame-access.js";
import { HELPER } from "./helpers.js";
import type { Lanes } from "./lanes.js";
import { pushStacks } from "./locate.js";
import { createPatterns, patternOf, type Patterns, pushAddress, pushIsInside } from "./patterns.js";
import { createRegions, globalRegion, type Region, type Regions, stackRegion, windowRegion } from "./regions.js";

/** Emits the accesses of one segment. */
export interface Accesses {
  emit(plan: AccessPlan, checks: LaneChecks | undefined): void;
  /** Emits code that sets `places` to the lanes' arena addresses, or misses. `inner` emits code that runs if a lane is active. */
  locate(place: AccessPlace, bytes: number, places: Local, inner: (active: Local) => void): void;
}

/** A place where each lane has its own address. */
type SomewherePlace = AccessPlace & { readonly kind: "window" | "global" | "generic" };

type MovedPlace = Exclude<AccessPlace, { readonly kind: "frame" }>;

/** State shared by the accesses of a segment. */
interface AccessState {
  readonly lanes: Lanes;
  readonly regions: Regions;
  readonly patterns: Patterns;
  readonly frames: FrameAccesses;
  /** Branch depth from the current position to the segment's miss. A call marks the segment as one that may miss. */
  readonly missDepth: () => number;
}

/** One access to a place where each lane has its own address. */
interface LaneAccess {
  readonly place: SomewherePlace;
  readonly region: Region;
  readonly bytes: number;
  readonly active: Local;
  readonly isStore: boolean;
  /** Receives the arena addresses of the lanes' bytes. */
  readonly places: Local;
}

/** Begins the accesses of a segment. `newSite` assigns the number of a record in sites.ts. */
export function createAccesses(lanes: Lanes, missDepth: () => number, newSite: () => number): Accesses {
  const regions = createRegions(lanes, newSite);
  const patterns = createPatterns(lanes, regions);
  const state: AccessState = { lanes, regions, patterns, frames: createFrameAccesses(lanes), missDepth };
  return {
    emit: (plan, checks) => emitAccess(state, plan, checks),
    locate: (place, bytes, places, inner) => locate(state, place, bytes, places, inner),
  };
}

// ------------------------------------------------------------------------------------------------------ lane by lane

/** Sets `places` from the results of locate64 or locate32 on the stack, or misses. */
function orMiss({ lanes, missDepth }: AccessState, places: Local): void {
  // The branch discards the values below its result on the stack.
  lanes.code.op("i32.eqz").brIf(missDepth()).set(places);
}

function locateGlobal(state: AccessState, access: LaneAccess, addresses: readonly Local[]): void {
  const { code, context } = state.lanes;
  const { region, bytes, active, place } = access;
  const { offset } = place.address;
  code.get(context).get(addresses[0]!).get(addresses[1]!).i64(BigInt(offset)).get(region.base!).get(region.size);
  code.get(region.place).i32(bytes).get(active).i32(region.site).call(HELPER.locate64);
  orMiss(state, access.places);
}

function locateGeneric(state: AccessState, access: LaneAccess, addresses: readonly Local[]): void {
  const { code, context, first } = state.lanes;
  const { region, bytes, active, place, isStore } = access;
  const { offset } = place.address;
  code.get(context).get(addresses[0]!).get(addresses[1]!).i64(BigInt(offset)).i32(bytes).get(active);
  code
    .i32(region.site)
    .get(first)
    .i32(isStore ? 0 : -1)
    .call(HELPER.locateGeneric);
  orMiss(state, access.places);
}

/**
 * Pushes 32-bit addresses. An address whose high word differs from `highWord` becomes 0xffffffff, which is unmapped. Returns the
 * offset that is still to be added.
 */
function pushNarrow(lanes: Lanes, { register, offset }: AddressParts, highWord: number | "any" = 0): number {
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
}

/** Locates 32-bit addresses. `rankBase`: offset of the block's shared memory in the window of its cluster. */
function locateNarrow(
  state: AccessState,
  { region, bytes, active, places }: Pick<LaneAccess, "region" | "bytes" | "active" | "places">,
  addresses: Local,
  offset: number,
  rankBase?: Local,
): void {
  const { code, context } = state.lanes;
  code.get(context).get(addresses).i32(offset);
  if (rankBase !== undefined) code.get(rankBase).op("i32.sub");
  code.get(region.size).get(region.place).i32(bytes).get(active);
  code.call(HELPER.locate32);
  orMiss(state, places);
}

/** Reads the addresses now, before any condition, so that every path has them. Returns what emits the code to set `places`. */
function prepare(state: AccessState, access: LaneAccess): () => void {
  const { lanes } = state;
  const { code } = lanes;
  const { place, region } = access;
  const { register } = place.address;
  if (place.kind === "window") {
    const addresses = lanes.temporary("v128");
    const narrowOffset = pushNarrow(lanes, place.address, place.space === "shared" ? "any" : 0);
    code.set(addresses);
    const rankBase = register === undefined ? undefined : region.rankBase;
    return () => locateNarrow(state, access, addresses, narrowOffset, rankBase);
  }
  const addresses = [lanes.temporary("v128"), lanes.temporary("v128")];
  addresses.forEach((local, half) => {
    pushAddress(lanes, register!, half as 0 | 1);
    code.set(local);
  });
  return () =>
    place.kind === "generic" ? locateGeneric(state, access, addresses) : locateGlobal(state, access, addresses);
}

const regionOf = ({ regions }: AccessState, place: SomewherePlace): Region =>
  place.kind === "window"
    ? windowRegion(regions, place.space)
    : globalRegion(regions, place.address.register!, place.kind === "generic");

// ------------------------------------------------------------------------------------------------------ loads and stores

function emitAccess(state: AccessState, plan: AccessPlan, checks: LaneChecks | undefined): void {
  const { lanes, frames } = state;
  const { place, elements, operands, isStore, touches } = plan;
  if (!isStore) {
    const values =
      place.kind === "frame" ? loadFromFrame(frames, { ...place, elements }) : newValues(lanes, plan, false);
    if (place.kind !== "frame") move(state, place, elements, values, isStore, setActive(lanes), checks);
    writeValues(lanes, plan, values);
    return;
  }
  const values = newValues(lanes, plan, place.kind === "frame");
  operands.forEach((operand, i) =>
    values[i]!.forEach((local, half) => {
      if (elements.bits === 64) lanes.push64(operand, half as 0 | 1);
      else lanes.push32(operand);
      lanes.code.set(local);
    }),
  );
  if (place.kind === "frame") {
    storeToFrame(frames, { ...place, elements }, values, setActive(lanes));
    return;
  }
  if (touches.local) forgetFrames(frames);
  move(state, place, elements, values, isStore, setActive(lanes), checks);
}

const newValues = (lanes: Lanes, { operands, elements }: AccessPlan, isKept: boolean): Values =>
  operands.map(() =>
    Array.from({ length: elements.bits === 64 ? 2 : 1 }, () => (isKept ? lanes.keep : lanes.temporary)("v128")),
  );

function writeValues(lanes: Lanes, { operands, elements: { bits, signed } }: AccessPlan, values: Values): void {
  operands.forEach((operand, i) =>
    values[i]!.forEach((local, half) => {
      lanes.code.get(local);
      if (bits === 64) lanes.write64(operand, half as 0 | 1);
      else lanes.write32(operand, signed ? "s" : "u");
    }),
  );
}

/** Lanes of the four whose guard holds. */
function setActive({ code, four, guard, temporary }: Lanes): Local {
  if (guard === undefined) return four;
  const active = temporary("i32");
  code.get(guard).op("i32x4.bitmask").get(four).op("i32.and").set(active);
  return active;
}

function pushActive({ code, context }: Lanes, active: Local): void {
  code.get(active).i32(4).op("i32.shl").get(context).op("i32.add").memory("v128.load", CONTEXT.masks);
}

/** Emits `inner` so that it runs only if a lane is active: a guard may leave none. */
function ifAny(lanes: Lanes, active: Local, inner: () => void): void {
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
}

function move(
  state: AccessState,
  place: MovedPlace,
  elements: Elements,
  values: Values,
  isStore: boolean,
  active: Local,
  checks: LaneChecks | undefined,
): void {
  const { lanes } = state;
  const { code, context } = lanes;
  const bytes = elementBytes(elements);
  const places = lanes.temporary("v128");
  const apart = (): void => {
    checks?.apart(places, active);
    if (isStore) scatterElements(code, inWords(places), active, elements, values);
    else gatherElements(code, inWords(places), elements, values);
  };
  if (place.kind === "fixed") {
    const at = lanes.temporary("i32");
    if (place.base === "arena") code.i32(place.offset).set(at);
    else code.get(context).memory("i32.load", CONTEXT[place.base]).set(at);
    const offset = place.base === "arena" ? 0 : place.offset;
    if (!isStore) {
      if (checks !== undefined) {
        code.get(at).i32(offset).op("i32.add", "i32x4.splat").set(places);
        checks.apart(places, active);
      }
      loadUniform(code, at, elements, values, offset);
    } else {
      code.get(at).op("i32x4.splat").set(places);
      apart();
    }
  } else if (place.kind === "stack") {
    const addresses = lanes.temporary("v128");
    const offset = pushNarrow(lanes, place.address, place.isGeneric ? WINDOW.local : 0);
    code.set(addresses);
    ifAny(lanes, active, () => {
      locateNarrow(state, { region: stackRegion(state.regions), bytes, active, places }, addresses, offset);
      // Offsets are computed again for each lane; inactive lanes get 0, the start of their own stack.
      code.get(addresses).words(offset).op("i32x4.add");
      pushActive(lanes, active);
      code.op("v128.and");
      pushStacks(code, context, lanes.first);
      code.op("i32x4.add").set(places);
      apart();
    });
  } else {
    const access = { place, region: regionOf(state, place), bytes, active, isStore, places };
    moveByPattern(state, access, elements, values, apart, checks);
  }
  if (!isStore) checks?.values(values);
}

/**
 * Emits one vector access for adjacent words or one common word, if the addresses are such; otherwise goes lane by lane
 * (`apart`).
 */
function moveByPattern(
  state: AccessState,
  access: LaneAccess,
  elements: Elements,
  values: Values,
  apart: () => void,
  checks: LaneChecks | undefined,
): void {
  const { lanes, patterns } = state;
  const { code, four } = lanes;
  const { place, region, bytes, active, isStore } = access;
  const { register, offset } = place.address;
  const isLookedAt = register !== undefined && (place.kind !== "window" || lanes.strideOf(register) === 1);
  const pattern = isLookedAt ? patternOf(patterns, register, bytes, region) : undefined;
  const locateEach = prepare(state, access);
  ifAny(lanes, active, () => {
    code.block();
    lanes.depth++;
    if (pattern !== undefined) {
      const at = lanes.temporary("i32");
      const way = (wanted: 1 | 2, go: () => void): void => {
        pushIsInside(patterns, pattern, wanted, offset, bytes, region, at);
        if (active !== four) code.get(active).i32(15).op("i32.eq", "i32.and");
        code.if();
        go();
        code.br(1).op("end");
      };
      const unit = unitMove(elements, isStore);
      if (unit !== undefined) {
        const count = elements.count === 1 ? 0 : UNIT_SCRATCH;
        const scratch = Array.from({ length: count }, () => lanes.temporary("v128"));
        way(1, () => {
          checks?.adjacent(at);
          unit(code, at, values, elements.signed, scratch);
        });
      }
      if (!isStore)
        way(2, () => {
          checks?.uniform(at);
          loadUniform(code, at, elements, values);
        });
    } else if (register === undefined && !isStore && offset >= 0 && offset % bytes === 0) {
      code
        .get(region.size)
        .i32(offset + bytes)
        .op("i32.ge_u")
        .if();
      if (checks !== undefined) {
        code.get(region.place).i32(offset).op("i32.add", "i32x4.splat").set(access.places);
        checks.apart(access.places, active);
      }
      loadUniform(code, region.place, elements, values, offset);
      code.br(1).op("end");
    }
    locateEach();
    apart();
    lanes.depth--;
    code.op("end");
  });
}

function locate(
  state: AccessState,
  place: AccessPlace,
  bytes: number,
  places: Local,
  inner: (active: Local) => void,
): void {
  const { lanes } = state;
  const active = setActive(lanes);
  let find: () => void;
  if (place.kind === "window" || place.kind === "global" || place.kind === "generic")
    find = prepare(state, { place, region: regionOf(state, place), bytes, active, isStore: true, places });
  else if (place.kind === "fixed" && place.base === "arena")
    find = () => void lanes.code.words(place.offset).set(places);
  else throw new InternalError(`an atomic access to a place of kind ${place.kind}`);
  ifAny(lanes, active, () => {
    find();
    inner(active);
  });
}
