// The types of an instruction table's row, and the language of rows. A row is one syntax line of PTX ISA 9.0 chapter 9.7, close
// to how the manual prints it:
//
//     setp.cmp.boolop{.ftz}.type  p{|q}, a, b, {!}c:pred
//
// Before the first blank: the opcode and its modifier slots. `.word` is a slot when the row's `slots` (or the shared sets) define
// the word, otherwise a literal that must be written; `{.x}` may be omitted. A slot's choices are written "rn rz rs@8.6:sm_100a":
// the third needs PTX 8.6 and sm_100a.
//
// After it: the operands, separated by commas.
//     d         a written register (names d, p and q); any other name is read
//     a         a register or immediate
//     $a        a register only            #a   an immediate only            +d   read and written
//     [a]       an address                 [a, b, c]   with further items in the brackets
//     [t:texref] a texture, sampler or surface: a variable of that opaque type, or its address in a register
//     x{|y}     a pair whose second half may be omitted;  x|y   a pair
//     {!}c      may be negated            {-}a  may have a minus sign (vmad)
//     {_}d      may be the sink `_`; elements of a written vector always may
//     %a        may be a special register    &a  may be the name of a variable, for its address
//     ^a        may be the name of a function, for its address
//     {, c}     may be omitted; one operand to a pair of braces
//     (r)       a parenthesised list, as in call
//     _         the sink, which is required (mbarrier.arrive on a remote barrier)
// After the name, in this order, each of them optional:
//     {.sel}    a selector may follow the operand: one of selectors.ts (bytes and half-words of video instructions)
//     :type     the type, as described below
//     >         the register may be wider than the type (section 9.4.1: ld, st, cvt and similar)
//     !         the register must be declared with that type: no integer for .b32
//     *count    the length of a vector operand; `*~count` allows a single element without braces
//     =values   the values of an immediate: `=4,8,16`, `=24..256/8` (a step of 8), `=>0..1` (a float above 0, up to 1)
//     ?cond     present if and only if the condition on the chosen modifiers holds: `pol:b64?hint`; with two question
//               marks, optional if it holds; `?a&b` for two conditions
//     @needs    additional requirements of its use: `{|p:pred@7.1:sm_60}`
// A colon precedes the type: a type's name, a slot's name, `wide` (twice the slot named type), `bits` (bit type of that size),
// `split` (registers that together have the size), `any`, or a rule of rules.ts written `@rule`; or, for operands without a
// value, `label`, `labels`, `callee`, `prototype`, `symbol`. Without a colon it is the slot or literal type that the opcode has
// exactly once, or the slot named `type`. A star and a number, a slot (v2, v4, v8) or `any` gives the length of a vector operand.
//
// `limits` exclude combinations that the slots alone would allow, one sentence each, "IF -> THEN":
//     "vec=v8 -> type=b32|u32|s32|f32"     if vec is v8, type must be one of those
//     "vec=v4 type=b64|f64 -> @8.8:sm_100" if both hold, this is required as well
//     "scope !sem -> never"                the conditions exclude each other
//     "dtype=bf16 -> narrow"               no register is wider than its type, whatever `>` says
//     "!rnd -> until 1.3"                  valid in modules up to that PTX version only (with ":sm_90": or of older targets)
// A condition is `slot` (chosen), `!slot` (omitted), `slot=a|b` or `slot!=a|b` (which an omitted slot satisfies). Several,
// separated by blanks, must all hold. A row is split only if its meanings differ in kind: limits allow one row, and one key for
// exec, per meaning.
//
// Rejected: rows as object literals (four times the text, and hard to compare with the manual), and a grammar per family in code
// (the next instruction would be machinery, not data).

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
  /**
   * The last PTX version of a removed form, and the first target without it ("6.3:sm_70"); without a target ("3.1") it is removed
   * for all.
   */
  readonly until?: string;
  /** Restrictions of the slots' combinations: "vec=v8 -> type=b32|f32". */
  readonly limits?: readonly string[];
  /** The section of PTX ISA 9.0 that defines it. */
  readonly section: string;
}

