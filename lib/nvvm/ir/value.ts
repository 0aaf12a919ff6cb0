// Values of NVVM IR: arguments, instructions, blocks and constants. An operand refers to its value directly; a module is a graph
// that the readers (text, bitcode) build and that is immutable afterwards.

import type { Ranged } from "../../ptx/source-text.js";
import type { GlobalValue } from "./global.js";
import type { BasicBlock, Instruction } from "./instruction.js";
import type { Metadata } from "./metadata.js";
import type { FloatType, FunctionType, IntegerType, Type } from "./type.js";

export type Value = Argument | Instruction | BasicBlock | Constant | InlineAssembly | MetadataValue;

/** A formal parameter of a defined or declared function. */
export interface Argument extends Ranged {
  readonly kind: "argument";
  readonly type: Type;
  /** Without `%` and quotes; numbered arguments have none. */
  readonly name: string | undefined;
  /** From 0. */
  readonly index: number;
}

export type Constant =
  | IntegerConstant
  | FloatConstant
  | PlainConstant
  | AggregateConstant
  | BytesConstant
  | ConstantExpression
  | BlockAddress
  | GlobalValue;

export interface IntegerConstant {
  readonly kind: "integer";
  readonly type: IntegerType;
  /** Unsigned, below 2^bits: `i8 -1` is 255. */
  readonly value: bigint;
}

export interface FloatConstant {
  readonly kind: "float";
  readonly type: FloatType;
  /** The bits of a value of the type's own format: 16, 32, 64, 80 or 128. */
  readonly bits: bigint;
}

/** `null` (pointers), `zeroinitializer` (any type), `undef`, `poison`, `none` (tokens). */
export interface PlainConstant {
  readonly kind: "null" | "zero" | "undef" | "poison" | "none";
  readonly type: Type;
}

/** A structure, array or vector with each element written; `splat (T v)` is one with equal elements. */
export interface AggregateConstant {
  readonly kind: "aggregate";
  readonly type: Type;
  readonly elements: readonly Constant[];
}

/** `c"…"`, and bitcode's arrays of i8. */
export interface BytesConstant {
  readonly kind: "bytes";
  readonly type: Type;
  readonly bytes: Uint8Array;
}

/** A constant expression: an instruction's opcode over constants. */
export interface ConstantExpression extends Ranged {
  readonly kind: "expression";
  /** A binary, cast, compare, select, getelementptr, vector or aggregate opcode. */
  readonly opcode: string;
  readonly type: Type;
  readonly operands: readonly Constant[];
  /** icmp, fcmp. */
  readonly predicate?: string;
  /** getelementptr: the type that the first index strides over. */
  readonly sourceType?: Type;
  /** Bits of instruction.ts's `flag`; undefined if there are none, and in bitcode. */
  readonly flags?: number;
  /** extractvalue, insertvalue. */
  readonly indices?: readonly number[];
}

export interface BlockAddress extends Ranged {
  readonly kind: "blockaddress";
  readonly type: Type;
  readonly function: string;
  readonly block: string;
}

/** `asm sideeffect "…", "=r,r"`: valid only as a callee. */
export interface InlineAssembly extends Ranged {
  readonly kind: "asm";
  /** Type of the called pointer. */
  readonly type: Type;
  readonly functionType: FunctionType;
  /** The text with its escapes resolved. */
  readonly text: string;
  readonly constraints: string;
  readonly sideEffect: boolean;
  readonly alignStack: boolean;
  readonly intelDialect: boolean;
  readonly unwind: boolean;
  /** Byte offset of the text's first byte after its quote, to locate faults in it; undefined in bitcode. */
  readonly textStart: number | undefined;
}

/** `metadata …` as an argument of a call. */
export interface MetadataValue extends Ranged {
  readonly kind: "metadata";
  readonly type: Type;
  readonly metadata: Metadata;
}
