// The code of one function as every stage after the parser sees it: registers, frame variables and instructions, by index.
// The checker makes it from a function's body, the encoder writes it into .text.<function>, the decoder reads it back, the
// engines execute it. Only what `symbol` indexes differs: a module's symbols in the checker's output, the function's own
// symbol slots (see object/code/encode.ts) in decoded code.

import type { Instruction } from "./instruction.js";
import type { DataType } from "./types.table.js";

/** One register; `%r<5>` makes five. Names are kept for messages and for printing, and are unique within the function. */
export interface Register {
  readonly name: string;
  readonly type: DataType;
  /** Elements of a vector register (.v2 .v4), else 1. */
  readonly vector: 1 | 2 | 4 | 8;
}

/** The layout of a variable or parameter: `.align 8 .v2 .f32 x[3][4]`. Sizes and alignments in bytes. */
export interface Layout {
  readonly type: DataType;
  readonly vector: 1 | 2 | 4 | 8;
  /** Elements in each dimension; undefined for `[]`. */
  readonly dimensions: readonly (number | undefined)[];
  /** Effective: the larger of what `.align` says and the natural alignment of the (vector) type. */
  readonly align: number;
  /** 0 when a dimension is open. */
  readonly size: number;
}

/** A formal parameter, or what a call prototype says of one. */
export interface Parameter {
  readonly name: string;
  /** `reg` parameters are those of device functions before the ABI; their frame variable is a register. */
  readonly space: "param" | "reg";
  readonly layout: Layout;
  /** `.ptr .global .align 16` of a kernel parameter. */
  readonly pointer?: { readonly space: string | undefined; readonly align: number | undefined };
}

export interface Prototype {
  readonly returns: readonly Parameter[];
  readonly parameters: readonly Parameter[];
  readonly noreturn: boolean;
}

/** A variable of the function's frame, per thread. */
export interface FrameVariable {
  readonly name: string;
  /** return and parameter: the formals, in order; param and local: declared in the body. */
  readonly kind: "return" | "parameter" | "param" | "local";
  readonly layout: Layout;
  /** Formals in .reg space: the register that holds them. */
  readonly register?: number;
}

/** A `.loc` in force: file is an index into the module's file table (as written in .file). */
export interface SourceLocation {
  readonly file: number;
  readonly line: number;
  readonly column: number;
  readonly functionName?: { readonly label: string; readonly offset: number };
  readonly inlinedAt?: { readonly file: number; readonly line: number; readonly column: number };
}

/** A register of the module, which a function of PTX before 3.0 uses: each thread has one, whatever function it is in. */
export interface ModuleRegister {
  /** The function's own register, which holds the value while the function runs. */
  readonly register: number;
  /** The symbol that it is. */
  readonly symbol: number;
}

export interface Code {
  readonly registers: readonly Register[];
  /** Formal returns, then formal parameters, then the body's .param and .local variables. */
  readonly variables: readonly FrameVariable[];
  /** Absent where there are none. */
  readonly moduleRegisters?: readonly ModuleRegister[];
  readonly instructions: readonly Instruction[];
  /** Labels with the index of the next instruction; several may have the same. */
  readonly labels: readonly { readonly name: string; readonly target: number }[];
  readonly branchTargets: readonly { readonly name: string; readonly targets: readonly number[] }[];
  readonly callTargets: readonly { readonly name: string; readonly symbols: readonly number[] }[];
  readonly prototypes: readonly { readonly name: string; readonly prototype: Prototype }[];
  readonly locations: readonly SourceLocation[];
  /** `.pragma` strings with the index of the next instruction. */
  readonly pragmas: readonly { readonly before: number; readonly text: string }[];
}

/** The code of a function that has none: a declaration, or one that the system provides. */
export const emptyCode: Code = {
  registers: [],
  variables: [],
  instructions: [],
  labels: [],
  branchTargets: [],
  callTargets: [],
  prototypes: [],
  locations: [],
  pragmas: [],
};
