// The code of one function for every stage after the parser: registers, frame variables and instructions, by index. The checker
// makes it from a function's body, the encoder writes it into .text.<function>, the decoder reads it back, and the engines
// execute it. Only the meaning of `symbol` differs: in the checker's output it indexes the module's symbols, in decoded code the
// function's own symbol slots (see object/code/encode.ts).

import type { Instruction } from "./instruction.js";
import type { DataType } from "./types.table.js";

/** One register; `%r<5>` declares five. Names are kept for messages and for printing, and are unique within the function. */
export interface Register {
  readonly name: string;
  readonly type: DataType;
  /** Elements of a vector register (.v2 .v4), otherwise 1. */
  readonly vector: 1 | 2 | 4 | 8;
}

/** The layout of a variable or parameter: `.align 8 .v2 .f32 x[3][4]`. Sizes and alignments in bytes. */
export interface Layout {
  readonly type: DataType;
  readonly vector: 1 | 2 | 4 | 8;
  /** Elements in each dimension; undefined for `[]`. */
  readonly dimensions: readonly (number | undefined)[];
  /** Effective alignment: the larger of `.align` and the natural alignment of the type, which may be a vector. */
  readonly align: number;
  /** Size in bytes; 0 if a dimension is unsized. */
  readonly size: number;
}

/** A formal parameter, or a parameter in a call prototype. */
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
  /** "return" and "parameter": the formals, in order; "param" and "local": variables declared in the body. */
  readonly kind: "return" | "parameter" | "param" | "local";
  readonly layout: Layout;
  /** For formals in .reg space: the register that holds them. */
  readonly register?: number;
}

/** A `.loc` in force; `file` is an index into the module's file table, as in .file. */
export interface SourceLocation {
  readonly file: number;
  readonly line: number;
  readonly column: number;
  readonly functionName?: { readonly label: string; readonly offset: number };
  readonly inlinedAt?: { readonly file: number; readonly line: number; readonly column: number };
}

/** A module-scope register that the function uses (PTX before 3.0): each thread has one, common to all functions. */
export interface ModuleRegister {
  /** The function's own register, which holds the value while the function runs. */
  readonly register: number;
  /** The symbol of the module-scope register. */
  readonly symbol: number;
}

export interface Code {
  readonly registers: readonly Register[];
  /** Formal returns, then formal parameters, then the body's .param and .local variables. */
  readonly variables: readonly FrameVariable[];
  /** Absent if there are none. */
  readonly moduleRegisters?: readonly ModuleRegister[];
  readonly instructions: readonly Instruction[];
  /** Labels with the index of the next instruction; several labels may have the same index. */
  readonly labels: readonly { readonly name: string; readonly target: number }[];
  readonly branchTargets: readonly { readonly name: string; readonly targets: readonly number[] }[];
  readonly callTargets: readonly { readonly name: string; readonly symbols: readonly number[] }[];
  readonly prototypes: readonly { readonly name: string; readonly prototype: Prototype }[];
  readonly locations: readonly SourceLocation[];
  /** `.pragma` strings with the index of the next instruction. */
  readonly pragmas: readonly { readonly before: number; readonly text: string }[];
}

/** The code of a function without code: a declaration, or one that the system provides. */
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
