// Constant expressions folded to bits, or to an address: a global plus a number of bytes, through casts (NVVM IR 1.0 chapter 5,
// "bitcast+offset"). Expressions that PTX cannot express, such as the difference of two addresses, do not fold.

import type { Alias, GlobalValue } from "../ir/global.js";
import type { DataLayout } from "../ir/layout.js";
import type { Type } from "../ir/type.js";
import type { Constant, ConstantExpression } from "../ir/value.js";
import { compareBits, computeBits } from "./integer.js";

export type Folded =
  /** Unsigned, below 2^width of its type. */
  { readonly kind: "bits"; readonly bits: bigint } | Address;

/** Some bytes of an address; above them are zeros. */
export interface Address {
  readonly kind: "address";
  readonly global: GlobalValue;
  /** Bytes after the global's start; may be negative. */
  readonly addend: bigint;
  /** The generic address, not the one in the global's own space. */
  readonly generic: boolean;
  /** The first selected byte, from the lowest, and the number of bytes. */
  readonly from: number;
  readonly bytes: number;
}

/** Bits of a scalar's value; undefined for other types. */
export function bitsOf(type: Type, layout: DataLayout): number | undefined {
  if (type.kind === "integer") return type.bits;
  if (type.kind === "pointer") return layout.bitsIn(type.space);
  return type.kind === "float" || type.kind === "vector" ? (layout.storeSize(type) ?? 0) * 8 : undefined;
}

/** A scalar's or vector's value; undefined if it does not fold. */
export function foldConstant(constant: Constant, layout: DataLayout): Folded | undefined {
  switch (constant.kind) {
    case "integer":
      return { kind: "bits", bits: constant.value };
    case "float":
      return { kind: "bits", bits: constant.bits };
    case "null":
    case "zero":
    case "undef":
    case "poison":
    case "none":
      return ZERO;
    case "function":
    case "variable":
      return addressOf(constant, layout);
    case "alias": {
      const meant = aliased(constant);
      return meant && foldConstant(meant, layout);
    }
    case "expression":
      return foldExpression(constant, layout);
    default:
      return undefined;
  }
}

/** The aliasee of a chain of aliases; undefined if the chain is cyclic. */
function aliased(alias: Alias): Constant | undefined {
  let meant: Constant = alias;
  const seen = new Set<Constant>();
  while (meant.kind === "alias") {
    if (seen.has(meant)) return undefined;
    seen.add(meant);
    meant = meant.aliasee;
  }
  return meant;
}

const ZERO: Folded = { kind: "bits", bits: 0n };

function addressOf(global: Exclude<GlobalValue, Alias>, layout: DataLayout): Address {
  const generic = global.kind === "variable" && global.type.space === 0;
  return { kind: "address", global, addend: 0n, generic, from: 0, bytes: layout.bitsIn(global.type.space) / 8 };
}

function foldExpression(expression: ConstantExpression, layout: DataLayout): Folded | undefined {
  const { opcode, operands, type } = expression;
  const width = bitsOf(type, layout);
  if (opcode === "getelementptr") return foldElementPointer(expression, layout);
  if (opcode === "select") {
    const test = foldConstant(operands[0]!, layout);
    return test?.kind === "bits" ? foldConstant(operands[test.bits === 0n ? 2 : 1]!, layout) : undefined;
  }
  const values = operands.map((operand) => foldConstant(operand, layout));
  const [first, second] = values;
  if (first === undefined || width === undefined) return undefined;
  if (values.length === 1) return foldCast(expression, first, width, layout);
  if (second === undefined) return undefined;
  const operandWidth = bitsOf(operands[0]!.type, layout) ?? width;
  if (first.kind === "bits" && second.kind === "bits") {
    const bits =
      opcode === "icmp"
        ? compareBits(expression.predicate ?? "", first.bits, second.bits, operandWidth)
        : computeBits(opcode, first.bits, second.bits, operandWidth);
    return bits === undefined ? undefined : { kind: "bits", bits };
  }
  return foldWithAddress(opcode, first, second, width);
}

const isWhole = ({ from, bytes }: Address, width: number): boolean => from === 0 && bytes * 8 === width;

