// The checker's output: one module in which every name is resolved, every instruction matched to a row of the isa table, every
// type sized, and every initialiser folded to bytes and fix-ups. No later stage reads text again. PTX ISA 9.0 sections 5.4
// (variables), 7.1 (functions) and chapter 11 (directives); initialisers: section 5.4.4.

import type { PtxVersion } from "../isa/targets.table.js";
import type { VariableAlias } from "../ptx/source-text.js";
import type { OtherAddressSize } from "./address-size.js";
import type { OpaqueField, OpaqueTypeName } from "../isa/opaque-fields.table.js";
import type { TextPlace } from "../diag/diagnostic.js";
import type { Code, Layout, Prototype } from "../isa/code.js";
import type { Target } from "../isa/requirement.js";
import type { ConstantBank } from "../isa/state-spaces.table.js";
import type { SectionDirective } from "../ptx/tree.js";

/** How other modules see a name; `static` is PTX without a linkage directive. */
export type Linkage = "static" | "visible" | "weak" | "common" | "extern";

/**
 * State space of a module-scope variable. `local` and `reg` are from PTX before 3.0: each thread has its own copy, which all
 * functions share. Variables in banks other than 0 are unsized .extern arrays whose contents a driver provides.
 */
export type VariableSpace = "global" | "const" | "shared" | "local" | "reg" | ConstantBank;

interface Declared {
  readonly name: string;
  readonly linkage: Linkage;
  /** Place of the definition or, without one, of the first declaration. */
  readonly place: TextPlace;
}

export interface Variable extends Declared {
  readonly kind: "variable";
  readonly space: VariableSpace;
  readonly layout: Layout;
  readonly managed: boolean;
  readonly unified?: readonly [bigint, bigint];
  /**
   * For a variable declared inside a function (.shared, .global or .const): the function's name. Its own name is then
   * `$__<name>__<n>`, as in ptxas.
   */
  readonly scope?: string;
  /** Present if the text has an initialiser with at least one value: with `.u32 x = 0`, but not with `= {}`. */
  readonly initial?: InitialValue;
}

/** Bytes of the whole variable, zero where a fix-up will write. */
export interface InitialValue {
  readonly bytes: Uint8Array;
  /** In the order of offsets. */
  readonly fixups: readonly Fixup[];
}

/**
 * A field of an initialiser whose value is known only when symbols have addresses. `address` is the address in the symbol's own
 * state space, `generic` its generic address (the two differ for .const). Functions and kernels have only `address`.
 */
export interface Fixup {
  /** Byte offset in the variable. */
  readonly offset: number;
  /** Bytes of the field: 4 or 8, or the size of the element that holds a masked byte. */
  readonly width: number;
  readonly kind: "address" | "generic";
  /** Index into the module's symbols. */
  readonly symbol: number;
  readonly addend: bigint;
  /** mask(): the byte of the address, 0 for the lowest; it is zero-extended to the field. */
  readonly byte?: number;
}

/** Texture, sampler and surface references: names that a driver binds. */
export interface OpaqueReference extends Declared {
  readonly kind: "reference";
  readonly type: OpaqueTypeName;
  readonly layout: Layout;
  /** The fields that its declaration sets; absent if it sets none. */
  readonly fields?: readonly OpaqueField[];
}

export interface FunctionSymbol extends Declared {
  readonly kind: "function";
  /** A kernel: .entry. */
  readonly entry: boolean;
  readonly prototype: Prototype;
  /** Chapter 11.4: maxntid, reqntid, minnctapersm, maxnreg, maxclusterrank ... with their values. */
  readonly directives: readonly {
    readonly name: string;
    readonly values: readonly number[];
    readonly strings: readonly string[];
  }[];
  readonly unified?: readonly [bigint, bigint];
  /** Absent for a declaration. */
  readonly code?: Code;
  /** For `.alias a, b` in the symbol of a: index of b. */
  readonly alias?: number;
}

export type ModuleSymbol = Variable | FunctionSymbol | OpaqueReference;

/** An alias of a variable, with its place in the NVVM IR. */
export interface ModuleAlias extends VariableAlias {
  readonly place: TextPlace;
}

/** A module that passed every check: its target, symbols and functions, with instructions matched to the table. */
export interface CheckedModule {
  /** The source file's name, as the user gave it. */
  readonly name: string;
  readonly version: PtxVersion;
  readonly target: Target;
  /** Further words of .target: texmode_independent, debug, map_f64_to_f32. */
  readonly targetOptions: readonly string[];
  /** Absent where addresses have 64 bits. */
  readonly addressSize?: OtherAddressSize;
  /** Line of .target, from 1; 0 if there is none. */
  readonly targetLine: number;
  /** Every module-scope name once, in order of first declaration, and the .shared, .global and .const variables of functions. */
  readonly symbols: readonly ModuleSymbol[];
  /**
   * Indices of `symbols` in the order of placement, if that differs. ptxas declares the .global and .const variables of a block
   * when the block ends, so that those of inner blocks come first.
   */
  readonly order?: readonly number[];
  /** Aliases of variables, in a module compiled from NVVM IR. */
  readonly aliases?: readonly ModuleAlias[];
  /** `.file` entries. */
  readonly files: readonly { readonly index: number; readonly path: string }[];
  /** DWARF sections, kept as in the text. */
  readonly debugSections: readonly SectionDirective[];
}
