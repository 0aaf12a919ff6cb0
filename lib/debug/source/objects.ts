// Accesses C++ objects: variables, members, elements, and the targets of pointers.

import { spaceOf } from "../../load/address-space.js";
import { ExpressionError } from "../expression.js";
import { bytesAtAddress, type MemoryContext } from "../memory.js";
import type { Result, ValueResult, SourceObject, ObjectPlace } from "../result.js";
import { registerValue, typeBytes, valueIn, type Value } from "../values.js";
import type { Member, PointerType, ScalarType, SourceType } from "./types.js";

/**
 * The result for an object: a number or pointer by value, other objects as a whole; references are followed. Throws
 * ExpressionError.
 */
export function resultOf(object: SourceObject): Result {
  const { type } = object;
  if (type.kind === "reference") return resultOf(referred(object));
  return type.kind === "scalar" || type.kind === "pointer" ? scalarOf(object, type) : { kind: "object", object };
}

/** The object that a reference refers to. Throws ExpressionError. */
export function referred(object: SourceObject): SourceObject {
  const { type } = object;
  if (type.kind !== "reference") return object;
  const { value } = scalarOf(object, type);
  const { name, isHidden } = object;
  return { ...pointee(value, type, object.context, name), ...(isHidden && { isHidden }) };
}

function scalarOf(object: SourceObject, declared: ScalarType | PointerType): ValueResult {
  const { name, place, context, bits } = object;
  const { data } = declared;
  switch (place.kind) {
    case "none":
      throw new ExpressionError(`${name} is ${place.why}`);
    case "register":
      return { kind: "value", value: registerAs(data, place), place, declared };
    case "bytes":
      return { kind: "value", value: valueIn(data, place.bytes), declared };
    case "memory": {
      const { address } = place;
      const bytes = bytesAtAddress(context, address, typeBytes(data));
      if (bytes === undefined || bytes.length < typeBytes(data))
        throw new ExpressionError(`0x${address.toString(16)} is in no memory`);
      const value = valueIn(data, bytes);
      if (bits === undefined) return { kind: "value", value, place: { kind: "memory", context, address }, declared };
      return { kind: "value", value: bitField(value, bits), declared };
    }
  }
}

/** The value of a register as the type. The register may be wider, or a predicate for a `bool`. */
function registerAs(
  type: Value["type"],
  { frame, register, lane }: ObjectPlace & { readonly kind: "register" },
): Value {
  const { bits } = registerValue(frame, register, lane, type);
  return { type, bits: BigInt.asUintN(type.bits, bits) };
}

function bitField({ type, bits }: Value, { shift, size }: NonNullable<Member["bits"]>): Value {
  const own = BigInt.asUintN(size, bits >> BigInt(shift));
  const signed = type.class === "signed" ? BigInt.asIntN(size, own) : own;
  return { type, bits: BigInt.asUintN(type.bits, signed) };
}

/** The target of a pointer. */
export const pointee = ({ bits }: Value, { target }: PointerType, context: MemoryContext, name = ""): SourceObject => ({
  name,
  type: target(),
  place: { kind: "memory", address: Number(bits) },
  context,
});

/** The element of an array; undefined outside an array of known size. */
export function elementAt(object: SourceObject, index: number): SourceObject | undefined {
  const { type, name } = object;
  if (type.kind !== "array") return undefined;
  const { element, count } = type;
  if (!Number.isSafeInteger(index) || index < 0 || (count !== undefined && index >= count)) return undefined;
  return partOf(object, index * element.size, element, `${name}[${index}]`);
}

/** Finds a member by name, also in base classes and unnamed unions. `seen` holds types that were already searched. */
export function memberNamed(
  object: SourceObject,
  name: string,
  seen = new Set<SourceType>(),
): SourceObject | undefined {
  if (object.type.kind !== "struct" || seen.has(object.type)) return undefined;
  seen.add(object.type);
  const members = object.type.members();
  const own = members.find((each) => each.name === name);
  if (own !== undefined) return memberIn(object, own);
  for (const member of members) {
    const inner = member.name === undefined ? memberNamed(memberIn(object, member), name, seen) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

export function memberIn(object: SourceObject, { name, offset, type, bits }: Member): SourceObject {
  const part = partOf(object, offset, type(), name === undefined ? object.name : `${object.name}.${name}`);
  return bits === undefined ? part : { ...part, bits };
}

function partOf(
  { place, context, isHidden }: SourceObject,
  offset: number,
  type: SourceType,
  name: string,
): SourceObject {
  return { name, type, context, place: placeInside(place, offset), ...(isHidden && { isHidden }) };
}

function placeInside(place: ObjectPlace, offset: number): ObjectPlace {
  switch (place.kind) {
    case "memory":
      return { kind: "memory", address: place.address + offset };
    case "bytes":
      return { kind: "bytes", bytes: place.bytes.subarray(offset) };
    case "register":
      return offset === 0 ? place : { kind: "none", why: "in a location that is not read" };
    case "none":
      return place;
  }
}

/** The state space of a generic address, as text. */
export const spaceText = (address: bigint, { process }: MemoryContext): string =>
  spaceOf(Number(address), process.space) ?? "no memory";