export interface Choice {
  /** The modifier without the dot. */
  readonly text: string;
  readonly needs: Requirement;
}

/** A position for one modifier. A literal is a slot with one choice and no name. */
export interface Slot {
  readonly name: string | undefined;
  readonly choices: readonly Choice[];
  readonly optional: boolean;
}

/** A condition on one slot's choice: it is in `texts` (undefined: any choice). If negated: it is not, or the slot is omitted. */
export interface Condition {
  readonly slot: number;
  readonly texts: readonly string[] | undefined;
  readonly negated: boolean;
}

/** If all of `when` hold, `then` applies. */
export interface Limit {
  readonly when: readonly Condition[];
  readonly then:
    | { readonly kind: "never" }
    | { readonly kind: "narrow" }
    | { readonly kind: "must"; readonly conditions: readonly Condition[] }
    | { readonly kind: "needs"; readonly needs: Requirement };
  /** The limit's text in the row, for messages. */
  readonly text: string;
}

/** The kinds of operand that are accepted. */
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
  /** `_`, which is required. */
  | "sink";

/** Source of an operand's type. */
export type TypeRule =
  | { readonly kind: "fixed"; readonly type: DataType }
  | { readonly kind: "slot"; readonly slot: number }
  | { readonly kind: "wide"; readonly slot: number }
  | { readonly kind: "bits"; readonly slot: number }
  /** Registers of one size that together have as many bits as the slot's type. */
  | { readonly kind: "split"; readonly slot: number }
  | { readonly kind: "rule"; readonly rule: string }
  | { readonly kind: "any" };

/** Number of elements of a vector operand; undefined for a scalar without braces, "any" for one or more. */
export type CountRule = undefined | number | { readonly slot: number } | "any";

export interface OperandSpec {
  readonly name: string;
  readonly kind: OperandKind;
  readonly access: "read" | "write" | "read-write";
  readonly type: TypeRule;
  readonly count: CountRule;
  /** A vector of one element may be written without its braces. */
  readonly bare: boolean;
  /** May be omitted; then all later operands of the same group are omitted, too. */
  readonly optional: boolean;
  /**
   * Conditions under which the operand is allowed or, if `demanded`, required; such an operand is also `optional`. Empty: no
   * condition.
   */
  readonly condition: readonly Condition[];
  readonly demanded: boolean;
  /** Requirements of the operand on the module's version and target. */
  readonly needs: Requirement;
  /** `!p` is allowed. */
  readonly negatable: boolean;
  /** `-a` is allowed. */
  readonly signed: boolean;
  /**
   * The whole operand may be `_`, which discards the result. Elements of a written vector may always be `_`; for a vector that is
   * read, this allows it for elements of 256 bits.
   */
  readonly discardable: boolean;
  /** Accepts a special register: mov and cvt. */
  readonly special: boolean;
  /** Accepts a variable's name, as its address: cvta, mapa, getctarank. */
  readonly addressOf: boolean;
  /** Accepts a function's name, as its address, and no variable's: cvta.to, as in ptxas. */
  readonly functionOf: boolean;
  /** Tests whether the instruction allows the value of an immediate. */
  readonly values?: (value: bigint) => boolean;
  /** `values` for floats. */
  readonly floats?: (value: number) => boolean;
  /** The allowed values as text, for messages. */
  readonly valuesText?: string;
  /** The register may be wider than the type (section 9.4.1), unless a limit forbids it: OperandShape has the result. */
  readonly wider: boolean;
  /** The register must have exactly this type: ptxas accepts no other for the bits of some conversions. */
  readonly exact: boolean;
  /** The selectors that may follow: a key of selectors.ts. */
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

/** Index of the slot with that name, or -1. */
export function slotNamed(slots: readonly Slot[], name: string): number {
  return slots.findIndex((slot) => slot.name === name);
}
