// The interface of selection: the body of one function as lines of PTX, each with the location of its IR instruction.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { AbiOptions } from "../abi.js";
import type { Function, GlobalValue, GlobalVariable } from "../ir/global.js";
import type { Instruction } from "../ir/instruction.js";
import type { Module } from "../ir/module.js";

export interface PtxLine {
  /** Without indentation and line end. */
  readonly text: string;
  /** Byte offset of its IR instruction; -1 for declarations. */
  readonly at: number;
  /** That instruction, for its `!dbg`; undefined for declarations and parameter loads. */
  readonly from: Instruction | undefined;
}

export interface PtxBody {
  /** The lines between the braces. */
  readonly lines: readonly PtxLine[];
}

/** How float arithmetic is lowered, under libNVVM's names. */
export interface FloatOptions {
  /** Subnormal f32 operands and results are zero. */
  readonly ftz: boolean;
  /** f32 division is IEEE's; false uses `div.full`. */
  readonly precDiv: boolean;
  /** f32 square roots are IEEE's; false uses `sqrt.approx`. */
  readonly precSqrt: boolean;
  /** Multiply and add fuse everywhere; false: only where both have `contract`. */
  readonly fma: boolean;
}

/** One module's facts, shared by all of its functions. */
export interface SelectContext {
  readonly module: Module;
  readonly abi: AbiOptions;
  readonly float: FloatOptions;
  /** The target: 90 for sm_90. */
  readonly arch: number;
  readonly sink: DiagnosticSink;
  /** The PTX name of a function or variable. */
  nameOf(global: GlobalValue): string;
  /** State space of a variable: "global", "shared", "const". */
  spaceOf(variable: GlobalVariable): string;
  isKernel(fn: Function): boolean;
  /** Alignments in bytes by position, from a function's `align` annotation; undefined if it has none. */
  alignmentsOf(fn: Function): ReadonlyMap<number, number> | undefined;
  /** The body needs this static function of lib/nvvm/lower/helpers.ts. */
  needHelper(name: string): void;
  /** The body needs this PTX version (70 is 7.0) at least. */
  needVersion(version: number): void;
  /** The declaration of a called function without a body or declaration in the module: `vprintf`, `malloc`. */
  needDeclaration(text: string): void;
}
