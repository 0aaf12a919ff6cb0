// One row of the instruction table, and the little language that rows are written in. A row is one syntax line of PTX ISA
// 9.0 chapter 9.7, close to how the manual prints it:
//
//     setp.cmp.boolop{.ftz}.type  p{|q}, a, b, {!}c:pred
//
// Before the first blank: the opcode and its modifier slots. `.word` is a slot when the row's `slots` (or the shared sets)
// define the word, otherwise a literal that must be written; `{.x}` may be left out. A slot's choices are written
// "rn rz rs@8.6:sm_100a": the third needs PTX 8.6 and sm_100a.
//
// After it: the operands, separated by commas.
//     d         a register that is written (names d, p and q), any other name is read
//     a         a register, special register or immediate
//     $a        a register only            #a   an immediate only            +d   read and written
//     [a]       an address                 [a, b, c]   with further items in the brackets
//     x{|y}     a pair whose second half may be left out;  x|y   a pair
//     {!}c      may be negated
//     {, c}     may be left out, with all that follows in the braces
//     (r)       a parenthesised list, as call has
// Behind a colon stands the type: a type's name, a slot's name, `wide` (twice the slot named type), `bits` (bit type of that
// size), `split` (registers that together have the size), `any`, or a rule of rules.ts written `@rule`; or, where no value
// stands, `label`, `labels`, `callee`, `prototype`, `symbol`. Without a colon it is the slot or literal type that the
// opcode has exactly once, or the slot named `type`. A star and a number, a slot (v2, v4, v8) or `any` gives the length of
// a vector operand.
//
// Rejected: rows as object literals (four times the text, and nobody can hold them against the manual), and a grammar
// per family in code (the next instruction would be machinery, not data).

import type { DataType } from "./types.table.js";
import type { Requirement } from "./requirement.js";

/** A row as written in lib/isa/rows/*.table.ts. */
export interface Row {
  /** Stable and unique, e.g. "add.f32": the key of exec's and timing's tables. */
  readonly id: string;
  readonly syntax: string;
  /** Choices of each slot, separated by blanks. */
  readonly slots?: Readonly<Record<string, string>>;
  /** What every use needs: "2.0" or "7.0:sm_80" or "8.6:sm_100a|sm_120a". */
  readonly needs: string;
  /** The section of PTX ISA 9.0 that defines it. */
  readonly section: string;
}

export interface Choice {
  /** Without the dot. */
  readonly text: string;
  readonly needs: Requirement;
}

/** A place for one modifier. A literal is a slot with one choice and no name. */
export interface Slot {
  readonly name: string | undefined;
  readonly choices: readonly Choice[];
  readonly optional: boolean;
}

/** What may stand at an operand's place. */
export type OperandKind =
  "value" | "register" | "immediate" | "address" | "list" | "label" | "labels" | "callee" | "prototype" | "symbol";

/** Where an operand's type comes from. */
export type TypeRule =
  | { readonly kind: "fixed"; readonly type: DataType }
  | { readonly kind: "slot"; readonly slot: number }
  | { readonly kind: "wide"; readonly slot: number }
  | { readonly kind: "bits"; readonly slot: number }
  /** Registers of one size that together have the bits of the slot's type. */
  | { readonly kind: "split"; readonly slot: number }
  | { readonly kind: "rule"; readonly rule: string }
  | { readonly kind: "any" };

/** How many elements a vector operand has; `undefined` is a scalar without braces. */
export type CountRule = undefined | number | { readonly slot: number } | "any";

export interface OperandSpec {
  readonly name: string;
  readonly kind: OperandKind;
  readonly access: "read" | "write" | "read-write";
  readonly type: TypeRule;
  readonly count: CountRule;
  /** May be left out, then so are all later ones of the same group. */
  readonly optional: boolean;
  /** `!p` is allowed. */
  readonly negatable: boolean;
  /** Second half of `d|p`. */
  readonly pair?: { readonly spec: OperandSpec; readonly optional: boolean };
  /** Further items inside an address's brackets. */
  readonly rest: readonly OperandSpec[];
}

export interface Form {
  readonly id: string;
  /** Base opcode: what stands before the first dot. */
  readonly opcode: string;
  readonly slots: readonly Slot[];
  readonly operands: readonly OperandSpec[];
  readonly needs: Requirement;
  readonly section: string;
  readonly syntax: string;
}
