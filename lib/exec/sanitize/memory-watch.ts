// Watches loads, stores and atomic operations.

import type { Watched } from "../operands/watched.js";
import type { Frame } from "../state/frame.js";
import type { Warp } from "../state/warp.js";
import { readStrong, warpOrder, writeStrong } from "./order.js";
import { hasModifier, typeOf } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import { operandsOf } from "../meanings/atomic.js";
import { transferred } from "../operands/promoted.js";
import { firstLane } from "../machine/warp.js";
import { checkOrder } from "./access-check.js";
import { checkBounds } from "./bounds-check.js";
import type { Actor, LaunchContext } from "./context.js";
import type { AccessName } from "./finding.js";
import { type Element, loadDefinedness, reportUse, storeDefinedness } from "./initialisation.js";
import { objectOfTarget, scopeOf, type WatchLanes, type WatchOf } from "./instruction.js";
import { isGuess, isPolling } from "./polling.js";
import type { Strength } from "./records.js";
import { strengthOf } from "./records.js";
import { copyShadow, isUndefined, objectAt, setObject, setUndefined, shadowOf } from "./register-shadow.js";
import { type BoundTarget, evaluate, type Target } from "../operands/target.js";
import { loadOfWarp, storeOfWarp, type WarpAccess } from "./warp-access.js";
import { globalObject } from "./objects.js";
import { setStoredPointer, storedPointer, undefinedBits } from "./values.js";

export const newTarget = (warp: Warp): Target => ({
  space: undefined,
  address: 0,
  bytes: 0,
  warp,
  lane: 0,
  block: warp.block,
  value: 0,
});

/** The elements of an operand, whether it is a vector or not. */
export function elementsOf(watched: Watched, index: number, type: DataType): readonly Element[] {
  const operand = watched.instruction.operands[index];
  const signed = type.class === "signed";
  return watched.binder.elements(operand).map((element, i): Element => ({
    place: element?.kind === "register" ? watched.places.register(element.register, element.selector) : undefined,
    offset: (type.bits / 8) * i,
    bits: type.bits,
    signed,
  }));
}

/** Reports an address register that has not been written. */
export function checkAddress(context: LaunchContext, actor: Actor, { shape }: BoundTarget): void {
  const { register } = shape;
  if (register !== undefined && isUndefined(shadowOf(actor.frame), register, actor.lane))
    reportUse(context, actor, register, "address");
}

/** Checks the address of each lane, and visits the lane. `isGood`: the address is valid. */
function visitLanes(
  context: LaunchContext,
  watched: Watched,
  bound: BoundTarget,
  access: AccessName,
  actor: Actor,
  active: number,
  visit: (target: Target, isGood: boolean) => void,
): void {
  const target = newTarget(actor.warp);
  const objectOf = objectOfTarget(context, watched, bound);
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    actor.lane = firstLane(rest);
    checkAddress(context, actor, bound);
    evaluate(bound, actor.frame, actor.lane, target);
    const isGood = checkBounds(context, actor, target, objectOf(actor.frame, actor.lane), access, bound.align);
    visit(target, isGood);
  }
}

/** How an access orders threads, by its modifiers. */
interface Semantics {
  /** By space: shared memory, and global. */
  readonly strength: { readonly shared: Strength; readonly global: Strength };
  readonly scope: 0 | 1 | 2;
  readonly acquires: boolean;
  readonly releases: boolean;
  /** Whether it takes part in synchronisation at all. */
  readonly synchronises: boolean;
}

const strongWords = ["relaxed", "acquire", "release", "acq_rel", "mmio"];

