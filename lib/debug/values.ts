// Values of PTX types as bits: conversion to text and back, and access to registers and memory.

import { smallDecoder, smallEncoder } from "../base/num/small-float.js";
import type { Frame } from "../exec/state/frame.js";
import { dataType, type DataType } from "../isa/types.table.js";
import { elementType } from "../load/elements.table.js";
import { elementText, parseElement } from "../load/values.js";
import { smallFormats } from "../exec/meanings/small-result.js";

/** Bits of a type; those above the type's width are zero. */
export interface Value {
  readonly type: DataType;
  readonly bits: bigint;
}

/** The type of one element of a packed type: f16 of f16x2. */
function packedElement({ name, bits, lanes }: DataType): DataType | undefined {
  const element = lanes === 1 ? undefined : dataType(name.replace(/(p4)?x\d+$/, ""));
  return element === undefined ? undefined : { ...element, bits: bits / lanes };
}

/**
 * The number that the bits represent: floats rounded to a double, integers with their sign. Undefined for 8-bit scales and opaque
 * types.
 */
export function numberOf({ type, bits }: Value): number | bigint | undefined {
  switch (type.class) {
    case "predicate":
    case "unsigned":
    case "bits":
      return bits;
    case "signed":
      return BigInt.asIntN(type.bits, bits);
    case "opaque":
      return undefined;
    case "float":
      break;
  }
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits, true);
  if (type.lanes > 1) return undefined;
  if (type.name === "f64") return view.getFloat64(0, true);
  if (type.name === "f32" || type.name === "tf32") return view.getFloat32(0, true);
  const format = smallFormats[type.name];
  return format === undefined ? undefined : smallDecoder(format)(Number(bits));
}

const hex = (bits: bigint): string => `0x${bits.toString(16)}`;

/** The value as text. Bits without a numeric type are also in hexadecimal; large ones, such as addresses, only in hexadecimal. */
export function valueText(value: Value, asHex = false): string {
  const { type, bits } = value;
  if (type.class === "predicate") return bits === 0n ? "false" : "true";
  const element = packedElement(type);
  if (element !== undefined && !asHex) {
    const texts = Array.from({ length: type.lanes }, (_, i) =>
      valueText({ type: element, bits: BigInt.asUintN(element.bits, bits >> BigInt(i * element.bits)) }),
    );
    return `{${texts.join(", ")}}`;
  }
  if (asHex) return `0x${bits.toString(16).padStart(Math.ceil(type.bits / 4), "0")}`;
  if (type.class === "float") {
    const known = elementType(type.name);
    if (known !== undefined) {
      const view = new DataView(new ArrayBuffer(8));
      view.setBigUint64(0, bits, true);
      return elementText(known, view, 0);
    }
    const number = numberOf(value);
    return number === undefined ? hex(bits) : String(number);
  }
  if (type.class === "signed") return String(BigInt.asIntN(type.bits, bits));
  if (bits < 10n) return String(bits);
  if (type.class === "unsigned") return bits < 2n ** 32n ? String(bits) : `${bits} (${hex(bits)})`;
  return bits < 2n ** 32n ? `${bits} (${hex(bits)})` : hex(bits);
}

/** The value as text, without the hexadecimal form in parentheses. */
export const briefText = (value: Value, asHex = false): string =>
  valueText(value, asHex).replace(/ \(0x[0-9a-f]+\)$/, "");

/** The bits of a number in a type: integers wrapped, floats rounded. */
export function bitsOfNumber(type: DataType, number: number | bigint): bigint | undefined {
  if (type.class === "predicate") return Number(number) === 0 ? 0n : 1n;
  if (type.class === "opaque" || type.lanes > 1) return undefined;
  if (type.class !== "float") {
    const whole =
      typeof number === "bigint" ? number : Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
    return whole === undefined ? undefined : BigInt.asUintN(type.bits, whole);
  }
  const view = new DataView(new ArrayBuffer(8));
  const value = Number(number);
  if (type.name === "f64") view.setFloat64(0, value, true);
  else if (type.name === "f32" || type.name === "tf32") view.setFloat32(0, value, true);
  else {
    const format = smallFormats[type.name];
    if (format === undefined) return undefined;
    view.setUint32(0, smallEncoder(format, "rn")(value), true);
  }
  return view.getBigUint64(0, true);
}

