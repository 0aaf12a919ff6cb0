// The ELF symbol table of an object: section symbols, then local and weak symbols, then global ones, variables before
// functions, as NVIDIA's files have them: sh_info is the first global, and weak symbols stand below it. docs/format.md,
// "Symbols".

import { SHN, STB, STO_CUDA, STT, STV, type StringTableBuilder, type SymbolRecord } from "../../formats/elf/index.js";
import type { VariableSpace } from "../check/module.js";
import type { ObjectFile, ObjectSymbol } from "./object.js";

export interface ElfSymbols {
  /** From index 0, the null symbol, on. */
  readonly symbols: readonly SymbolRecord[];
  /** sh_info: the first GLOBAL symbol. */
  readonly firstGlobal: number;
  /** ELF index of each of the object's symbols. */
  readonly indexOf: readonly number[];
  /** ELF index of the section symbol of an ELF section. */
  readonly sectionSymbol: ReadonlyMap<number, number>;
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
  const symbols: SymbolRecord[] = [{ nameOffset: 0, type: STT.NOTYPE, binding: STB.LOCAL }];
  const sectionSymbol = new Map<number, number>();
  for (const { index, name } of [...sections, ...parameterSections]) {
    sectionSymbol.set(index, symbols.length);
    symbols.push({ nameOffset: strings.add(name), type: STT.SECTION, binding: STB.LOCAL, sectionIndex: index });
  }
  if (object.type === "relocatable")
    for (const section of parameterSections) symbols.push(parameterSymbol(section, strings));

  const indexOf = new Array<number>(object.symbols.length).fill(0);
  const put = (index: number): void => {
    indexOf[index] = symbols.length;
    symbols.push(elfSymbol(object, object.symbols[index]!, elfSection, strings));
  };
  const order = object.symbols.map((_, i) => i);
  const isGlobal = (i: number): boolean => bindingOf(object.symbols[i]!) === STB.GLOBAL;
  order.filter((i) => !isGlobal(i)).forEach(put);
  const firstGlobal = symbols.length;
  const globals = order.filter(isGlobal);
  for (let rank = 0; rank <= 3; rank++) globals.filter((i) => rankOf(object.symbols[i]!) === rank).forEach(put);
  return { symbols, firstGlobal, indexOf, sectionSymbol };
}

/** `_param`, which says where in the bank the parameters are; `_SREG` for a kernel without any. */
function parameterSymbol({ index, base, bytes }: ParameterSection, strings: StringTableBuilder): SymbolRecord {
  const isEmpty = bytes === 0;
  return {
    nameOffset: strings.add(isEmpty ? "_SREG" : "_param"),
    value: isEmpty ? 0 : base,
    size: isEmpty ? base : bytes,
    type: STT.CUDA_OBJECT,
    binding: STB.LOCAL,
    other: STO_CUDA.CONSTANT | STV.INTERNAL,
    sectionIndex: index,
  };
}

/** Variables of known size, references, open arrays, functions. */
function rankOf(symbol: ObjectSymbol): number {
  if (symbol.kind === "function") return 3;
  if (symbol.kind === "reference") return 1;
  return symbol.layout.size === 0 ? 2 : 0;
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
      return {
        nameOffset,
        type: isObject ? STT.CUDA_OBJECT : STT.OBJECT,
        binding,
        other: symbol.unified === undefined ? other : other | STO_CUDA.ENTRY,
        sectionIndex,
        special: placement.kind === "common" ? SHN.COMMON : 0,
        value: variableValue(object, symbol),
        size: symbol.layout.size,
      };
    }
    case "function": {
      // An alias has the place of its function and no size, as in NVIDIA's files.
      const section = placement.kind === "section" ? object.sections[placement.section]! : undefined;
      const isAlias = section?.role.kind === "text" && object.symbols[section.role.symbol] !== symbol;
      const size = section === undefined || isAlias ? 0 : section.size;
      return { nameOffset, type: STT.FUNC, binding, other: functionBits(symbol), sectionIndex, size };
    }
    case "reference":
      return { nameOffset, type: referenceTypes[symbol.type], binding };
  }
}

function functionBits({ entry, unified }: ObjectSymbol & { kind: "function" }): number {
  return (entry ? STO_CUDA.ENTRY : 0) | (unified === undefined ? 0 : STO_CUDA.MANAGED);
}

/** st_value: an offset, or for what has none yet (common, shared of an object) the alignment; both in bytes. */
function variableValue(object: ObjectFile, symbol: ObjectSymbol & { kind: "variable" }): number {
  const { placement } = symbol;
  if (placement.kind === "undefined") return 0;
  const unplaced = placement.kind === "common" || (symbol.space === "shared" && object.type === "relocatable");
  return unplaced ? symbol.layout.align : placement.offset;
}
