// The ELF symbol table of an object: section symbols, then local and weak symbols, then global ones, variables before
// functions, as NVIDIA's files have them: sh_info is the first global, and weak symbols come before it. docs/format.md,
// "Symbols".

import {
  SHN,
  STB,
  STO_CUDA,
  STT,
  STV,
  type StringTableBuilder,
  type SymbolRecord,
} from "../../../formats/elf/index.js";
import type { VariableSpace } from "../../check/module.js";
import type { ObjectFile, ObjectSymbol } from "../object.js";

export interface ElfSymbols {
  /** From index 0, the null symbol, on. */
  readonly symbols: readonly SymbolRecord[];
  /** sh_info: the first GLOBAL symbol. */
  readonly firstGlobal: number;
  /** ELF index of each of the object's symbols. */
  readonly indexOf: ArrayLike<number>;
  /** ELF index of the first section symbol of kernels' parameters; the others follow. */
  readonly firstParameters: number;
}

/** A section that gets a symbol of its own. */
export interface NamedSection {
  /** ELF section index */
  readonly index: number;
  readonly name: string;
}

/** Constant bank 0 of one kernel. */
export interface ParameterSection extends NamedSection {
  readonly bytes: number;
  readonly base: number;
}

/** Names are added to `strings` in the order of the symbols. */
export function elfSymbols(
  object: ObjectFile,
  sections: readonly NamedSection[],
  parameterSections: readonly ParameterSection[],
  elfSection: (section: number) => number,
  strings: StringTableBuilder,
): ElfSymbols {
  const symbols: SymbolRecord[] = [nullSymbol];
  putSections(symbols, sections, strings);
  const firstParameters = symbols.length;
  putSections(symbols, parameterSections, strings);
  if (object.type === "relocatable")
    for (const section of parameterSections) symbols.push(parameterSymbol(section, strings));

  const { order, firstGlobal } = rankSymbols(object.symbols);
  const indexOf = new Int32Array(order.length);
  const first = symbols.length;
  for (let i = 0; i < order.length; i++) {
    const index = order[i]!;
    indexOf[index] = first + i;
    symbols.push(elfSymbol(object, object.symbols[index]!, elfSection, strings));
  }
  return { symbols, firstGlobal: first + firstGlobal, indexOf, firstParameters };
}

function putSections(symbols: SymbolRecord[], sections: readonly NamedSection[], strings: StringTableBuilder): void {
  for (let i = 0; i < sections.length; i++) {
    const { index, name } = sections[i]!;
    symbols.push(record(strings.add(name), STT.SECTION, STB.LOCAL, 0, index));
  }
}

/** The symbols by rank, in their order within a rank, and the index of the first global one. */
function rankSymbols(symbols: readonly ObjectSymbol[]): { readonly order: Int32Array; readonly firstGlobal: number } {
  const ranks = new Uint8Array(symbols.length);
  // For each rank, the index of its first symbol; while they are placed, the next one.
  const next = new Int32Array(LAST_RANK + 2);
  for (let i = 0; i < symbols.length; i++) {
    const rank = rankOf(symbols[i]!);
    ranks[i] = rank;
    next[rank + 1]!++;
  }
  for (let rank = 0; rank < LAST_RANK; rank++) next[rank + 1]! += next[rank]!;
  const firstGlobal = next[FIRST_GLOBAL]!;
  const order = new Int32Array(symbols.length);
  for (let i = 0; i < symbols.length; i++) order[next[ranks[i]!]!++] = i;
  return { order, firstGlobal };
}

/** All of them alike, for the engine's sake. */
const record = (
  nameOffset: number,
  type: number,
  binding: number,
  other = 0,
  sectionIndex = 0,
  value = 0,
  size = 0,
  special = 0,
): SymbolRecord => ({ nameOffset, type, binding, other, sectionIndex, special, value, size });

const nullSymbol = record(0, STT.NOTYPE, STB.LOCAL);