function semanticsOf(watched: Watched, isAtomic: boolean, isPolled: boolean): Semantics {
  const { opcode } = watched;
  const scope = scopeOf(opcode);
  const isStrong = isAtomic || opcode.chosen.some((text) => text !== undefined && strongWords.includes(text));
  const isVolatile = hasModifier(opcode, "volatile");
  const strength = strengthOf(isVolatile ? 2 : scope);
  return {
    // Old warp-synchronous code uses volatile accesses of shared memory. They are as strong as a flag's only where a loop polls
    // them.
    strength: {
      shared: isStrong || (isVolatile && isPolled) ? strength : 0,
      global: isStrong || isVolatile ? strength : 0,
    },
    scope: isVolatile ? 2 : scope,
    acquires: hasModifier(opcode, "acquire") || hasModifier(opcode, "acq_rel"),
    releases: hasModifier(opcode, "release") || hasModifier(opcode, "acq_rel"),
    synchronises: isStrong || isVolatile,
  };
}

const strengthIn = ({ strength }: Semantics, { space }: Target): Strength =>
  space === "shared" ? strength.shared : strength.global;

/** The name of a memory location, by which threads synchronise there. */
const placeName = ({ space, block, address }: Target): string =>
  space === "shared" ? `${block.index}:${address}` : `${address}`;

export const isOrdered = ({ space }: Target): boolean => space === "shared" || space === "global";

/** Watches ld and st of a variable that is in a register. */
function promotedTransfer(
  watched: Watched,
  promoted: number,
  elements: readonly Element[],
  isStore: boolean,
): WatchLanes {
  const inside = watched.places.register(promoted);
  const outside = elements[0]?.place;
  return (_, __, { frame }, active) => {
    const shadow = shadowOf(frame);
    for (let lane = 0; lane < 32; lane++) {
      if (((active >>> lane) & 1) === 0) continue;
      if (outside === undefined) {
        if (isStore) setUndefined(shadow, inside, lane, false);
      } else if (isStore) copyShadow(shadow, outside, lane, shadow, inside, lane);
      else copyShadow(shadow, inside, lane, shadow, outside, lane);
    }
  };
}

/** The object of the pointer stored at an element: as recorded, or by its value. */
function pointerAt(context: LaunchContext, target: Target, element: Element): number {
  const at = { ...target, address: target.address + element.offset, bytes: element.bits / 8 };
  const known = storedPointer(context.values, at);
  if (known !== 0 || element.bits !== 64) return known;
  const value = wideValueAt(context, at);
  return value === undefined ? 0 : globalObject(context.objects, value);
}

/** 64 bits of global memory or of the kernel's parameters, if they may be an address of global memory. */
function wideValueAt({ launch }: LaunchContext, { space, address }: Target): number | undefined {
  const { memory, space: layout } = launch.process;
  let low: number;
  let high: number;
  if (space === "param") {
    const { parameters } = launch;
    if (address < 0 || address + 8 > parameters.byteLength) return undefined;
    [low, high] = [parameters.getUint32(address, true), parameters.getUint32(address + 4, true)];
  } else if (space === "global") {
    const region = memory.find(address, 8);
    if (region === undefined) return undefined;
    const at = address - region.base;
    [low, high] = [region.view.getUint32(at, true), region.view.getUint32(at + 4, true)];
  } else return undefined;
  const value = high * 2 ** 32 + low;
  return value >= layout.globalBase && value < layout.limit ? value : undefined;
}

const warpAccess = (bound: BoundTarget, elements: readonly Element[]): WarpAccess => ({
  bound,
  elements,
  cache: { order: undefined, step: 0, record: 0, context: undefined },
});

