// Writes `.nv.info` of code and of a file, for other tools: barriers, %ctaid.z, undefined callees, samplers, kernels with unknown
// stack size.

import { LINKAGES, REFERENCES } from "../../file/declaration-codes.js";
import { joinBytes, written } from "../../../../formats/bytes/writer.js";
import { EIATTR, EIFMT, writeInfo, type InfoEntry } from "../../../../formats/cuda/index.js";
import { INDEPENDENT, moduleEntries, UNKNOWN_STACK } from "../../attributes/module-info.js";
import { samplerEntries } from "../../code/reference-fields.js";
import { CODE_PROPERTY, isReferenceDefinition, linkageOf, type Columns, type SymbolRow } from "../columns.js";
import { stringOf } from "../strings.js";
import { declaredFields } from "../values.js";
import { bytesIn } from "./header-sections.js";

/** ELF symbols, of four bytes each, that one attribute of a size of 16 bits has room for. */
const MAX_SYMBOLS = Math.floor(0xffff / 4);

/**
 * Makes the attributes of code: `bits` are its barriers with the properties above them (CODE_PROPERTY), `externs` the ELF symbols of
 * undefined functions that it calls. Those of equal properties are made once.
 */
export function createCodeAttributes(): (bits: number, externs?: readonly number[]) => Uint8Array {
  const known: (Uint8Array | undefined)[] = [];
  return (bits, externs) => {
    const own = (known[bits] ??= written((into) => writeInfo(into, entriesOf(bits))));
    return externs === undefined ? own : joinBytes([own, externBytes(externs)]);
  };
}

function entriesOf(bits: number): readonly InfoEntry[] {
  const entries: InfoEntry[] = [];
  const number = (attribute: number, format: number, value: number): void =>
    void entries.push({ attribute, format, payload: { kind: "number", value } });
  const flag = (attribute: number): void =>
    void entries.push({ attribute, format: EIFMT.NVAL, payload: { kind: "flag", value: 0 } });
  if ((bits & 0xff) !== 0) number(EIATTR.NUM_BARRIERS, EIFMT.BVAL, bits & 0xff);
  if ((bits & CODE_PROPERTY.blockZ) !== 0) flag(EIATTR.CTAIDZ_USED);
  if ((bits & CODE_PROPERTY.matrices) !== 0) flag(EIATTR.WMMA_USED);
  if ((bits & CODE_PROPERTY.recursive) !== 0) number(EIATTR.CRS_STACK_SIZE, EIFMT.SVAL, UNKNOWN_STACK);
  return entries;
}

/** As many attributes as their sizes need. Words, because nearly every function of an object calls those of others. */
function externBytes(externs: readonly number[]): Uint8Array {
  const words = new Uint32Array(externs.length + Math.ceil(externs.length / MAX_SYMBOLS));
  let at = 0;
  for (let i = 0; i < externs.length; i++) {
    if (i % MAX_SYMBOLS === 0) {
      const count = Math.min(MAX_SYMBOLS, externs.length - i);
      words[at++] = EIFMT.SVAL | (EIATTR.EXTERNS << 8) | ((4 * count) << 16);
    }
    words[at++] = externs[i]!;
  }
  return bytesIn(words);
}

/**
 * `.nv.info` of a file. `symbols`: its symbols; `elfOf`: their ELF symbols; `recursive`: ELF symbols of kernels with unknown
 * stack size.
 */
export function moduleInfoBytes(
  columns: Columns,
  symbols: ArrayLike<SymbolRow>,
  elfOf: Int32Array,
  recursive: readonly number[],
): Uint8Array {
  const isIndependent = hasOption(columns, INDEPENDENT);
  const entries = moduleEntries({ isIndependent, samplers: samplers(columns, symbols, elfOf), recursive });
  return written((into) => writeInfo(into, entries));
}

/** The initial values of samplers. */
function samplers(columns: Columns, symbols: ArrayLike<SymbolRow>, elfOf: Int32Array): readonly InfoEntry[] {
  const entries: InfoEntry[] = [];
  if (columns.featureCounts.references === 0) return entries;
  for (let number = 0; number < symbols.length; number++) {
    const symbol = symbols[number]!;
    if (elfOf[number] === 0 || !isReferenceDefinition(columns, symbol)) continue;
    const [type, linkage] = [REFERENCES[columns.flags[symbol]!]!, LINKAGES[linkageOf(columns, symbol)]!];
    const fields = declaredFields(columns.types, columns.typeId[symbol]!);
    entries.push(...samplerEntries({ type, linkage, fields }, elfOf[number]!));
  }
  return entries;
}

/** Whether the .target of some module has that option. */
function hasOption({ strings, modules, moduleStart }: Columns, option: string): boolean {
  return moduleStart.some((start) => {
    const first = start + OPTIONS + 1;
    for (let at = first; at < first + modules[start + OPTIONS]!; at++)
      if (stringOf(strings, -modules[at]! - 1) === option) return true;
    return false;
  });
}

/** Index of the number of options in a module's words; the options follow it. */
const OPTIONS = 3;
