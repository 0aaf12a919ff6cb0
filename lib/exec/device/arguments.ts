// Converts a launch's arguments and extents, as callers write them, to bytes and dimensions. Throws RangeError.

import type { Dimensions } from "../../base/dimensions.js";
import type { Address } from "../../base/brand.js";
import { nearest } from "../../base/nearest.js";
import { describe } from "../../base/known-options.js";
import { elementNames, elementType, type ElementName, type ElementType } from "../../load/elements.table.js";
import { addressBytes, type ArgumentValue } from "../../load/parameters.js";

/** Memory on the device; kernels receive its address. */
export interface DeviceBuffer {
  readonly address: Address;
  /** Size in bytes. */
  readonly size: number;
}

/** A number with its type: `{ f32: 2.5 }`, as in launch specifications, or with the type as a value. */
export type TypedNumber =
  | { [Name in ElementName]: { readonly [Only in Name]: number | bigint } }[ElementName]
  | { readonly type: ElementName; readonly value: number | bigint };

/** A texture or surface as an argument. */
export interface DeviceHandle {
  readonly handle: Address;
}

/** One argument of a launch: a buffer's address, the handle of a texture or surface, raw bytes, or a number with its type. */
export type DeviceArgument = DeviceBuffer | DeviceHandle | Uint8Array | TypedNumber;

/** One number, or one for each dimension; missing ones are 1. */
export type Extent = number | readonly number[];

export function dimensions(extent: Extent, what: string): Dimensions {
  if (typeof extent !== "number" && !Array.isArray(extent))
    throw new RangeError(`${what}: one number, or an array of up to three, is expected, not ${describe(extent)}`);
  const sizes = typeof extent === "number" ? [extent] : (extent as readonly number[]);
  const [x, y = 1, z = 1] = sizes;
  if (x === undefined || sizes.length > 3) throw new RangeError(`${what}: one to three numbers, not ${sizes.length}`);
  for (const size of [x, y, z]) wholeNumber(size, what, 1);
  return [x, y, z];
}

export function wholeNumber(value: number, what: string, least: number): number {
  if (!Number.isSafeInteger(value) || value < least)
    throw new RangeError(`${what}: a whole number of at least ${least} is expected, not ${String(value)}`);
  return value;
}

/**
 * The bytes of an argument. `pointer` is the size of an address for this parameter. For messages, `what` names the argument and
 * `declared` is the type of its parameter.
 */
export function argumentValue(argument: DeviceArgument, pointer: 4 | 8, what: string, declared = ""): ArgumentValue {
  if (argument instanceof Uint8Array) return { bytes: argument };
  if (typeof argument !== "object" || argument === null || Array.isArray(argument) || ArrayBuffer.isView(argument))
    throw new RangeError(
      `${what}: ${describe(argument)} is not a valid argument; ${argumentRemedy(argument, declared)}`,
    );
  if ("address" in argument) return { bytes: addressBytes(argument.address, pointer) };
  if ("handle" in argument) return { bytes: addressBytes(argument.handle, 8) };
  const { type, value } = typeAndValue(argument, what);
  return { type, bytes: elementBytes(type, value, what) };
}

function argumentRemedy(argument: unknown, declared: string): string {
  if (typeof argument === "number" || typeof argument === "bigint")
    return `a number says its type: { ${elementType(declared)?.name ?? "u32"}: ${argument} }`;
  if (ArrayBuffer.isView(argument) || Array.isArray(argument))
    return "a kernel takes the address of memory: pass device.alloc(array) of a typed array";
  return "there are buffers, handles, bytes in a Uint8Array, and numbers with their type, { f32: 2.5 }";
}

/** The number's bytes, little endian. */
export function numberBytes(number: TypedNumber, what: string): Uint8Array {
  if (typeof number !== "object" || number === null)
    throw new RangeError(`${what}: a number with its type, { f32: 2.5 }, is expected, not ${describe(number)}`);
  const { type, value } = typeAndValue(number, what);
  return elementBytes(type, value, what);
}

function elementBytes(type: ElementType, value: number | bigint, what: string): Uint8Array {
  if (typeof value !== "number" && typeof value !== "bigint")
    throw new RangeError(`${what}: .${type.name} is a number or a bigint, not ${describe(value)}`);
  const isWhole = typeof value === "bigint" || Number.isInteger(value);
  const [low, high] = type.range ?? [];
  if (low !== undefined && high !== undefined && !(isWhole && value >= low && value <= high))
    throw new RangeError(`${what}: ${value} does not fit .${type.name}`);
  const view = new DataView(new ArrayBuffer(type.bytes));
  type.store(view, 0, value);
  return new Uint8Array(view.buffer);
}

function typeAndValue(
  number: TypedNumber,
  what: string,
): { readonly type: ElementType; readonly value: number | bigint } {
  const [only, another] = "type" in number ? [[number.type, number.value] as const] : Object.entries(number);
  if (only === undefined || another !== undefined)
    throw new RangeError(`${what}: a number has one type, { f32: 2.5 }; this is { ${Object.keys(number).join(", ")} }`);
  const [name, value] = only;
  const type = elementType(name);
  if (type === undefined) {
    const [meant] = nearest(name, elementNames);
    const remedy = meant === undefined ? `there are ${elementNames.join(", ")}` : `did you mean '${meant}'?`;
    throw new RangeError(`${what}: no element type '${name}'; ${remedy}`);
  }
  return { type, value };
}
