// C++ types as debug information describes them. Members and pointer targets are read on demand, because types refer to each
// other in cycles.

import { AT, ATE, OP, readExpression, TAG, type DebugEntry } from "../../../formats/dwarf/index.js";
import { dataType, type DataType } from "../../isa/types.table.js";
import { attributeOf, numberIn, sourceWord, textIn, type EntryFinder } from "./entries.js";

interface Named {
  /** The name in C++. */
  readonly name: string;
  /** In bytes; 0 if unknown. */
  readonly size: number;
}

/** A type whose values have a PTX type: a number, a truth value, a character or an enumerator. */
export interface ScalarType extends Named {
  readonly kind: "scalar";
  readonly data: DataType;
  readonly meaning: "number" | "bool" | "character";
  /** The enumerators of an enumeration. */
  readonly enumerators?: readonly Enumerator[];
}

interface Enumerator {
  readonly name: string;
  /** The value, in the width of the type. */
  readonly bits: bigint;
}

export interface PointerType extends Named {
  readonly kind: "pointer" | "reference";
  readonly data: DataType;
  readonly target: () => SourceType;
}

export interface Member {
  /** Undefined for a base class or an unnamed union. */
  readonly name: string | undefined;
  /** Bytes from the start of the object. */
  readonly offset: number;
  readonly type: () => SourceType;
  /** The position of a bit field: bits from the lowest bit of the bytes at `offset`, and its size in bits. */
  readonly bits?: { readonly shift: number; readonly size: number };
}

export interface StructType extends Named {
  readonly kind: "struct";
  readonly members: () => readonly Member[];
}

export interface ArrayType extends Named {
  readonly kind: "array";
  readonly element: SourceType;
  /** Number of elements; undefined for `[]`. */
  readonly count: number | undefined;
}

/** `void`, functions, and types that this reader does not support. */
interface OtherType extends Named {
  readonly kind: "other";
}

export type SourceType = ScalarType | PointerType | StructType | ArrayType | OtherType;

/** The type that an entry's DW_AT_type names. */
export type TypeOf = (entry: DebugEntry) => SourceType;

/** Nesting limit of qualifiers, pointers and arrays. */
const MAX_LEVELS = 64;

const otherType = (name: string): SourceType => ({ kind: "other", name, size: 0 });
const VOID = otherType("void");

/** State of the construction of a module's types. */
interface Making {
  readonly entryAt: EntryFinder;
  readonly made: Map<DebugEntry, SourceType>;
  readonly addressBytes: number;
}

export function createTypes(entryAt: EntryFinder, addressBytes: number): TypeOf {
  const making: Making = { entryAt, made: new Map(), addressBytes };
  return (entry) => typeOf(making, entry, 0);
}

function typeOf(making: Making, of: DebugEntry, level: number): SourceType {
  const { entryAt, made } = making;
  const offset = attributeOf(of, AT.type, entryAt)?.content;
  const entry = typeof offset === "bigint" ? entryAt(Number(offset)) : undefined;
  if (entry === undefined) return VOID;
  const known = made.get(entry);
  if (known !== undefined) return known;
  if (level > MAX_LEVELS) return otherType("a type of too many levels");
  const type = makers.get(entry.tag)?.(making, entry, level + 1) ?? otherType(textIn(entry, AT.name) ?? "unknown type");
  made.set(entry, type);
  return type;
}

type Maker = (making: Making, entry: DebugEntry, level: number) => SourceType;

const qualified =
  (word: string): Maker =>
  (making, entry, level) => {
    const inner = typeOf(making, entry, level);
    return { ...inner, name: inner.kind === "pointer" ? `${inner.name} ${word}` : `${word} ${inner.name}` };
  };

const pointer =
  (kind: PointerType["kind"], sign: string): Maker =>
  (making, entry, level) => {
    const { name } = typeOf(making, entry, level);
    const size = numberIn(entry, AT.byteSize) ?? making.addressBytes;
    const data = dataType(size === 4 ? "u32" : "u64")!;
    const inner = /[*&]$/.test(name) ? `${name}${sign}` : `${name} ${sign}`;
    return { kind, name: inner, size, data, target: () => typeOf(making, entry, 0) };
  };

const struct: Maker = (making, entry) => {
  let members: readonly Member[] | undefined;
  return {
    kind: "struct",
    name: textIn(entry, AT.name) ?? "(unnamed)",
    size: numberIn(entry, AT.byteSize) ?? 0,
    members: () => (members ??= entry.children.flatMap((child) => memberOf(making, child))),
  };
};

const makers: ReadonlyMap<number, Maker> = new Map<number, Maker>([
  [TAG.base, (_, entry) => scalarOf(entry)],
  [TAG.enumeration, (_, entry) => enumerationOf(entry)],
  [TAG.pointer, pointer("pointer", "*")],
  [TAG.reference, pointer("reference", "&")],
  [TAG.rvalueReference, pointer("reference", "&&")],
  [TAG.structure, struct],
  [TAG.class, struct],
  [TAG.union, struct],
  [TAG.array, (making, entry, level) => arrayOf(entry, typeOf(making, entry, level))],
  [TAG.const, qualified("const")],
  [TAG.volatile, qualified("volatile")],
  [TAG.restrict, typeOf],
  [TAG.atomic, qualified("_Atomic")],
  [TAG.typedef, (making, entry, level) => ({ ...typeOf(making, entry, level), ...nameOf(entry) })],
  [TAG.void, () => VOID],
  [TAG.subroutineType, () => otherType("function")],
]);

