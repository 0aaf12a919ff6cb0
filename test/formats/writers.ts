// Writers of symbols, relocations, call graphs and prototypes for test files, also in forms that no linker writes.

import type { CallGraph, PrototypeEntry } from "../../formats/cuda/index.js";
import { written, type ByteWriter } from "../../formats/bytes/writer.js";
import { SHN } from "../../formats/elf/index.js";

/** The fields of one symbol that the encoder needs; `nameOffset` is an offset in the string table that sh_link names. */
export interface SymbolRecord {
  readonly nameOffset: number;
  readonly type: number;
  readonly binding: number;
  readonly other?: number;
  readonly sectionIndex?: number;
  readonly special?: number;
  readonly value?: number | bigint;
  readonly size?: number | bigint;
}

/** Writes symbols in the order given; the caller puts the null symbol first. */
export function writeSymbols(writer: ByteWriter, symbols: readonly SymbolRecord[]): void {
  for (const symbol of symbols) {
    writer.u32(symbol.nameOffset);
    writer.u8((symbol.binding << 4) | (symbol.type & 0xf));
    writer.u8(symbol.other ?? 0);
    writer.u16(isExtended(symbol) ? SHN.XINDEX : symbol.special || (symbol.sectionIndex ?? 0));
    writer.u64(symbol.value ?? 0);
    writer.u64(symbol.size ?? 0);
  }
}

/** The contents of a SHT_SYMTAB_SHNDX section for these symbols; undefined where no section index needs it. */
export function encodeExtended(symbols: readonly SymbolRecord[]): Uint8Array | undefined {
  if (!symbols.some(isExtended)) return undefined;
  return written((writer) => {
    for (const symbol of symbols) writer.u32(isExtended(symbol) ? symbol.sectionIndex! : 0);
  });
}

/** Whether the field for the section is too small. */
const isExtended = ({ special, sectionIndex }: SymbolRecord): boolean =>
  !special && sectionIndex !== undefined && sectionIndex >= SHN.LORESERVE;

/** The fields of one relocation that the writers need. */
export interface RelocationRecord {
  readonly offset: number;
  readonly type: number;
  readonly symbol: number;
  readonly addend?: number | bigint;
}

/** Writes an Elf64_Rel record, which cannot hold an addend other than 0. */
export function writeRel(writer: ByteWriter, relocation: RelocationRecord): void {
  if (Number(relocation.addend ?? 0) !== 0) throw new RangeError(`REL cannot hold addend ${relocation.addend}`);
  writeHead(writer, relocation);
}

/** Writes an Elf64_Rela record. */
export function writeRela(writer: ByteWriter, relocation: RelocationRecord): void {
  writeHead(writer, relocation);
  writer.i64(relocation.addend ?? 0);
}

function writeHead(writer: ByteWriter, { offset, type, symbol }: RelocationRecord): void {
  writer.u64(offset);
  writer.u32(type);
  writer.u32(symbol);
}

/** Writes the contents of a .nv.callgraph section. */
export function writeCallGraph(writer: ByteWriter, graph: CallGraph): void {
  openList(writer, 1);
  writeCalls(writer, graph.calls);
  openList(writer, 2);
  for (const { symbol, prototype } of graph.addressTaken) writePair(writer, symbol, prototype);
  openList(writer, 3);
  for (const { caller, prototype } of graph.indirectCalls) writePair(writer, caller, prototype);
  openList(writer, 4);
  for (const { user, target } of graph.addressUses) writePair(writer, user, target);
  let last = 4;
  for (const { list, first, second } of graph.unknown) {
    if (list !== last) openList(writer, list);
    last = list;
    writePair(writer, first, second);
  }
}

function openList(writer: ByteWriter, list: number): void {
  writer.u32(0);
  writer.i32(-list);
}

function writePair(writer: ByteWriter, first: number, second: number): void {
  writer.u32(first);
  writer.u32(second);
}

function writeCalls(writer: ByteWriter, calls: CallGraph["calls"]): void {
  for (let i = 0; i < calls.length; i++) writePair(writer, calls[i]!.caller, calls[i]!.callee);
}

/** Writes the contents of a .nv.prototype section. */
export function writePrototypes(writer: ByteWriter, entries: readonly PrototypeEntry[]): void {
  for (const { symbol, prototype } of entries) {
    writer.u32(symbol);
    writer.u32(prototype);
  }
}
