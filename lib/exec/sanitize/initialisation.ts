// Tracks values that nothing has written: loads bring them into registers, stores into memory. They are reported where they
// decide a branch, form an address, or leave the kernel.

import type { Frame, Place, RegisterShadow } from "../state/frame.js";
import { type Actor, type LaunchContext, objectAtTarget, reportOnce, UNDEFINED_FROM } from "./context.js";
import { isUndefined, originAt, setUndefined, shadowOf, UNKNOWN } from "./register-shadow.js";
import type { Target } from "../operands/target.js";
import { objectAt } from "./objects.js";
import { undefinedBits, writableBits } from "./values.js";

/** One element of an access: its register, and its offset in the bytes. */
export interface Element {
  /** Undefined for a constant, or if the element is discarded. */
  readonly place: Place | undefined;
  readonly offset: number;
  readonly bits: number;
  readonly signed: boolean;
}

/** How an undefined value is used. */
export type Use = "decides" | "address" | "output" | "call" | "print";

const uses: Readonly<Record<Use, string>> = {
  decides: "affects control flow",
  address: "is part of an address",
  output: "is stored to an output buffer",
  call: "selects the called function",
  print: "is printed",
};

/** Reports the use of an undefined register in the actor's lane; from then on it counts as defined. */
export function reportUse(context: LaunchContext, actor: Actor, place: Place, use: Use, bytes?: number): void {
  const shadow = shadowOf(actor.frame);
  const origin = context.originAt(originAt(shadow, place, actor.lane));
  const { frame, pc, lane } = actor;
  const at = context.sites.of(frame.program.fn, pc);
  reportOnce(
    context,
    actor,
    () => {
      const where =
        origin === undefined
          ? `register ${registerName(frame, place)}`
          : `${origin.object?.title ?? `${origin.space} memory`}${origin.object === undefined ? "" : ` at offset ${origin.address - origin.object.base}`}`;
      return {
        kind: "uninitialized" as const,
        space: origin?.space ?? "register",
        message: `an uninitialised value of ${where} ${uses[use]}`,
        remedy:
          origin === undefined
            ? "write the register on every path to this instruction"
            : origin.space === "shared"
              ? "write the element before it is read, with a barrier between the two, or clear the array first"
              : "write the variable before it is read",
        ...(use === "output" ? { access: "write" as const } : {}),
        ...(bytes === undefined ? {} : { bytes }),
        ...(origin?.object === undefined ? {} : { object: origin.object, offset: origin.address - origin.object.base }),
      };
    },
    `${UNDEFINED_FROM}${origin?.site.index ?? ""}:${at.index}:${origin?.space ?? place.word}:${origin?.object?.kind === "local" ? origin.object.name : (origin?.object?.id ?? "")}`,
  );
  setUndefined(shadow, place, lane, false);
}

function registerName({ program }: Frame, place: Place): string {
  const { registers } = program.fn.code;
  const index = registers.findIndex((_, i) => program.registerPlace(i).word === place.word);
  return registers[index]?.name ?? "without a name";
}

/** Copies the definedness of the bytes to the registers. */
export function loadDefinedness(
  context: LaunchContext,
  actor: Actor,
  target: Target,
  elements: readonly Element[],
): void {
  const shadow = shadowOf(actor.frame);
  const found = undefinedBits(context.values, target);
  const { lane } = actor;
  let origin = 0;
  for (const { place, offset, bits, signed } of elements) {
    if (place === undefined) continue;
    setUndefined(shadow, place, lane, false);
    if (found === undefined) continue;
    const { bytes, offset: start } = found;
    const count = bits / 8;
    let some = 0;
    for (let i = 0; i < count; i++) some |= bytes[start + offset + i] ?? 0;
    if (some === 0) continue;
    origin ||= originOf(context, actor, target, offset);
    setBytes(shadow, place, lane, bytes, start + offset, count, signed);
    shadow.origin[place.word + place.stride * lane] = origin;
  }
}

function setBytes(
  { undef, uniform }: RegisterShadow,
  { word, stride }: Place,
  lane: number,
  bytes: Uint8Array,
  start: number,
  count: number,
  signed: boolean,
): void {
  const at = word + stride * lane;
  uniform[word] = UNKNOWN;
  for (let i = 0; i < stride; i++) {
    let bits = 0;
    for (let byte = 0; byte < 4 && 4 * i + byte < count; byte++) bits |= bytes[start + 4 * i + byte]! << (8 * byte);
    undef[at + i] = bits;
  }
  if (!signed || count >= 4 * stride) return;
  const sign = bytes[start + count - 1]! >> 7;
  if (sign === 0) return;
  for (let byte = count; byte < 4 * stride; byte++) undef[at + (byte >> 2)]! |= 0xff << (8 * (byte & 3));
}

export function originOf(context: LaunchContext, actor: Actor, target: Target, offset: number): number {
  const { space, address } = target;
  const object =
    space === "local"
      ? localObject(context, actor, address + offset)
      : objectAtTarget(context, { ...target, address: address + offset });
  return context.origin({
    space: space ?? "global",
    site: context.sites.of(actor.frame.program.fn, actor.pc),
    object,
    address: address + offset,
  });
}

/** The variable of a call that contains the offset in local memory. */
function localObject({ objects }: LaunchContext, { frame }: Actor, address: number) {
  for (let each: Frame | undefined = frame; each !== undefined; each = each.parent)
    for (const id of each.shadow?.locals.values() ?? []) {
      const object = objectAt(objects, id)!;
      if (address >= object.base && address < object.base + object.size) return object;
    }
  return undefined;
}

/** Copies the definedness of the registers to memory; reports an undefined value that the host will read. */
export function storeDefinedness(
  context: LaunchContext,
  actor: Actor,
  target: Target,
  elements: readonly Element[],
): void {
  const shadow = shadowOf(actor.frame);
  const { lane } = actor;
  const isSomething = elements.some(({ place, bits }) => place !== undefined && isUndefined(shadow, place, lane, bits));
  if (isSomething && isOutput(context, target)) {
    for (const { place, bits } of elements)
      if (place !== undefined && isUndefined(shadow, place, lane, bits))
        reportUse(context, actor, place, "output", bits / 8);
  }
  const found = isSomething ? writableBits(context.values, target) : undefinedBits(context.values, target);
  if (found === undefined) return;
  for (const { place, offset, bits } of elements) {
    const at = place === undefined ? -1 : place.word + place.stride * lane;
    for (let i = 0; i < bits / 8; i++)
      found.bytes[found.offset + offset + i] =
        place === undefined || place.stride === 0 ? 0 : (shadow.undef[at + (i >> 2)]! >>> (8 * (i & 3))) & 255;
  }
}

function isOutput(context: LaunchContext, { space, address, bytes }: Target): boolean {
  if (space !== "global") return false;
  const region = context.launch.process.memory.find(address, bytes);
  return region !== undefined && context.isOutput(region);
}

/** Marks all bytes of the target as defined. */
export function defineBytes(context: LaunchContext, target: Target): void {
  const found = undefinedBits(context.values, target);
  found?.bytes.fill(0, found.offset, found.offset + target.bytes);
}
