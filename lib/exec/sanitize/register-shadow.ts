// The shadow of a frame's registers, word for word as in the frame (machine/frame.ts): which bits nothing has written, the
// origins of such bits, and the object that an address was derived from.

import type { Frame, Place, RegisterShadow } from "../state/frame.js";

/** Derived from several objects, or from one in a way that may lead into another: only memory itself bounds it. */
export const MIXED = -1;

/** State of a register: objects differ between lanes, or some bits are undefined. */
export const UNKNOWN = -2;

export function createRegisterShadow(image: Int32Array): RegisterShadow {
  const uniformImage = image.map((word) => (word === 0 ? 0 : UNKNOWN));
  return {
    undef: image.slice(),
    object: new Int32Array(image.length),
    origin: new Int32Array(image.length),
    uniform: uniformImage.slice(),
    image,
    uniformImage,
    lanes: -1,
    locals: new Map(),
  };
}

/** The frame's shadow; the code that created the frame must have added it. */
export const shadowOf = (frame: Frame): RegisterShadow => frame.shadow!;

/** Whether any of the lowest `bits` bits of a lane's value is undefined. */
export function isUndefined({ undef }: RegisterShadow, { word, stride }: Place, lane: number, bits = 128): boolean {
  if (stride === 0) return ((undef[word]! >>> lane) & 1) !== 0;
  const at = word + stride * lane;
  if (bits < 32) return (undef[at]! & ((1 << bits) - 1)) !== 0;
  for (let i = 0; i < stride && 32 * i < bits; i++) if (undef[at + i] !== 0) return true;
  return false;
}

export const originAt = ({ origin }: RegisterShadow, { word, stride }: Place, lane: number): number =>
  origin[word + stride * lane]!;

export const objectAt = ({ object }: RegisterShadow, { word, stride }: Place, lane: number): number =>
  stride === 0 ? 0 : object[word + stride * lane]!;

/** Marks all bits of a lane's value as undefined, or all as defined. */
export function setUndefined(
  { undef, origin, uniform }: RegisterShadow,
  { word, stride }: Place,
  lane: number,
  isIt: boolean,
  from = 0,
): void {
  if (isIt) uniform[word] = UNKNOWN;
  if (stride === 0) {
    undef[word] = isIt ? undef[word]! | (1 << lane) : undef[word]! & ~(1 << lane);
    if (isIt) origin[word] = from;
    return;
  }
  const at = word + stride * lane;
  for (let i = 0; i < stride; i++) undef[at + i] = isIt ? -1 : 0;
  origin[at] = from;
}

export function setObject(
  { object, uniform }: RegisterShadow,
  { word, stride }: Place,
  lane: number,
  id: number,
): void {
  if (stride === 0) return;
  object[word + stride * lane] = id;
  if (uniform[word] !== id) uniform[word] = UNKNOWN;
}

/** Marks all bits as defined, and as derived from that object, in those lanes. */
export function setUniform(
  { undef, object, uniform, lanes }: RegisterShadow,
  { word, stride }: Place,
  active: number,
  id: number,
): void {
  if (uniform[word] === id) return;
  const isAll = (lanes & ~active) === 0;
  uniform[word] = isAll ? id : UNKNOWN;
  if (stride === 0) {
    undef[word] = isAll ? 0 : undef[word]! & ~active;
    if (undef[word] === 0) uniform[word] = 0;
    return;
  }
  if (isAll) {
    undef.fill(0, word, word + 32 * stride);
    object.fill(id, word, word + 32 * stride);
    return;
  }
  for (let lane = 0; lane < 32; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    const at = word + stride * lane;
    for (let i = 0; i < stride; i++) undef[at + i] = 0;
    object[at] = id;
  }
}

/** Copies the shadow of a value. A wider place is filled with zeros, which are defined. */
export function copyShadow(
  source: RegisterShadow,
  from: Place,
  ofLane: number,
  target: RegisterShadow,
  to: Place,
  lane: number,
): void {
  if (from.stride === 0 || to.stride === 0) {
    setUndefined(target, to, lane, isUndefined(source, from, ofLane), source.origin[from.word + from.stride * ofLane]!);
    setObject(target, to, lane, 0);
    return;
  }
  const [at, put] = [from.word + from.stride * ofLane, to.word + to.stride * lane];
  let some = 0;
  for (let i = 0; i < to.stride; i++) {
    const bits = i < from.stride ? source.undef[at + i]! : 0;
    target.undef[put + i] = bits;
    some |= bits;
  }
  if (some !== 0 || target.uniform[to.word] !== source.object[at]) target.uniform[to.word] = UNKNOWN;
  target.origin[put] = source.origin[at]!;
  target.object[put] = source.object[at]!;
}

/** The object of a value derived from both. */
export const mergeObjects = (one: number, other: number): number => (one === 0 ? other : other === 0 ? one : MIXED);
