// `.ptxkit.decl`: what NVIDIA's symbol table cannot hold. Per module its name, version, target and files; per section and
// symbol of the object which ELF section and symbol it is; per symbol its declaration; per relocation the bytes of its
// holder and which table it stands in. docs/format.md, "Declarations". Read by read-declarations.ts.

import { utf8Length } from "../../../formats/bytes/writer.js";
import type { Layout, Parameter } from "../../isa/code.js";
import { opaqueFields } from "../../isa/opaque-fields.table.js";
import { packLayout, parameterFlags } from "../code/layout-codec.js";
import type { ModuleOrigin, ObjectFile, ObjectSymbol, Section } from "../object.js";
import { targetWordsOf } from "../target-words.js";
import { codeOf, flagsOf, roleCode } from "./declaration-codes.js";
import {
  createRows,
  finishRows,
  NO_OWNER,
  putAll,
  putDebug,
  putKernel,
  putSection,
  putSymbol,
  putWord,
  wideWords,
  type DeclarationRows,
} from "./declaration-rows.js";

/** What the writer of the file knows and the object does not. */
export interface ElfIndices {
  /** ELF section of one of the object's sections. */
  elfSection(section: number): number;
  /** ELF symbol of each of the object's symbols. */
  readonly symbols: ArrayLike<number>;
  /** Where each part of a debug section is: the ELF section, and the offset of the part in it. */
  readonly debug: readonly { readonly elf: number; readonly offset: number }[];
  isRela(addend: bigint): boolean;
}

/** The rows with the numbers of the texts and types that are in them. */
interface Declarations {
  readonly rows: DeclarationRows;
  readonly texts: Map<string, number>;
  /** By their words. */
  readonly types: Map<string, number>;
}

export function encodeDeclarations(object: ObjectFile, elf: ElfIndices): Uint8Array {
  const { modules, symbols, sections, kernels, debugSections = [] } = object;
  const declarations: Declarations = { rows: createRows(symbols.length), texts: new Map(), types: new Map() };
  const { rows, texts } = declarations;
  const target = textNumber(declarations, object.target.name);
  for (const module of modules) putAll(rows.moduleWords, moduleWords(declarations, module));
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i]!;
    const { module, line, column = 0 } = symbol.origin;
    const type = typeNumber(declarations, typeWords(declarations, symbol));
    putSymbol(rows, elf.symbols[i]!, codeOf(symbol), flagsOf(symbol), type, module, line, column);
  }
  for (let i = 0; i < sections.length; i++) {
    const { role, relocations } = sections[i]!;
    const owner = role.kind === "text" || role.kind === "shared" ? role.symbol : NO_OWNER;
    putSection(rows, elf.elfSection(i), roleCode(role.kind), owner, relocationRuns(relocations, elf));
  }
  for (const { symbol, sharedBytes, dynamicSharedOffset } of kernels)
    putKernel(rows, symbol, sharedBytes, dynamicSharedOffset);
  debugSections.forEach(({ name, module, data, record }, i) => {
    const { elf: section, offset } = elf.debug[i]!;
    putDebug(rows, [textNumber(declarations, name), module, section, offset, data.length], record);
  });
  return finishRows(rows, { target, version: object.version, modules: modules.length }, (into) => {
    const encoder = new TextEncoder();
    let at = 0;
    for (const text of texts.keys()) at += encoder.encodeInto(text, into.subarray(at)).written;
  });
}

function textNumber({ rows: { textEnds }, texts }: Declarations, text: string): number {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const before = textEnds.length === 0 ? 0 : textEnds.words[textEnds.length - 1]!;
  putWord(textEnds, before + utf8Length(text));
  texts.set(text, texts.size);
  return texts.size - 1;
}