/** Parses a value of the type as a user writes it; undefined if it is not valid. */
export function parseValue(type: DataType, text: string): bigint | undefined {
  const written = text.trim();
  if (type.class === "predicate") return { true: 1n, false: 0n, "1": 1n, "0": 0n }[written];
  // Hexadecimal bits, as PTX and debuggers write them.
  const bits = /^0(?:x|[fFdD](?=[0-9a-fA-F]{8}))([0-9a-fA-F]+)$/.exec(written)?.[1];
  if (bits !== undefined) return BigInt.asUintN(type.bits, BigInt(`0x${bits}`));
  const element = elementType(type.class === "float" ? "f64" : type.bits > 64 ? "b64" : `s${type.bits}`);
  if (element === undefined) return undefined;
  const wide = type.class === "float" ? element : (elementType(`b${Math.min(64, type.bits)}`) ?? element);
  const value = parseElement(wide, written);
  return typeof value === "object" ? undefined : bitsOfNumber(type, value);
}

// -------------------------------------------------------------------------------------------------------- registers

/** Names of the elements of vector registers, in order. */
export const elementNames = ["x", "y", "z", "w"] as const;

/** The value of a register in a lane; it has the type `type` if that is as wide as the register. */
export function registerValue(frame: Frame, register: number, lane: number, type?: DataType, element?: string): Value {
  const { program, words, unsigned } = frame;
  const own = typeOfRegister(frame, register);
  const { word, stride } = program.registerPlace(register, element);
  const read = type !== undefined && type.bits > 0 && type.bits <= own.bits && own.bits > 1 ? type : own;
  if (stride === 0) return { type: own, bits: BigInt((words[word]! >>> lane) & 1) };
  let bits = 0n;
  for (let part = stride - 1; part >= 0; part--) bits = (bits << 32n) | BigInt(unsigned[word + stride * lane + part]!);
  return { type: read, bits: BigInt.asUintN(read.bits, bits) };
}

/** The type of a register, including registers that hold variables, which follow the function's own. */
function typeOfRegister({ program }: Frame, register: number): DataType {
  const own = program.fn.code.registers[register];
  if (own !== undefined) return own.type;
  const variable = program.promoted.indexOf(register);
  const layout = program.fn.code.variables[variable]?.layout;
  return layout?.type ?? dataType("b32")!;
}

export function setRegister(frame: Frame, register: number, lane: number, bits: bigint, element?: string): void {
  const { program, words } = frame;
  const { word, stride } = program.registerPlace(register, element);
  if (stride === 0) {
    words[word] = (words[word]! & ~(1 << lane)) | (bits === 0n ? 0 : 1 << lane);
    return;
  }
  for (let part = 0; part < stride; part++)
    words[word + stride * lane + part] = Number(BigInt.asIntN(32, bits >> BigInt(32 * part)));
}

// ----------------------------------------------------------------------------------------------------------- memory

/** Bytes of an element of that type; 0 for types without a size. */
export const typeBytes = ({ bits }: DataType): number => Math.ceil(bits / 8);

export function valueIn(type: DataType, bytes: Uint8Array, offset = 0): Value {
  let bits = 0n;
  for (let i = typeBytes(type) - 1; i >= 0; i--) bits = (bits << 8n) | BigInt(bytes[offset + i] ?? 0);
  return { type, bits: BigInt.asUintN(type.bits, bits) };
}

export function storeIn({ type, bits }: Value, bytes: Uint8Array, offset = 0): void {
  for (let i = 0; i < typeBytes(type); i++) bytes[offset + i] = Number((bits >> BigInt(8 * i)) & 0xffn);
}