const load: WatchOf = (watched) => {
  const type = typeOf(watched.opcode)!;
  const elements = elementsOf(watched, 0, type);
  const promoted = transferred(watched.places.promoted, watched.instruction.operands[1]);
  if (promoted !== undefined) return promotedTransfer(watched, promoted, elements, false);
  const [bound] = watched.targets;
  if (bound === undefined) return undefined;
  const semantics = semanticsOf(watched, false, isPolling(watched));
  const guess = isGuess(watched) ? strengthOf(2) : 0;
  const access = warpAccess(bound, elements);
  const isWeak = !semantics.synchronises && guess === 0;
  let target: Target | undefined;
  return (context, warp, { frame, pc }, active) => {
    target ??= newTarget(warp);
    const objectOf = objectOfTarget(context, watched, bound);
    const shadow = shadowOf(frame);
    const order = warpOrder(context.order, warp);
    const actor: Actor = { warp, frame, pc, lane: 0 };
    if (isWeak) {
      const left = loadOfWarp(context, warp, frame, pc, active, access, () => objectOf(frame, 0));
      for (let rest = left ?? 0; rest !== 0; rest &= rest - 1) {
        actor.lane = firstLane(rest);
        evaluate(bound, frame, actor.lane, target);
        checkOrder(context, actor, target, "read", 0);
      }
      if (left !== undefined) return;
    }
    visitLanes(context, watched, bound, "read", actor, active, (at, isGood) => {
      const { lane } = actor;
      if (isGood && isOrdered(at)) {
        if (semantics.synchronises)
          readStrong(context.order, order, lane, placeName(at), semantics.scope, semantics.acquires);
        checkOrder(context, actor, at, "read", guess || strengthIn(semantics, at));
      }
      const pointers = isGood ? elements.map((element) => pointerAt(context, at, element)) : [];
      if (isGood) loadDefinedness(context, actor, at, elements);
      elements.forEach(({ place }, i) => {
        if (place === undefined) return;
        if (!isGood) setUndefined(shadow, place, lane, false);
        setObject(shadow, place, lane, pointers[i] ?? 0);
      });
    });
  };
};

/** Whether a lane stores the bytes that are in memory already, or the same as another lane. */
function isSameValue(
  frame: Frame,
  lane: number,
  elements: readonly Element[],
  view: DataView | undefined,
  offset: number,
  other: number | undefined,
): boolean {
  return elements.every(({ place, offset: at, bits }) => {
    if (place === undefined || place.stride === 0) return other !== undefined;
    for (let done = 0; done < bits; done += 32) {
      const size = Math.min(32, bits);
      const mask = size === 32 ? -1 : (1 << size) - 1;
      const mine = frame.words[place.word + place.stride * lane + done / 32]! & mask;
      if (other !== undefined) {
        if (mine !== (frame.words[place.word + place.stride * other + done / 32]! & mask)) return false;
        continue;
      }
      if (view === undefined) return false;
      for (let byte = 0; byte < size / 8; byte++) {
        const where = offset + at + done / 8 + byte;
        if (where >= view.byteLength || view.getUint8(where) !== ((mine >>> (8 * byte)) & 255)) return false;
      }
    }
    return true;
  });
}

function viewOf(
  { launch }: LaunchContext,
  { space, address, block, bytes }: Target,
): readonly [DataView, number] | undefined {
  if (space === "shared") return [block.shared, address];
  const region = space === "global" ? launch.process.memory.find(address, bytes) : undefined;
  return region && [region.view, address - region.base];
}

