// What a reading knows: of the module, of the body at hand, and where it is in the text.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { Ranged, Source } from "../../ptx/tree.js";
import type { Attribute, GlobalValue } from "../ir/global.js";
import type { BasicBlock } from "../ir/instruction.js";
import type { MetadataNode } from "../ir/metadata.js";
import type { Spellings } from "../ir/module.js";
import type { IntegerConstant, Value } from "../ir/value.js";
import type { IntegerType, Type, TypeTable } from "../ir/type.js";
import type { Scanner } from "./scanner.js";

/** The same object until the end of the module, though its fields come later than its first use. */
export type Open<T> = { -readonly [Field in keyof T]: T[Field] };

/** A global value that is used or defined. */
export interface GlobalSlot {
  readonly value: Open<GlobalValue>;
  defined: boolean;
  /** Uses before its definition, with the type that each gives it. */
  uses: { readonly type: Type; readonly range: Ranged }[];
}

/** Something that is used by name or number, perhaps before it is defined. */
export interface Slot<T> {
  readonly value: T;
  defined: boolean;
  firstUse: Ranged | undefined;
}

export interface ModuleState {
  readonly globals: Map<string, GlobalSlot>;
  /** The number that the next unnamed global has. */
  nextGlobal: number;
  /** Named structures by name; a type that is only another's name is in `typeNames` alone. */
  readonly structs: Map<string, Slot<Type> & { range: Ranged }>;
  readonly typeNames: Map<string, Type>;
  /** Of the body at hand: structures that it names and nothing has defined. */
  readonly openTypes: ModuleState["structs"];
  readonly nodes: Map<number, Slot<Open<MetadataNode>>>;
  readonly groups: Map<number, Attribute[]>;
  readonly comdats: Map<string, Slot<string>>;
  /** Whether pointers are opaque, by the first spelling in the text. */
  readonly opaque: boolean;
  /** Of the module outside of bodies, or of the body at hand. */
  readonly spellings: Open<Spellings>;
  /** In a body: whether the module outside has a spelling of NVVM IR 1.0. */
  readonly isFirst: boolean;
  /** Of types that have been looked at, how deep they nest. */
  readonly levels: Map<Type, number>;
  /** Names that searches for the one that was meant may still look at: each search looks at all. */
  readonly searches: { left: number };
  /** Work for when every name is known: attribute groups of functions. */
  readonly later: (() => void)[];

  /** Types of words by the word's id: null of words that are none. */
  readonly wordTypes: (Type | null | undefined)[];
  readonly integers: Map<IntegerType, Map<number, IntegerConstant>>;
}

/** A use of a local value that is not defined yet: `holder[key]` becomes it. */
export interface ForwardUse {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly type: Type;
  readonly range: Ranged;
}

export interface BlockSlot {
  readonly block: Open<BasicBlock>;
  defined: boolean;
  firstUse: Ranged | undefined;
}

/** Local names by their id, and numbered values and blocks as `~number` beside them. */
export type LocalKey = number;

export interface BodyState {
  readonly locals: Map<LocalKey, Value>;
  readonly forwards: Map<LocalKey, ForwardUse[]>;
  readonly blocks: Map<LocalKey, BlockSlot>;
  /** Names whose definition had a fault: their uses say nothing. */
  readonly faulty: Set<LocalKey>;
  /** The number that the next unnamed value or block has. */
  next: number;
  /** Instructions so far. */
  count: number;
}

export interface Parser {
  readonly source: Source;
  readonly scanner: Scanner;
  readonly types: TypeTable;
  readonly module: ModuleState;
  readonly sink: DiagnosticSink;
  /** Types, constants and metadata around the current one. */
  depth: number;
  /** What is being read, a name in forms.table.ts, and where it begins: for messages. */
  construct: string;
  from: number;
  /** Undefined outside of bodies. */
  readonly body: BodyState | undefined;
}

/** Nesting beyond this is refused, so that no text exhausts the stack. */
export const MOST_DEPTH = 200;
