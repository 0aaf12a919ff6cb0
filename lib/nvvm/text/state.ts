// The state of parsing: of the module, of the current body, and the position in the text.

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

/** A value under construction: the same object until the end of the module, even if its fields are set after its first use. */
export type Open<T> = { -readonly [Field in keyof T]: T[Field] };

/** A use of a global value before its declaration, with the type of that use. */
export interface GlobalUse {
  readonly type: Type;
  readonly range: Ranged;
}

/** An entity that is used by name or number, possibly before its definition. */
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
  /** Global values by name: those declared, and those only used so far, which are in `pending`, too. */
  readonly globals: Map<string, Open<GlobalValue>>;
  readonly pending: Map<string, GlobalUse[]>;
  /** The declared ones, in the order of the text. */
  readonly declared: GlobalValue[];
  /** Number of the next unnamed global. */
  nextGlobal: number;
  /** Named structures; aliases of types are only in `typeNames`. */
  readonly structs: KeyMap<Slot<Type> & { range: Ranged }>;
  readonly typeNames: Map<LocalKey, Type>;
  /** Number of structures used but not defined so far, and whether their definitions were searched for. */
  undefinedTypes: number;
  searchedForTypes: boolean;
  /** For the current body: structures that only it names and that are not defined. */
  readonly openTypes: Map<LocalKey, Slot<Type>>;
  readonly nodes: Map<number, Slot<Open<MetadataNode>>>;
  /** Field names of the last node with each tag, which the next one shares. */
  readonly fieldNames: Map<string, readonly string[]>;
  readonly groups: Map<number, Attribute[]>;
  readonly comdats: Map<string, Slot<string>>;
  /** Whether pointers are opaque, by the first spelling in the text. */
  readonly opaque: boolean;
  /** Spellings outside of bodies, or in the current body. */
  readonly spellings: Open<Spellings>;
  /** In a body: whether the rest of the module has a spelling of NVVM IR 1.0. */
  readonly isFirst: boolean;
  /** Nesting depths of the types measured so far. */
  readonly levels: TypeMap<number>;
  /** Remaining budget of name comparisons for suggestions: each search compares all names. */
  readonly searches: { left: number };
  /** Deferred until all names are known: attribute groups of functions. */
  readonly later: (() => void)[];

  /** Lists that readers of parameters reuse; permanent parts are copied. */
  readonly parameters: ParameterLists;

  /** Types of words by the word's id; null for words that are not types. */
  readonly wordTypes: (Type | null | undefined)[];
  readonly integers: Map<IntegerType, Map<number, IntegerConstant>>;
}

/** A use of a local value that is not defined yet: `holder[key]` will be set to it. */
export interface ForwardUse extends Ranged {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly type: Type;
  /** The previous use of that value. */
  readonly before: ForwardUse | undefined;
}

export interface BlockSlot {
  readonly block: Open<BasicBlock>;
  defined: boolean;
  firstUse: Ranged | undefined;
}

export interface BodyState {
  readonly locals: Map<LocalKey, Value>;
  /** The last use of each value. */
  readonly forwards: Map<LocalKey, ForwardUse>;
  readonly blocks: Map<LocalKey, BlockSlot>;
  /** Names whose definition had a fault: their uses are not reported. */
  readonly faulty: Set<LocalKey>;
  /** Number of the next unnamed value or block. */
  next: number;
  /** Number of instructions so far. */
  count: number;
  /** Number of forward uses of locals so far. */
  forwardUses: number;
  /** The blocks of the current phi; reused for the next. */
  readonly incoming: BasicBlock[];
  /** The list for instructions with any number of operands (operands.ts), and `forwardUses` at its start. */
  spare: OpenOperands & { forwardUses: number };
}

export interface Parser {
  readonly source: Source;
  readonly scanner: Scanner;
  readonly types: TypeTable;
  readonly module: ModuleState;
  readonly sink: DiagnosticSink;
  /** Nesting depth of types, constants and metadata. */
  depth: number;
  /** The current construct, a name in forms.table.ts, and its start: for messages. */
  construct: string;
  from: number;
  /** Undefined outside of bodies. */
  readonly body: BodyState | undefined;
}

/** Nesting beyond this is refused, so that no text exhausts the stack. */
export const MAX_DEPTH = 200;
