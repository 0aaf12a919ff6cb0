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
//     a         a register or immediate
//     $a        a register only            #a   an immediate only            +d   read and written
//     [a]       an address                 [a, b, c]   with further items in the brackets
//     [t:texref] a texture, sampler or surface: a variable of that opaque type, or its address in a register
//     x{|y}     a pair whose second half may be left out;  x|y   a pair
//     {!}c      may be negated            {-}a  may have a minus sign (vmad)
//     {_}d      may be left out by writing the sink `_`; elements of a written vector always may
//     %a        may be a special register    &a  may be the name of a variable, for its address
//     ^a        may be the name of a function, for its address
//     {, c}     may be left out; one operand to a pair of braces
//     (r)       a parenthesised list, as call has
//     _         the sink, which has to be written (mbarrier.arrive on a remote barrier)
// Behind the name, in this order, each of them optional:
//     {.sel}    a selector may follow the operand: one of selectors.ts (bytes and half-words of video instructions)
//     :type     the type, as described below
//     >         the register may be wider than the type (section 9.4.1: ld, st, cvt and their kin)
//     !         the register is declared with that type: no integer for .b32
//     *count    the length of a vector operand; `*~count` allows a single element without braces
//     =values   what an immediate may be: `=4,8,16`, `=24..256/8` (a step of 8), `=>0..1` (a float above 0, up to 1)
//     ?cond     present if and only if the condition on the chosen modifiers holds: `pol:b64?hint`; with two question
//               marks, optional if it holds; `?a&b` for two conditions
//     @needs    what its use needs beyond the rest: `{|p:pred@7.1:sm_60}`
// A colon precedes the type: a type's name, a slot's name, `wide` (twice the slot named type), `bits` (bit type of that
// size), `split` (registers that together have the size), `any`, or a rule of rules.ts written `@rule`; or, for operands without
// a value, `label`, `labels`, `callee`, `prototype`, `symbol`. Without a colon it is the slot or literal type that the
// opcode has exactly once, or the slot named `type`. A star and a number, a slot (v2, v4, v8) or `any` gives the length of
// a vector operand.
//
// Combinations that the slots alone would allow too freely are narrowed by `limits`, one sentence each, "IF -> THEN":
//     "vec=v8 -> type=b32|u32|s32|f32"     where vec is v8, type must be one of those
//     "vec=v4 type=b64|f64 -> @8.8:sm_100" where both hold, this is needed as well
//     "scope !sem -> never"                the two conditions exclude each other
//     "dtype=bf16 -> narrow"               no register is wider than its type, whatever `>` says
//     "!rnd -> until 1.3"                  only modules of up to that PTX version have it (with ":sm_90": or of older targets)
// A condition is `slot` (chosen), `!slot` (left out), `slot=a|b` or `slot!=a|b` (which a slot left out satisfies). Several, separated by blanks, must all
// hold. A row is split only where the meaning differs in kind: limits keep one row, and one key for exec, per meaning.
//
// Rejected: rows as object literals (four times the text, and hard to compare with the manual), and a grammar
// per family in code (the next instruction would be machinery, not data).

import type { DataType } from "./types.table.js";
import type { Requirement } from "./requirement.js";
import type { Trait } from "./traits.js";