const nameOf = (entry: DebugEntry): { readonly name?: string } => {
  const name = textIn(entry, AT.name);
  return name === undefined ? {} : { name };
};

/** By DW_AT_encoding: the class of the PTX type, and the meaning of the values. */
const encodings: ReadonlyMap<number, readonly ["f" | "s" | "u", ScalarType["meaning"]]> = new Map([
  [ATE.boolean, ["u", "bool"]],
  [ATE.float, ["f", "number"]],
  [ATE.signed, ["s", "number"]],
  [ATE.signedChar, ["s", "character"]],
  [ATE.unsigned, ["u", "number"]],
  [ATE.unsignedChar, ["u", "character"]],
  [ATE.utf, ["u", "character"]],
] as const);

function scalarOf(entry: DebugEntry): SourceType {
  const name = textIn(entry, AT.name) ?? "unnamed type";
  const size = numberIn(entry, AT.byteSize) ?? 0;
  const [letter, meaning] = encodings.get(numberIn(entry, AT.encoding) ?? 0) ?? ["b", "number" as const];
  const data = dataType(`${letter}${8 * size}`) ?? dataType(`b${8 * size}`);
  return data === undefined ? { kind: "other", name, size } : { kind: "scalar", name, size, data, meaning };
}

function enumerationOf(entry: DebugEntry): SourceType {
  const name = textIn(entry, AT.name) ?? "(unnamed)";
  const size = numberIn(entry, AT.byteSize) ?? 4;
  const values = entry.children.flatMap((child) => {
    const content = child.attributes.get(AT.constValue)?.content;
    const text = textIn(child, AT.name);
    return child.tag === TAG.enumerator && typeof content === "bigint" && text !== undefined
      ? [{ name: sourceWord(text), value: content }]
      : [];
  });
  const data = dataType(`${values.some(({ value }) => value < 0n) ? "s" : "u"}${8 * size}`);
  if (data === undefined) return { kind: "other", name, size };
  const enumerators = values.map(({ name: text, value }) => ({ name: text, bits: BigInt.asUintN(data.bits, value) }));
  return { kind: "scalar", name, size, data, meaning: "number", enumerators };
}

/** The array type of an entry; several dimensions make an array of arrays. */
function arrayOf(entry: DebugEntry, element: SourceType): SourceType {
  const counts = entry.children.filter(({ tag }) => tag === TAG.subrange).map(countOf);
  return counts.slice(0, MAX_LEVELS).reduceRight<SourceType>((inner, count) => arrayType(inner, count), element);
}

function arrayType(element: SourceType, count: number | undefined): ArrayType {
  // The new count comes first: `int[2][3]` is an array of two `int[3]`.
  const at = element.kind === "array" ? element.name.indexOf("[") : element.name.length;
  const name = `${element.name.slice(0, at)}[${count ?? ""}]${element.name.slice(at)}`;
  return { kind: "array", name, size: (count ?? 0) * element.size, element, count };
}

/** The number of elements; undefined for `[]`. */
function countOf(entry: DebugEntry): number | undefined {
  const bound = numberIn(entry, AT.upperBound);
  const count = numberIn(entry, AT.count) ?? (bound === undefined ? undefined : bound + 1);
  return count !== undefined && count > 0 && count < 2 ** 32 ? count : undefined;
}

/** The prefix of a base class's name: nvcc describes it as a member. */
const NVCC_BASE = "__b_";

/** Bits in a byte. */
const BYTE = 8;

/** A member or a base class; the list is empty for static members, functions and types. */
function memberOf(making: Making, entry: DebugEntry): readonly Member[] {
  if (entry.tag !== TAG.member && entry.tag !== TAG.inheritance) return [];
  const offset = memberOffset(entry);
  if (offset === undefined) return [];
  const type = (): SourceType => typeOf(making, entry, 0);
  const written = entry.tag === TAG.member ? textIn(entry, AT.name) : undefined;
  const name = written?.startsWith(NVCC_BASE) === true ? undefined : written;
  const size = numberIn(entry, AT.bitSize);
  if (size === undefined) return [{ name, offset, type }];
  const start = numberIn(entry, AT.dataBitOffset);
  if (start !== undefined)
    return [{ name, offset: offset + Math.floor(start / BYTE), type, bits: { shift: start % BYTE, size } }];
  // DWARF 2 counts from the highest bit of the storage unit.
  const unit = BYTE * (numberIn(entry, AT.byteSize) ?? type().size);
  const shift = unit - (numberIn(entry, AT.bitOffset) ?? 0) - size;
  return shift < 0 ? [] : [{ name, offset, type, bits: { shift, size } }];
}

/** The offset: a number, or the expression `plus_uconst`. Members of a union may have none. */
function memberOffset(entry: DebugEntry): number | undefined {
  const content = entry.attributes.get(AT.memberLocation)?.content;
  if (content === undefined)
    return entry.parent?.tag === TAG.union || entry.attributes.has(AT.dataBitOffset) ? 0 : undefined;
  if (!(content instanceof Uint8Array)) return typeof content === "bigint" ? safe(content) : undefined;
  const operations = readExpression(content, 8);
  const [only, ...rest] = operations.ok ? operations.value : [];
  const isSum = only?.code === OP.plusUconst || only?.code === OP.constu;
  return isSum && rest.length === 0 ? safe(only.operands[0]!) : undefined;
}

const safe = (value: bigint): number | undefined =>
  value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined;
