// What an expression of the debugger is evaluated to, and the names that it may use.

import type { Frame } from "../exec/state/frame.js";
import type { DataType } from "../isa/types.table.js";
import type { MemoryContext, NamedMemory } from "./memory.js";
import type { Member, SourceType } from "./source/types.js";
import type { Value } from "./values.js";

/** Where a lane is: its frame and what it sees by name. */
export interface Scope {
  readonly frame: Frame;
  readonly lane: number;
  readonly context: MemoryContext;
  /** Variables, parameters and buffers, the nearest first. */
  readonly memories: readonly NamedMemory[];
  /** The register that holds a variable of the frame. */
  readonly held: (name: string) => number | undefined;
  readonly heldNames: () => readonly string[];
  /** Variables of C++, those of inner blocks first; none without debug information. */
  readonly source: SourceScope;
  /** The same of the calling frames' lane. */
  readonly inLane: (lane: number) => Scope;
}

export interface SourceScope {
  /** Of the function, parameters among them; a name that an inner block declares again has its line behind it. */
  readonly locals: () => readonly SourceObject[];
  /** Of the function's unit. */
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
  /** What a pointer points to. */
  readonly pointsTo?: DataType;
  /** The type in C++. */
  readonly declared?: SourceType;
}

export type Result =
  | ValueResult
  /** A variable, or a row of one. */
  | { readonly kind: "memory"; readonly memory: NamedMemory; readonly context: MemoryContext }
  /** A structure or an array of C++. */
  | { readonly kind: "object"; readonly object: SourceObject };

export interface SourceObject {
  /** An expression for it, or, of what no expression names, a text. */
  readonly name: string;
  /** An inner block has another variable of the name. */
  readonly isHidden?: true;
  readonly type: SourceType;
  readonly place: ObjectPlace;
  /** Memory that a pointer in it is followed in. */
  readonly context: MemoryContext;
  /** Of a bit field. */
  readonly bits?: Member["bits"];
}

export type ObjectPlace =
  | { readonly kind: "memory"; readonly address: number }
  | { readonly kind: "register"; readonly frame: Frame; readonly register: number; readonly lane: number }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** Why there is no value. */
  | { readonly kind: "none"; readonly why: string };