/** A row as written in lib/isa/rows/*.table.ts. */
export interface Row {
  /** Stable and unique, e.g. "add.f32": the key of exec's and timing's tables. */
  readonly id: string;
  /** Properties for other stages (traits.ts). */
  readonly traits?: readonly Trait[];
  readonly syntax: string;
  /** Choices of each slot, separated by blanks. */
  readonly slots?: Readonly<Record<string, string>>;
  /**
   * Requirements of every use: "2.0", "7.0:sm_80", "8.6:sm_100f
   * sm_120f", "7.8:sm_90
   * 8.1:sm_89" (see requirement.ts).
   */
  readonly needs: string;
  /** When the form was removed: its last PTX version, and the first target without it ("6.3:sm_70"); without a target ("3.1"), from all. */
  readonly until?: string;
  /** Combinations that are narrower than the slots: "vec=v8 -> type=b32|f32". */
  readonly limits?: readonly string[];
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

/** A condition on one slot's choice: it is among `texts` (undefined: any), or, negated, is not (or is omitted). */
export interface Condition {
  readonly slot: number;
  readonly texts: readonly string[] | undefined;
  readonly negated: boolean;
}

/** Where all of `when` hold, `then` applies. */
export interface Limit {
  readonly when: readonly Condition[];
  readonly then:
    | { readonly kind: "never" }
    | { readonly kind: "narrow" }
    | { readonly kind: "must"; readonly conditions: readonly Condition[] }
    | { readonly kind: "needs"; readonly needs: Requirement };
  /** The text of the row, for messages. */
  readonly text: string;
}

/** The kinds of operand that a place accepts. */
export type OperandKind =
  | "value"
  | "register"
  | "immediate"
  | "address"
  | "list"
  | "label"
  | "labels"
  | "callee"
  | "prototype"
  | "symbol"
  /** `_`, which has to be written. */
  | "sink";

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

/** How many elements a vector operand has; `undefined` is a scalar without braces, "any" one or more. */
export type CountRule = undefined | number | { readonly slot: number } | "any";

export interface OperandSpec {
  readonly name: string;
  readonly kind: OperandKind;
  readonly access: "read" | "write" | "read-write";
  readonly type: TypeRule;
  readonly count: CountRule;
  /** A vector of one element may be written without its braces. */
  readonly bare: boolean;
  /** May be left out, then so are all later ones of the same group. */
  readonly optional: boolean;
  /** Stands there only where these hold, and has to where it is `demanded`; it is also `optional`. Empty: no condition. */
  readonly condition: readonly Condition[];
  readonly demanded: boolean;
  /** The module's version and target that the operand requires. */
  readonly needs: Requirement;
  /** `!p` is allowed. */
  readonly negatable: boolean;
  /** `-a` is allowed. */
  readonly signed: boolean;
  /**
   * The whole operand may be `_`: the result is discarded. Elements of a written vector may always be `_`; for a vector that is
   * read, this allows it for elements of 256 bits.
   */
  readonly discardable: boolean;
  /** Accepts a special register: mov and cvt. */
  readonly special: boolean;
  /** Accepts a variable's name, as its address: cvta, mapa, getctarank. */
  readonly addressOf: boolean;
  /** Accepts a function's name, as its address, and no variable's: cvta.to, as in ptxas. */
  readonly functionOf: boolean;
  /** Whether an immediate has one of the values that the instruction can have. */
  readonly values?: (value: bigint) => boolean;
  /** The same for floats. */
  readonly floats?: (value: number) => boolean;
  /** Those values in words, for messages. */
  readonly valuesText?: string;
  /** The register may be wider than the type (section 9.4.1), unless a limit says otherwise: OperandShape has that. */
  readonly wider: boolean;
  /** The register has the type itself: ptxas takes no other for the bits of some conversions. */
  readonly exact: boolean;
  /** Which selectors may follow: a key of selectors.ts. */
  readonly selector?: string;
  /** Second half of `d|p`. */
  readonly pair?: { readonly spec: OperandSpec; readonly optional: boolean };
  /** Further items inside an address's brackets. */
  readonly rest: readonly OperandSpec[];
}

export interface Form {
  readonly id: string;
  /** Base opcode: the text before the first dot. */
  readonly opcode: string;
  readonly traits: ReadonlySet<Trait>;
  readonly slots: readonly Slot[];
  readonly operands: readonly OperandSpec[];
  readonly needs: Requirement;
  readonly limits: readonly Limit[];
  readonly section: string;
  readonly syntax: string;
}

/** The index of the slot of that name, or -1. */
export function slotNamed(slots: readonly Slot[], name: string): number {
  return slots.findIndex((slot) => slot.name === name);
}
