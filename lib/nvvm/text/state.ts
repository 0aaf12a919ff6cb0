// What a reading knows: of the module, of the body at hand, and where it is in the text.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { Ranged, Source } from "../../ptx/source-text.js";
import type { Attribute, GlobalValue } from "../ir/global.js";
import type { BasicBlock } from "../ir/instruction.js";
import type { MetadataNode } from "../ir/metadata.js";
import type { Spellings } from "../ir/module.js";
import type { Argument, IntegerConstant, Value } from "../ir/value.js";
import type { IntegerType, Type, TypeTable } from "../ir/type.js";
import type { TypeMap } from "../ir/type-map.js";
import type { KeyMap, LocalKey } from "./key-map.js";
import type { OpenOperands } from "./operands.js";
import type { Scanner } from "./scanner.js";

/** The same object until the end of the module, though its fields come later than its first use. */
export type Open<T> = { -readonly [Field in keyof T]: T[Field] };

/** A use of a global value before its declaration, with the type that it gives it. */
export interface GlobalUse {
  readonly type: Type;
  readonly range: Ranged;
}

/** Something that is used by name or number, perhaps before it is defined. */
export interface Slot<T> {
  readonly value: T;
  defined: boolean;
  firstUse: Ranged | undefined;
}

export interface ParameterLists {
  readonly arguments: Argument[];
  readonly attributes: (readonly Attribute[])[];
  readonly keys: LocalKey[];
}

export interface ModuleState {
  /** Global values by name: those that are declared, and those that are only used so far, which are in `pending` too. */
  readonly globals: Map<string, Open<GlobalValue>>;
  readonly pending: Map<string, GlobalUse[]>;
  /** Those that are declared, in the order of the text. */
  readonly declared: GlobalValue[];
  /** The number that the next unnamed global has. */
  nextGlobal: number;
  /** Named structures; a type that is only another's name is in `typeNames` alone. */
  readonly structs: KeyMap<Slot<Type> & { range: Ranged }>;
  readonly typeNames: Map<LocalKey, Type>;
  /** How many structures are used so far and not defined, and whether their definitions were searched for. */
  undefinedTypes: number;
  searchedForTypes: boolean;
  /** Of the body at hand: structures that it names and nothing has defined. */
  readonly openTypes: Map<LocalKey, Slot<Type>>;
  readonly nodes: Map<number, Slot<Open<MetadataNode>>>;
  /** Names of the fields of the last node with each tag, which the next one shares. */
  readonly fieldNames: Map<string, readonly string[]>;
  readonly groups: Map<number, Attribute[]>;
  readonly comdats: Map<string, Slot<string>>;
  /** Whether pointers are opaque, by the first spelling in the text. */
  readonly opaque: boolean;
  /** Of the module outside of bodies, or of the body at hand. */
  readonly spellings: Open<Spellings>;
  /** In a body: whether the module outside has a spelling of NVVM IR 1.0. */
  readonly isFirst: boolean;
  /** Nesting depths of the types measured so far. */
  readonly levels: TypeMap<number>;
  /** Remaining budget of name comparisons for suggestions: each search compares all names. */
  readonly searches: { left: number };
  /** Work for when every name is known: attribute groups of functions. */
  readonly later: (() => void)[];

  /** Lists that readers of parameters fill, one after the other, and copy what they keep of. */
  readonly parameters: ParameterLists;

  /** Types of words by the word's id: null of words that are none. */
  readonly wordTypes: (Type | null | undefined)[];
  readonly integers: Map<IntegerType, Map<number, IntegerConstant>>;
}

/** A use of a local value that is not defined yet: `holder[key]` becomes it. */
export interface ForwardUse extends Ranged {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly type: Type;
  /** The use of that value before this one. */
  readonly before: ForwardUse | undefined;
}

export interface BlockSlot {
  readonly block: Open<BasicBlock>;
  defined: boolean;
  firstUse: Ranged | undefined;
}

export interface BodyState {
  readonly locals: Map<LocalKey, Value>;
  /** The last use of each. */
  readonly forwards: Map<LocalKey, ForwardUse>;
  readonly blocks: Map<LocalKey, BlockSlot>;
  /** Names whose definition had a fault: their uses say nothing. */
  readonly faulty: Set<LocalKey>;
  /** The number that the next unnamed value or block has. */
  next: number;
  /** Instructions so far. */
  count: number;
  /** Uses of locals before their definition so far. */
  forwardUses: number;
  /** The blocks of the phi that is read, reused for the next. */
  readonly incoming: BasicBlock[];
  /** The list for instructions with any number of operands (operands.ts), and `forwardUses` when it was begun. */
  spare: OpenOperands & { forwardUses: number };
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