/** Sums of an address and a number; whole bytes of an address by shifts and masks. */
function foldWithAddress(opcode: string, first: Folded, second: Folded, width: number): Folded | undefined {
  if (first.kind === "address" && second.kind === "address") return foldDifference(opcode, first, second);
  if (first.kind === "bits")
    return opcode === "add" || opcode === "and" || opcode === "or"
      ? foldWithAddress(opcode, second, first, width)
      : undefined;
  const { bits } = second as { readonly bits: bigint };
  switch (opcode) {
    case "add":
      return isWhole(first, width) ? moved(first, BigInt.asIntN(width, bits)) : undefined;
    case "sub":
      return isWhole(first, width) ? moved(first, -BigInt.asIntN(width, bits)) : undefined;
    case "or":
    case "xor":
      return bits === 0n ? first : undefined;
    case "lshr": {
      const shift = Number(bits);
      if (shift % 8 !== 0 || shift >= width) return undefined;
      const bytes = first.bytes - shift / 8;
      return bytes <= 0 ? ZERO : { ...first, from: first.from + shift / 8, bytes };
    }
    case "and":
      return masked(first, bits);
    default:
      return undefined;
  }
}

/** The difference of addresses in one global is a number; with two globals, only the linker could know it. */
function foldDifference(opcode: string, first: Address, second: Address): Folded | undefined {
  const isSame = first.global === second.global && first.generic === second.generic;
  if (opcode !== "sub" || !isSame || first.from > 0 || second.from > 0 || first.bytes !== second.bytes)
    return undefined;
  return { kind: "bits", bits: BigInt.asUintN(first.bytes * 8, first.addend - second.addend) };
}

const moved = (address: Address, by: bigint): Address => ({ ...address, addend: address.addend + by });

/** A mask that keeps the lowest bytes. */
function masked(address: Address, mask: bigint): Folded | undefined {
  for (let bytes = 0; bytes <= address.bytes; bytes++) {
    const kept = BigInt.asUintN(address.bytes * 8, mask);
    if (kept === 2n ** BigInt(bytes * 8) - 1n) return bytes === 0 ? ZERO : { ...address, bytes };
  }
  return undefined;
}

function foldCast(
  { opcode, operands, type }: ConstantExpression,
  value: Folded,
  width: number,
  layout: DataLayout,
): Folded | undefined {
  switch (opcode) {
    case "addrspacecast":
      return value.kind === "address" && type.kind === "pointer"
        ? { ...value, generic: type.space === 0, bytes: Math.min(value.from + width / 8, 8) - value.from }
        : value;
    case "bitcast":
    case "inttoptr":
    case "ptrtoint":
    case "trunc":
    case "zext":
      if (value.kind === "bits") return { kind: "bits", bits: BigInt.asUintN(width, value.bits) };
      // PTX cannot express a part of a byte of an address.
      if (width < value.bytes * 8) return width % 8 === 0 ? { ...value, bytes: width / 8 } : undefined;
      return value;
    case "sext":
      if (value.kind !== "bits") return undefined;
      return {
        kind: "bits",
        bits: BigInt.asUintN(width, BigInt.asIntN(bitsOf(operands[0]!.type, layout) ?? width, value.bits)),
      };
    default:
      return undefined;
  }
}

function foldElementPointer({ operands, sourceType }: ConstantExpression, layout: DataLayout): Folded | undefined {
  const [base, ...indices] = operands;
  const folded = base && foldConstant(base, layout);
  if (folded === undefined || sourceType === undefined) return undefined;
  const numbers: bigint[] = [];
  for (const index of indices) {
    const value = foldConstant(index, layout);
    if (value?.kind !== "bits") return undefined;
    numbers.push(BigInt.asIntN(bitsOf(index.type, layout) ?? 64, value.bits));
  }
  const offset = elementOffset(sourceType, numbers, layout);
  if (offset === undefined) return undefined;
  const width = bitsOf(base!.type, layout) ?? layout.pointerBits;
  if (folded.kind === "address") return isWhole(folded, width) ? moved(folded, offset) : undefined;
  return { kind: "bits", bits: BigInt.asUintN(width, folded.bits + offset) };
}

/**
 * Byte offset of the element that indices select; the first index is in units of `type`. Undefined if the type has no such
 * element.
 */
function elementOffset(type: Type, indices: readonly bigint[], layout: DataLayout): bigint | undefined {
  const [first = 0n, ...inner] = indices;
  let offset = first === 0n ? 0n : first * BigInt(layout.allocSize(type) ?? 0);
  let at = type;
  for (const index of inner) {
    if (at.kind === "struct") {
      const field = at.fields?.[Number(index)];
      if (field === undefined) return undefined;
      offset += BigInt(layout.offsets(at)[Number(index)]!);
      at = field;
    } else if (at.kind === "array" || at.kind === "vector") {
      offset += index * BigInt(layout.allocSize(at.element) ?? 0);
      at = at.element;
    } else return undefined;
  }
  return offset;
}
