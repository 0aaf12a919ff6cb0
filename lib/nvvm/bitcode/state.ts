// State that the readers of one module's blocks share: tables filled by earlier blocks, which later records refer to.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { BitCursor, BitRecord, BlockInfo } from "../../../formats/bitstream/index.js";
import type { Source } from "../../ptx/source-text.js";
import type { Attribute } from "../ir/global.js";
import type { Metadata, NamedMetadata } from "../ir/metadata.js";
import type { Type, TypeTable } from "../ir/type.js";
import type { Value } from "../ir/value.js";

/** A node of the tree under construction. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Attributes of a function or call; lists may be empty. */
export interface AttributeList {
  readonly function: readonly Attribute[];
  readonly result: readonly Attribute[];
  /** By argument; sparse. */
  readonly arguments: readonly (readonly Attribute[] | undefined)[];
}

/** Values by number: a module's, followed by a function's own. */
export interface ValueList {
  readonly outer: ValueList | undefined;
  /** Number of the first of `own`. */
  readonly base: number;
  readonly own: (Value | undefined)[];
  /** For constants with parts, by position in `own`. */
  readonly sizes: Map<number, ConstantSize>;
}

/** The size of a constant when written out; hostile files have small graphs that are huge as trees. */
export interface ConstantSize {
  readonly weight: number;
  readonly depth: number;
}

/** Metadata by number, in the same way. */
export interface MetadataList {
  readonly outer: MetadataList | undefined;
  readonly base: number;
  readonly own: (Metadata | undefined)[];
}

export interface ModuleState {
  readonly source: Source;
  /** The stream, and its offset in the file. */
  readonly stream: Uint8Array;
  readonly base: number;
  readonly info: BlockInfo;
  readonly table: TypeTable;
  readonly types: Type[];
  /** The first record of a typed and of an opaque pointer. */
  typedPointer: { readonly start: number; readonly end: number } | undefined;
  opaquePointer: { readonly start: number; readonly end: number } | undefined;
  /** Operand numbers are relative to the instruction. */
  relative: boolean;
  readonly attributes: AttributeList[];
  readonly values: ValueList;
  readonly metadata: MetadataList;
  readonly kinds: Map<number, string>;
  readonly named: Map<string, NamedMetadata>;
  readonly scopes: string[];
  readonly bundles: string[];
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
export const textOf = (bytes: ArrayLike<number>): string => utf8.decode(Uint8Array.from(bytes));

/** Field `i` of a record; a missing one is an error that names `what`. */
export function field(record: BitRecord, i: number, what: string): number {
  const value = record.values[i];
  if (value === undefined) return malformed("malformed", record.start, `a record ends before its ${what}`);
  return value;
}

/** Field `i` in full, below 2^64. */
export const wideField = (record: BitRecord, i: number, what: string): bigint =>
  record.wide.get(i) ?? BigInt(field(record, i, what));

/** Field `i` with its sign in the lowest bit. */
export function signedField(record: BitRecord, i: number, what: string): bigint {
  const value = wideField(record, i, what);
  if ((value & 1n) === 0n) return value >> 1n;
  return value === 1n ? -(1n << 63n) : -(value >> 1n);
}

/** The text in fields `from` to `to` of a record. */
export function fieldText({ values }: BitRecord, from = 0, to = values.length): string {
  let text = "";
  for (let i = from; i < to; i++) {
    const code = values[i]!;
    // Names are short and ASCII: only others need a decoder.
    if (!(code < 128)) return textOf(values.slice(from, to));
    text += String.fromCharCode(code);
  }
  return text;
}

/** A word that a record encodes as a number. */
export function word<T>(record: BitRecord, words: readonly (T | undefined)[], number: number, what: string): T {
  const found = words[number];
  if (found === undefined) return malformed("unsupported", record.start, `unknown ${what} ${number}`);
  return found;
}

export function typeAt(state: ModuleState, id: number, offset: number): Type {
  const type = state.types[id];
  if (type === undefined) return malformed("out-of-range", offset, `type ${id} of ${state.types.length}`);
  return type;
}

export const createValues = (outer?: ValueList): ValueList => ({
  outer,
  base: outer === undefined ? 0 : outer.base + outer.own.length,
  own: [],
  sizes: new Map(),
});

export const createMetadata = (outer?: MetadataList): MetadataList => ({
  outer,
  base: outer === undefined ? 0 : outer.base + outer.own.length,
  own: [],
});

/** Number of values or nodes. */
export const countOf = (list: ValueList | MetadataList): number => list.base + list.own.length;

export const valueAt = (list: ValueList, id: number): Value | undefined =>
  id >= list.base || list.outer === undefined ? list.own[id - list.base] : list.outer.own[id - list.outer.base];

export const sizeAt = (list: ValueList, id: number): ConstantSize | undefined =>
  id >= list.base || list.outer === undefined
    ? list.sizes.get(id - list.base)
    : list.outer.sizes.get(id - list.outer.base);

export function metadataAt(list: MetadataList, id: number, offset: number): Metadata {
  const found =
    id >= list.base || list.outer === undefined ? list.own[id - list.base] : list.outer.own[id - list.outer.base];
  if (found === undefined) return malformed("out-of-range", offset, `metadata ${id} of ${countOf(list)}`);
  return found;
}

/** Metadata by number plus one; 0 is null. */
export const metadataOrNull = (list: MetadataList, id: number, offset: number): Metadata =>
  id === 0 ? null : metadataAt(list, id - 1, offset);

/** A copy of the cursor's record, which the next one overwrites. */
export const copyOf = (record: BitRecord): BitRecord => ({
  code: record.code,
  values: record.values.slice(),
  wide: record.wide.size === 0 ? record.wide : new Map(record.wide),
  blob: record.blob,
  start: record.start,
  end: record.end,
});

/** Enters the block that `next` returned, and passes each of its records to `take`; nested blocks are skipped. */
export function eachRecord(cursor: BitCursor, take: (record: BitRecord) => void): void {
  cursor.enter(cursor.block);
  for (;;) {
    const found = cursor.next();
    if (found === "end") return;
    if (found === "block") cursor.skip();
    else take(cursor.record);
  }
}
