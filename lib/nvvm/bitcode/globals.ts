// Records of a module's variables, functions and aliases. Their names are in the string table (from LLVM 5) or in the module's
// symbols. Initial values and aliasees are later constants, so both are set at the module's end.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { BitRecord } from "../../../formats/bitstream/index.js";
import type { Alias, Function, GlobalVariable } from "../ir/global.js";
import type { FunctionType, PointerType, Type } from "../ir/type.js";
import type { Argument } from "../ir/value.js";
import { argumentLists, attributesAt } from "./attributes.js";
import { conventions, linkages, moduleCode, visibilities } from "./codes.table.js";
import { field, textOf, typeAt, word, type ModuleState, type Mutable } from "./state.js";

/** The state of globals while the module is read. */
export interface GlobalsState {
  readonly variables: Mutable<GlobalVariable>[];
  readonly functions: Mutable<Function>[];
  readonly aliases: Mutable<Alias>[];
  /** Numbers of the constants for initial values and aliasees. */
  readonly initializers: Map<Mutable<GlobalVariable> | Mutable<Alias>, number>;
  /** Functions with a body, in the order of their blocks. */
  readonly bodies: Mutable<Function>[];
  readonly sections: string[];
  readonly collectors: string[];
}

/** Characters of all names; undefined if the module's symbols contain them. */
export type Strings = Uint8Array | undefined;

/** Fields of a record after its name, which comes first in the newer form. */
interface GlobalFields {
  readonly record: BitRecord;
  readonly name: string;
  /** Index of the first field after the name. */
  readonly from: number;
}

function nameOf(record: BitRecord, strings: Strings): GlobalFields {
  if (strings === undefined) return { record, name: "", from: 0 };
  const at = field(record, 0, "name");
  const size = field(record, 1, "size of the name");
  if (!(at + size <= strings.length))
    return malformed("out-of-range", record.start, "a name that reaches past the string table");
  return { record, name: textOf(strings.subarray(at, at + size)), from: 2 };
}

const optional = ({ record, from }: GlobalFields, i: number): number => record.values[from + i] ?? 0;
const required = ({ record, from }: GlobalFields, i: number, what: string): number => field(record, from + i, what);

/** Bytes; a record contains the logarithm plus one. */
export function alignOf(logarithm: number, offset: number): number | undefined {
  if (!(logarithm <= 33)) malformed("out-of-range", offset, `an alignment of 2^${logarithm - 1}`);
  return logarithm === 0 ? undefined : 2 ** (logarithm - 1);
}

function listed(list: readonly string[], number: number, what: string, offset: number): string | undefined {
  if (number === 0) return undefined;
  const found = list[number - 1];
  if (found === undefined) return malformed("out-of-range", offset, `unknown ${what} ${number}`);
  return found;
}

/** Properties common to all three kinds. */
function common(of: GlobalFields, type: PointerType, valueType: Type, linkage: number, visibility: number) {
  const { record, name } = of;
  return {
    name,
    nameStart: record.start,
    type,
    valueType,
    linkage: word(record, linkages, linkage, "linkage"),
    visibility: word(record, visibilities, visibility, "visibility"),
    threadLocal: false,
    attachments: [],
    start: record.start,
    end: record.end,
  };
}

/** A pointer to a value of that type, typed or opaque like the module's pointers. */
export const pointerTo = (state: ModuleState, type: Type, space: number): PointerType =>
  state.table.pointer(space, state.opaquePointer === undefined ? type : undefined);

const ADDED_TYPE = 2;