function typeNumber({ rows, types }: Declarations, words: readonly number[]): number {
  const key = words.join();
  const known = types.get(key);
  if (known !== undefined) return known;
  putAll(rows.typeWords, words);
  putWord(rows.typeEnds, rows.typeWords.length);
  types.set(key, types.size);
  return types.size - 1;
}

/** Count and code of each run, one behind the other. */
function relocationRuns(relocations: Section["relocations"], elf: ElfIndices): readonly number[] {
  const runs: number[] = [];
  for (let i = 0; i < relocations.length; i++) {
    const { width, addend } = relocations[i]!;
    const code = width * 2 + (elf.isRela(addend) ? 1 : 0);
    if (runs.length > 0 && runs[runs.length - 1] === code) runs[runs.length - 2]!++;
    else runs.push(1, code);
  }
  return runs;
}

// ---------------------------------------------------------------------------------------------------- modules and types

/** In modules and types text n is -n - 1. */
const textWord = (declarations: Declarations, text: string): number => -textNumber(declarations, text) - 1;

const LARGE = 2 ** 31;
const numberWords = (value: number): readonly number[] => (value < LARGE ? [value] : wideWords(BigInt(value)));

function moduleWords(declarations: Declarations, module: ModuleOrigin): readonly number[] {
  const text = (of: string): number => textWord(declarations, of);
  const front = [text(module.name), module.version, text(module.target.name)];
  const options = targetWordsOf(module).map(text);
  const files = module.files.flatMap(({ index, path }) => [index, text(path)]);
  return [...front, options.length, ...options, module.targetLine, module.files.length, ...files];
}

/** What a symbol is declared as, but for what its row has. */
function typeWords(declarations: Declarations, symbol: ObjectSymbol): readonly number[] {
  switch (symbol.kind) {
    case "variable": {
      const words = layoutWords(declarations, symbol.layout);
      if (symbol.scope !== undefined) words.push(textWord(declarations, symbol.scope));
      const { aliasOf } = symbol;
      if (aliasOf !== undefined) words.push(textWord(declarations, aliasOf.base), aliasOf.offset);
      return [...words, ...unifiedWords(symbol.unified)];
    }
    case "function": {
      const { returns, parameters, noreturn } = symbol.prototype;
      const words = [noreturn ? 1 : 0];
      for (const list of [returns, parameters]) {
        words.push(list.length);
        for (const parameter of list) words.push(...parameterWords(declarations, parameter));
      }
      words.push(symbol.directives.length);
      for (const { name, values, strings } of symbol.directives)
        words.push(
          textWord(declarations, name),
          ...[values.length, ...values.flatMap(numberWords)],
          ...[strings.length, ...strings.map((text) => textWord(declarations, text))],
        );
      return [...words, ...unifiedWords(symbol.unified)];
    }
    case "reference": {
      const { fields = [] } = symbol;
      const rowOf = (name: string): number => opaqueFields.findIndex((row) => row.name === name);
      return [fields.length, ...fields.flatMap(({ name, value }) => [rowOf(name), ...wideWords(BigInt(value))])];
    }
  }
}

function layoutWords(declarations: Declarations, layout: Layout): number[] {
  const { type, dimensions, size } = layout;
  const bounds = dimensions.flatMap((dimension) => numberWords((dimension ?? -1) + 1));
  return [textWord(declarations, type.name), packLayout(layout), dimensions.length, ...bounds, ...numberWords(size)];
}

function parameterWords(declarations: Declarations, parameter: Parameter): readonly number[] {
  const { name, layout, pointer } = parameter;
  return [
    parameterFlags(parameter),
    textWord(declarations, name),
    ...layoutWords(declarations, layout),
    ...(pointer?.space === undefined ? [] : [textWord(declarations, pointer.space)]),
    ...(pointer?.align === undefined ? [] : numberWords(pointer.align)),
  ];
}

const unifiedWords = (unified: readonly [bigint, bigint] | undefined): readonly number[] =>
  unified === undefined ? [] : unified.flatMap(wideWords);
