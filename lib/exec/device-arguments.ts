// A launch's arguments and extents as callers write them, to bytes and dimensions. Throws RangeError.

import type { Address } from "../base/brand.js";
import { elementNames, elementType, type ElementName } from "../load/elements.table.js";
import { addressBytes } from "../load/parameters.js";
import type { Dimensions } from "./launch-limits.js";

/** Memory on the device; its address is what a kernel is passed. */
export interface DeviceBuffer {
  readonly address: Address;
  /** Bytes. */
  readonly size: number;
}

/** A number of a type, `{ f32: 2.5 }`, as launch specifications write it; or with the type as a value. */
export type TypedNumber =
  | { [Name in ElementName]: { readonly [Only in Name]: number | bigint } }[ElementName]
  | { readonly type: ElementName; readonly value: number | bigint };

/** What a texture or a surface is passed as. */
export interface DeviceHandle {
  readonly handle: Address;
}

/** One argument of a launch: a buffer's address, the handle of a texture or surface, bytes as they are, or a number of a type. */
export type DeviceArgument = DeviceBuffer | DeviceHandle | Uint8Array | TypedNumber;

/** One number, or one for each dimension; those left out are 1. */
export type Extent = number | readonly number[];

export function dimensions(extent: Extent, what: string): Dimensions {
  const sizes = typeof extent === "number" ? [extent] : extent;
  const [x, y = 1, z = 1] = sizes;
  if (x === undefined || sizes.length > 3) throw new RangeError(`${what}: one to three numbers, not ${sizes.length}`);
  for (const size of [x, y, z]) wholeNumber(size, what, 1);
  return [x, y, z];
}

export function wholeNumber(value: number, what: string, least: number): number {
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`${what}: ${value} is no count`);
  return value;
}

/** `pointer`: bytes of an address there. */
export function argumentBytes(argument: DeviceArgument, pointer: 4 | 8): Uint8Array {
  if (argument instanceof Uint8Array) return argument;
  if ("address" in argument) return addressBytes(argument.address, pointer);
  if ("handle" in argument) return numberBytes({ u64: BigInt(argument.handle) });
  return numberBytes(argument);
}

/** Little endian. */
export function numberBytes(number: TypedNumber): Uint8Array {
  const { type: name, value } = typeAndValue(number);
  const type = elementType(name);
  if (type === undefined) throw new RangeError(`no element type '${name}'; there are ${elementNames.join(", ")}`);
  const isWhole = typeof value === "bigint" || Number.isInteger(value);
  const [low, high] = type.range ?? [];
  if (low !== undefined && high !== undefined && !(isWhole && value >= low && value <= high))
    throw new RangeError(`${value} does not fit .${type.name}`);
  const view = new DataView(new ArrayBuffer(type.bytes));
  type.store(view, 0, value);
  return new Uint8Array(view.buffer);
}

function typeAndValue(number: TypedNumber): { readonly type: string; readonly value: number | bigint } {
  if ("type" in number) return number;
  const [only, another] = Object.entries(number);
  if (only === undefined || another !== undefined) throw new RangeError("a number has one type: { f32: 2.5 }");
  return { type: only[0], value: only[1] };
}
