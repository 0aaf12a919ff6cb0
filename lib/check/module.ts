// The checker's output: one module in which every name is resolved, every instruction matched to a row of the isa table,
// every type sized, and every initialiser folded to bytes and fix-ups. No later stage reads text again.
// PTX ISA 9.0 sections 5.4 (variables), 7.1 (functions), 10.? and 11 (directives); initialisers: section 5.4.4.

import type { PtxVersion } from "../isa/targets.table.js";
import type { VariableAlias } from "../ptx/source-text.js";
import type { OtherAddressSize } from "./address-size.js";
import type { OpaqueField, OpaqueTypeName } from "../isa/opaque-fields.table.js";
import type { TextPlace } from "../diag/diagnostic.js";
import type { Code, Layout, Prototype } from "../isa/code.js";
import type { Target } from "../isa/requirement.js";
import type { ConstantBank } from "../isa/state-spaces.table.js";
import type { SectionDirective } from "../ptx/tree.js";

/** How a name is seen by other modules; `static` is what PTX gives a name without a linkage directive. */
export type Linkage = "static" | "visible" | "weak" | "common" | "extern";

/**
 * State space of a module-scope variable. `local` and `reg` are from PTX before 3.0: each thread has its own copy, which all
 * functions share. The only variables of banks other than 0 are arrays for contents that a driver put there.
 */
export type VariableSpace = "global" | "const" | "shared" | "local" | "reg" | ConstantBank;

interface Declared {
  readonly name: string;
  readonly linkage: Linkage;
  /** Where it is declared; the definition where there is one. */
  readonly place: TextPlace;
}

export interface Variable extends Declared {
  readonly kind: "variable";
  readonly space: VariableSpace;
  readonly layout: Layout;
  readonly managed: boolean;
  readonly unified?: readonly [bigint, bigint];
  /**
   * A variable declared inside a function (.shared, .global or .const there): the function's name. Its own name is then
   * `$__<name>__<n>`, as ptxas names it.
   */
  readonly scope?: string;
  /** Present when the text has an initialiser with at least one value; `.u32 x = 0` counts, `= {}` does not. */
  readonly initial?: InitialValue;
}

/** Bytes of the whole variable, zero where a fix-up will write. */
export interface InitialValue {
  readonly bytes: Uint8Array;
  /** In order of their offsets. */
  readonly fixups: readonly Fixup[];
}

/**
 * A place in an initialiser whose value is known only when symbols have addresses.
 * `address`: the address in the symbol's own state space; `generic`: its generic address (the two differ for .const);
 * functions and kernels have only `address`.
 */
export interface Fixup {
  /** Bytes from the variable's start. */
  readonly offset: number;
  /** Bytes of the holder: 4 or 8, or the width of what holds a masked byte. */
  readonly width: number;
  readonly kind: "address" | "generic";
  /** Index into the module's symbols. */
  readonly symbol: number;
  readonly addend: bigint;
  /** mask(): which byte of the address is taken, 0 the lowest; it is stored zero-extended to the holder. */
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
  /** `.alias a, b`: this name is an alias of the module's symbol `alias`. */
  readonly alias?: number;
}

export type ModuleSymbol = Variable | FunctionSymbol | OpaqueReference;

/** An alias with its place in the NVVM IR. */
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
  /** Line of .target, from 1; 0 where there is none. */
  readonly targetLine: number;
  /** Every module-scope name once, in order of first declaration, and function-scope .shared/.global/.const variables. */
  readonly symbols: readonly ModuleSymbol[];
  /**
   * All indices of `symbols` in the order that placement goes by, where it is not theirs: ptxas declares the .global and
   * .const variables of a block when the block ends, so that those of blocks inside it come first.
   */
  readonly order?: readonly number[];
  /** Aliases of variables, of a module whose text was made of NVVM IR. */
  readonly aliases?: readonly ModuleAlias[];
  /** `.file` entries. */
  readonly files: readonly { readonly index: number; readonly path: string }[];
  /** DWARF sections, kept as written. */
  readonly debugSections: readonly SectionDirective[];
}