/** `_param`, which says where in the bank the parameters are; `_SREG` for a kernel without any. */
function parameterSymbol({ index, base, bytes }: ParameterSection, strings: StringTableBuilder): SymbolRecord {
  const isEmpty = bytes === 0;
  const name = strings.add(isEmpty ? "_SREG" : "_param");
  const other = STO_CUDA.CONSTANT | STV.INTERNAL;
  return record(name, STT.CUDA_OBJECT, STB.LOCAL, other, index, isEmpty ? 0 : base, isEmpty ? base : bytes);
}

const FIRST_GLOBAL = 1;
const LAST_RANK = 4;

/** Local and weak symbols; of the global ones variables of known size, references, open arrays, functions. */
function rankOf(symbol: ObjectSymbol): number {
  if (bindingOf(symbol) !== STB.GLOBAL) return 0;
  if (symbol.kind === "function") return LAST_RANK;
  if (symbol.kind === "reference") return 2;
  return symbol.layout.size === 0 ? 3 : FIRST_GLOBAL;
}

function bindingOf(symbol: ObjectSymbol): number {
  if (symbol.placement.kind !== "section") return STB.GLOBAL;
  if (symbol.linkage === "static") return STB.LOCAL;
  return symbol.linkage === "weak" ? STB.WEAK : STB.GLOBAL;
}

const spaceBits: { readonly [Space in VariableSpace]?: number } = {
  global: STO_CUDA.GLOBAL,
  const: STO_CUDA.CONSTANT,
  shared: STO_CUDA.SHARED,
};
const referenceTypes = { texref: STT.CUDA_TEXTURE, samplerref: STT.CUDA_SAMPLER, surfref: STT.CUDA_SURFACE } as const;

function elfSymbol(
  object: ObjectFile,
  symbol: ObjectSymbol,
  elfSection: (section: number) => number,
  strings: StringTableBuilder,
): SymbolRecord {
  const { placement } = symbol;
  const nameOffset = strings.add(symbol.name);
  const binding = bindingOf(symbol);
  const sectionIndex = placement.kind === "section" ? elfSection(placement.section) : 0;
  switch (symbol.kind) {
    case "variable": {
      const isObject = object.type === "relocatable";
      const other = (isObject ? (spaceBits[symbol.space] ?? 0) : 0) | (symbol.managed ? STO_CUDA.MANAGED : 0);
      return record(
        nameOffset,
        isObject ? STT.CUDA_OBJECT : STT.OBJECT,
        binding,
        symbol.unified === undefined ? other : other | STO_CUDA.ENTRY,
        sectionIndex,
        variableValue(object, symbol),
        symbol.layout.size,
        placement.kind === "common" ? SHN.COMMON : 0,
      );
    }
    case "function": {
      // An alias has the place of its function and no size, as in NVIDIA's files.
      const section = placement.kind === "section" ? object.sections[placement.section]! : undefined;
      const isAlias = section?.role.kind === "text" && object.symbols[section.role.symbol] !== symbol;
      const size = section === undefined || isAlias ? 0 : section.size;
      return record(nameOffset, STT.FUNC, binding, functionBits(symbol), sectionIndex, 0, size);
    }
    case "reference":
      return record(nameOffset, referenceTypes[symbol.type], binding);
  }
}

function functionBits({ entry, unified }: ObjectSymbol & { kind: "function" }): number {
  return (entry ? STO_CUDA.ENTRY : 0) | (unified === undefined ? 0 : STO_CUDA.MANAGED);
}

/** st_value in bytes: an offset, or the alignment of a variable without one yet (common, or shared in an object). */
function variableValue(object: ObjectFile, symbol: ObjectSymbol & { kind: "variable" }): number {
  const { placement } = symbol;
  if (placement.kind === "undefined") return 0;
  const unplaced = placement.kind === "common" || (symbol.space === "shared" && object.type === "relocatable");
  return unplaced ? symbol.layout.align : placement.offset;
}
