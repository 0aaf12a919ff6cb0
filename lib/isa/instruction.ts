// The decoded instruction: the checker makes it from a statement, the encoder writes it and the decoder reads it back, the
// engines bind it and the timing model classifies it. It refers to table rows and indices, never to names: registers index the
// function's register table, frame variables its variable table, symbols the symbol table of the function's container (a module,
// an object, an image).
//
// Operands are values, never compared by identity. Those that are only an index are created once and shared by all instructions
// of all functions, which halves the memory of code.

import type { Opcode } from "./opcode.js";

/** `@p` or `@!p`: register index of a predicate. */
export interface Guard {
  readonly register: number;
  readonly negated: boolean;
}

/** Base of an address or of an address-valued operand. */
export type Base =
  | { readonly kind: "register"; readonly register: number }
  /** Module-scope variable or function. */
  | { readonly kind: "symbol"; readonly symbol: number }
  /** Formal parameter, or a .param or .local variable of the body. */
  | { readonly kind: "variable"; readonly variable: number }
  /** A literal address. */
  | { readonly kind: "absolute" };

export type Operand =
  | {
      readonly kind: "register";
      readonly register: number;
      /** Video instructions' byte and half-word selectors: "b0" to "b3210", "h0", "h1", "h10". */
      readonly selector?: string;
      readonly negated?: boolean;
    }
  /** `name` is a row of special-registers.table.ts with its component: "tid.x". */
  | { readonly kind: "special"; readonly name: string }
  /**
   * Bits of the operand's type, zero-extended; IEEE bits for floats, 0 or 1 for predicates. If the operand has no type of its own
   * there are 64 bits. In a vector that makes up a type (`split`), there are as many as in the other elements.
   */
  | { readonly kind: "immediate"; readonly bits: bigint }
  /** An address as a value: `mov.u64 d, table+8`; also a function's name as a value. */
  | { readonly kind: "address-of"; readonly base: Base; readonly offset: bigint }
  /** `[base+offset]`, in bytes; `rest` has further items, such as coordinates. */
  | {
      readonly kind: "address";
      readonly base: Base;
      readonly offset: bigint;
      readonly rest: readonly Operand[];
      /** `[a].unified`: the memory has the same contents on all GPUs. */
      readonly unified?: true;
    }
  | { readonly kind: "vector"; readonly elements: readonly Operand[] }
  | { readonly kind: "pair"; readonly first: Operand; readonly second: Operand }
  /** Arguments and results of call. */
  | { readonly kind: "list"; readonly elements: readonly Operand[] }
  /** Index into the function's instructions; it may be one past the last. */
  | { readonly kind: "label"; readonly target: number }
  /** Index into the function's branch-target tables, call-target tables or prototypes. */
  | { readonly kind: "table"; readonly table: "branch-targets" | "call-targets" | "prototypes"; readonly index: number }
  | { readonly kind: "sink" };

export interface Instruction {
  readonly opcode: Opcode;
  readonly guard: Guard | undefined;
  /** Parallel to `opcode.form.operands`; undefined for an omitted optional operand. */
  readonly operands: readonly (Operand | undefined)[];
  /** Line in the PTX text, from 1; 0 if unknown. */
  readonly line: number;
  /** Index into the function's `locations` (the .loc in force), or -1. */
  readonly location: number;
}

/** Values for larger indices are not shared. */
const mostShared = 1 << 16;

function sharedByIndex<T>(make: (index: number) => T): (index: number) => T {
  const made: T[] = [];
  return (index) => {
    if (index < made.length) return made[index]!;
    if (index >= mostShared) return make(index);
    while (made.length <= index) made.push(make(made.length));
    return made[index]!;
  };
}

/** A register as an operand, and as the base of an address. */
export interface RegisterOperand {
  readonly kind: "register";
  readonly register: number;
}

export const registerOperand: (index: number) => RegisterOperand = sharedByIndex((register) => ({
  kind: "register",
  register,
}));

/** A symbol as the base of an address. */
export const symbolBase: (index: number) => Base = sharedByIndex((symbol) => ({ kind: "symbol", symbol }));

/** A frame variable as the base of an address. */
export const variableBase: (index: number) => Base = sharedByIndex((variable) => ({ kind: "variable", variable }));

/** Constants below this are shared. */
export const smallImmediates = 1024;

/** A small constant, shared. */
export const smallImmediate: (bits: number) => Operand = sharedByIndex((bits) => ({
  kind: "immediate",
  bits: BigInt(bits),
}));

/** A constant; small ones, which are frequent, are shared. */
export const immediateOperand = (bits: bigint): Operand =>
  bits < smallImmediates ? smallImmediate(Number(bits)) : { kind: "immediate", bits };

export const absoluteBase: Base = { kind: "absolute" };

export const sinkOperand: Operand = { kind: "sink" };

/** `@p`. */
export const plainGuard: (register: number) => Guard = sharedByIndex((register) => ({ register, negated: false }));

/** `@!p`. */
export const negatedGuard: (register: number) => Guard = sharedByIndex((register) => ({ register, negated: true }));
