// Results of the debugger's expressions, and the names that an expression may use.

import type { Frame } from "../exec/state/frame.js";
import type { DataType } from "../isa/types.table.js";
import type { MemoryContext, NamedMemory } from "./memory.js";
import type { Member, SourceType } from "./source/types.js";
import type { Value } from "./values.js";

/** The names visible to a lane, and its frame. */
export interface Scope {
  readonly frame: Frame;
  readonly lane: number;
  readonly context: MemoryContext;
  /** Variables, parameters and buffers; inner scopes first. */
  readonly memories: readonly NamedMemory[];
  /** The register that holds a variable of the frame; undefined if it is in memory. */
  readonly registerOf: (name: string) => number | undefined;
  readonly registerVariables: () => readonly string[];
  /** Variables of C++, those of inner blocks first; none without debug information. */
  readonly source: SourceScope;
  /** The scope of another lane in the same frame. */
  readonly inLane: (lane: number) => Scope;
}

export interface SourceScope {
  /** Variables and parameters of the function. A name that an inner block declares again is followed by its line. */
  readonly locals: () => readonly SourceObject[];
  /** Variables of the function's compilation unit. */
  readonly globals: () => readonly SourceObject[];
  readonly find: (name: string) => SourceObject | undefined;
}

export type ValuePlace =
  | {
      readonly kind: "register";
      readonly frame: Frame;
      readonly register: number;
      readonly lane: number;
      readonly element?: string;
    }
  | { readonly kind: "memory"; readonly context: MemoryContext; readonly address: number };

export interface ValueResult {
  readonly kind: "value";
  readonly value: Value;
  readonly place?: ValuePlace;
  /** The target type of a pointer. */
  readonly pointsTo?: DataType;
  /** The declared C++ type. */
  readonly declared?: SourceType;
}

export type Result =
  | ValueResult
  /** A variable, or a row of an array. */
  | { readonly kind: "memory"; readonly memory: NamedMemory; readonly context: MemoryContext }
  /** A structure or an array of C++. */
  | { readonly kind: "object"; readonly object: SourceObject };

export interface SourceObject {
  /** An expression for the object or, if no expression names it, a text. */
  readonly name: string;
  /** Set if an inner block has another variable of that name. */
  readonly isHidden?: true;
  readonly type: SourceType;
  readonly place: ObjectPlace;
  /** The memory in which its pointers are followed. */
  readonly context: MemoryContext;
  /** The position of a bit field. */
  readonly bits?: Member["bits"];
}

export type ObjectPlace =
  | { readonly kind: "memory"; readonly address: number }
  | { readonly kind: "register"; readonly frame: Frame; readonly register: number; readonly lane: number }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** `why`: the reason why there is no value. */
  | { readonly kind: "none"; readonly why: string };
