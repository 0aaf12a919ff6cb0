// Writes `.nv.info` of code and of a file, for other tools: barriers, %ctaid.z, undefined callees, samplers, kernels with unknown
// stack size.

import { LINKAGES, REFERENCES } from "../../file/declaration-codes.js";
import { written } from "../../../../formats/bytes/writer.js";
import { writeInfo, type InfoEntry } from "../../../../formats/cuda/index.js";
import { NO_CODE_PROPERTIES } from "../../attributes/code-properties.js";
import { codeInfo } from "../../attributes/kernel-info.js";
import { INDEPENDENT, moduleEntries } from "../../attributes/module-info.js";
import { samplerEntries } from "../../code/reference-fields.js";
import { CODE_PROPERTY, isReferenceDefinition, linkageOf, type Columns, type SymbolRow } from "../columns.js";
import { stringOf } from "../strings.js";
import { declaredFields } from "../values.js";

/**
 * The attributes of code. `bits`: its barriers and properties as in columns; `externs`: ELF symbols of undefined functions that
 * it calls.
 */
export const codeAttributes = (bits: number, externs: readonly number[]): Uint8Array => {
  const code = {
    ...NO_CODE_PROPERTIES,
    symbol: 0,
    barriers: bits & 0xff,
    readsBlockZ: (bits & CODE_PROPERTY.blockZ) !== 0,
    usesMatrices: (bits & CODE_PROPERTY.matrices) !== 0,
    isRecursive: (bits & CODE_PROPERTY.recursive) !== 0,
  };
  return written((into) => writeInfo(into, codeInfo({ code, externs })));
};

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