export function readVariable(record: BitRecord, strings: Strings, state: ModuleState, globals: GlobalsState): void {
  const of = nameOf(record, strings);
  const written = typeAt(state, required(of, 0, "type"), record.start);
  const bits = required(of, 1, "flags");
  let type: PointerType;
  let valueType: Type | undefined = written;
  if (bits & ADDED_TYPE) type = pointerTo(state, written, bits >>> 2);
  else {
    if (written.kind !== "pointer")
      return malformed("malformed", record.start, "a variable whose type is not a pointer");
    type = written;
    valueType = written.pointee;
  }
  if (valueType === undefined) return malformed("malformed", record.start, "a variable without a type");
  const initializer = required(of, 2, "initial value");
  const variable: Mutable<GlobalVariable> = {
    kind: "variable",
    ...common(of, type, valueType, required(of, 3, "linkage"), optional(of, 6)),
    threadLocal: optional(of, 7) !== 0,
    constant: (bits & 1) !== 0,
    externallyInitialized: optional(of, 9) !== 0,
    initializer: undefined,
    align: alignOf(required(of, 4, "alignment"), record.start),
    section: listed(globals.sections, optional(of, 5), "section", record.start),
    attributes: attributesAt(state, optional(of, 12), record.start).function,
  };
  state.values.own.push(variable);
  globals.variables.push(variable);
  if (initializer > 0) globals.initializers.set(variable, initializer - 1);
}

export function readFunction(record: BitRecord, strings: Strings, state: ModuleState, globals: GlobalsState): void {
  const of = nameOf(record, strings);
  const written = typeAt(state, required(of, 0, "type"), record.start);
  const valueType = written.kind === "pointer" ? written.pointee : written;
  if (valueType?.kind !== "function") return malformed("malformed", record.start, "a function whose type is none");
  const type = written.kind === "pointer" ? written : pointerTo(state, valueType, optional(of, 16));
  const convention = required(of, 1, "calling convention");
  const attributes = attributesAt(state, required(of, 4, "attributes"), record.start);
  const made: Mutable<Function> = {
    kind: "function",
    ...common(of, type, valueType, required(of, 3, "linkage"), optional(of, 7)),
    valueType,
    arguments: argumentsOf(valueType, record),
    convention: conventions.get(convention) ?? `cc${convention}`,
    resultAttributes: attributes.result,
    argumentAttributes: argumentLists(attributes, valueType.parameters.length),
    attributes: attributes.function,
    align: alignOf(optional(of, 5), record.start),
    section: listed(globals.sections, optional(of, 6), "section", record.start),
    garbageCollector: listed(globals.collectors, optional(of, 8), "garbage collector", record.start),
    body: undefined,
  };
  state.values.own.push(made);
  globals.functions.push(made);
  if (required(of, 2, "kind of declaration") === 0) globals.bodies.push(made);
}

function argumentsOf(type: FunctionType, { start, end }: BitRecord): readonly Argument[] {
  return type.parameters.map((parameter, index) => ({
    kind: "argument",
    type: parameter,
    name: undefined,
    index,
    start,
    end,
  }));
}

export function readAlias(record: BitRecord, strings: Strings, state: ModuleState, globals: GlobalsState): void {
  const of = nameOf(record, strings);
  const old = record.code === moduleCode.aliasOld;
  const written = typeAt(state, required(of, 0, "type"), record.start);
  let type: PointerType;
  let valueType: Type | undefined = written;
  if (old) {
    if (written.kind !== "pointer") return malformed("malformed", record.start, "an alias whose type is not a pointer");
    type = written;
    valueType = written.pointee;
  } else type = pointerTo(state, written, required(of, 1, "address space"));
  if (valueType === undefined) return malformed("malformed", record.start, "an alias without a type");
  // In the newer form the address space is in between.
  const at = old ? 1 : 2;
  const alias: Mutable<Alias> = {
    kind: record.code === moduleCode.ifunc ? "ifunc" : "alias",
    ...common(of, type, valueType, required(of, at + 1, "linkage"), optional(of, at + 2)),
    threadLocal: optional(of, at + 4) !== 0 && record.code !== moduleCode.ifunc,
    aliasee: { kind: "null", type },
  };
  state.values.own.push(alias);
  globals.aliases.push(alias);
  globals.initializers.set(alias, required(of, at, "aliasee"));
}