const store: WatchOf = (watched) => {
  const type = typeOf(watched.opcode)!;
  const elements = elementsOf(watched, 1, type);
  const constants = watched.binder.elements(watched.instruction.operands[1]);
  const promoted = transferred(watched.places.promoted, watched.instruction.operands[0]);
  if (promoted !== undefined) return promotedTransfer(watched, promoted, elements, true);
  const [bound] = watched.targets;
  if (bound === undefined) return undefined;
  const semantics = semanticsOf(watched, false, true);
  /** Whether all elements are constants. */
  const isConstant = constants.every((element) => element?.kind === "immediate");
  const access = warpAccess(bound, elements);
  /** Reports races with other accesses, except writes of the same value. */
  const checkStore = (context: LaunchContext, actor: Actor, target: Target): void =>
    checkOrder(context, actor, target, "write", strengthIn(semantics, target), {
      isSame: (other) => {
        if (isConstant && other !== undefined) return true;
        const found = viewOf(context, target);
        if (isConstant) return found !== undefined && hasConstants(found[0], found[1], constants, type.bits);
        return isSameValue(actor.frame, actor.lane, elements, found?.[0], found?.[1] ?? 0, other);
      },
    });
  let target: Target | undefined;
  return (context, warp, { frame, pc }, active) => {
    target ??= newTarget(warp);
    const objectOf = objectOfTarget(context, watched, bound);
    const shadow = shadowOf(frame);
    const order = warpOrder(context.order, warp);
    const actor: Actor = { warp, frame, pc, lane: 0 };
    if (!semantics.synchronises) {
      const left = storeOfWarp(context, warp, frame, pc, active, access, () => objectOf(frame, 0));
      for (let rest = left ?? 0; rest !== 0; rest &= rest - 1) {
        actor.lane = firstLane(rest);
        evaluate(bound, frame, actor.lane, target);
        checkStore(context, actor, target);
      }
      if (left !== undefined) return;
    }
    visitLanes(context, watched, bound, "write", actor, active, (at, isGood) => {
      const { lane } = actor;
      if (!isGood) return;
      if (isOrdered(at)) {
        checkStore(context, actor, at);
        if (semantics.synchronises)
          writeStrong(context.order, order, lane, placeName(at), semantics.scope, semantics.releases, false);
      }
      storeDefinedness(context, actor, at, elements);
      for (const { place, offset, bits } of elements) {
        if (bits < 32) continue;
        const object = place === undefined ? 0 : objectAt(shadow, place, lane);
        setStoredPointer(context.values, { ...at, address: at.address + offset }, object);
      }
    });
  };
};

function hasConstants(view: DataView, offset: number, constants: readonly unknown[], bits: number): boolean {
  return constants.every((each, i) => {
    const value = (each as { readonly bits: bigint }).bits;
    for (let byte = 0; byte < bits / 8; byte++)
      if (view.getUint8(offset + (bits / 8) * i + byte) !== Number((value >> BigInt(8 * byte)) & 255n)) return false;
    return true;
  });
}

const atomic: WatchOf = (watched) => {
  const type = typeOf(watched.opcode)!;
  const operands = operandsOf(watched.opcode);
  const bound = watched.targets[0];
  if (bound === undefined) return undefined;
  const results = operands.d === undefined ? [] : elementsOf(watched, operands.d, type);
  const values = elementsOf(watched, operands.b, type);
  const semantics = semanticsOf(watched, true, false);
  const isRead = operands.d !== undefined;
  const replaces = hasModifier(watched.opcode, "exch");
  return (context, warp, { frame, pc }, active) => {
    const shadow = shadowOf(frame);
    const order = warpOrder(context.order, warp);
    const actor: Actor = { warp, frame, pc, lane: 0 };
    visitLanes(context, watched, bound, "atomic", actor, active, (target, isGood) => {
      const { lane } = actor;
      const defined = (): void => {
        for (const { place } of results) {
          if (place === undefined) continue;
          setUndefined(shadow, place, lane, false);
          setObject(shadow, place, lane, 0);
        }
      };
      if (!isGood) {
        defined();
        return;
      }
      if (isOrdered(target)) {
        const place = placeName(target);
        if (isRead) readStrong(context.order, order, lane, place, semantics.scope, semantics.acquires);
        checkOrder(context, actor, target, "atomic", strengthIn(semantics, target));
        writeStrong(context.order, order, lane, place, semantics.scope, semantics.releases, true);
      }
      const isBad = values.some(({ place, bits }) => place !== undefined && isUndefined(shadow, place, lane, bits));
      const before = undefinedBits(context.values, target);
      const was = before !== undefined && someOf(before.bytes, before.offset, target.bytes);
      if (!was && !isBad) {
        defined();
        return;
      }
      if (replaces || !was) storeDefinedness(context, actor, target, values);
      loadDefinedness(context, actor, target, results);
    });
  };
};

export function someOf(bytes: Uint8Array, start: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (bytes[start + i] !== 0) return true;
  return false;
}

/** By base opcode. */
export const memoryWatches: Readonly<Record<string, WatchOf>> = {
  ld: load,
  ldu: load,
  st: store,
  atom: atomic,
  red: atomic,
};
