// The file of an object, or of an image held as a value.

import { targetFacts } from "../../../../formats/cuda/index.js";
import { CODE_PROPERTY, fileFinder, type SectionRow } from "../columns.js";
import { contentsOf } from "../contents.js";
import { callGraph, undefinedCallees } from "./call-graph.js";
import { createCodeAttributes, moduleInfoBytes } from "./code-attributes.js";
import { debugOf } from "./debug-sections.js";
import type { FileTarget } from "./elf-writer.js";
import { fileTypeOf, outputSymbols, type OutputObject } from "./output-object.js";
import { createOutputSections, setSection, type OutputKernel } from "./output-rows.js";
import { objectRelocations } from "./relocations.js";
import { numberSymbols } from "./symbol-table.js";
import { writeFile, type Identify, type SectionBytes } from "./write-file.js";

export type { Identify };

/** The file in parts, some of which are ranges of the columns' files. */
export function objectFile(object: OutputObject, target: FileTarget, identify?: Identify): readonly Uint8Array[] {
  const { columns, sections, image } = object;
  const { sm } = target.target;
  const facts = targetFacts(sm);
  const type = fileTypeOf(image);
  const symbols = outputSymbols(object);
  const rowsOfSections = createOutputSections(sections.length);
  sections.forEach((section, i) => setSection(rowsOfSections, i, section));
  const kernels = kernelsOf(object);
  const debug = debugOf(columns, symbols, () => kernels.map(({ row }) => row), { type, sm });
  const graph = callGraph(columns, symbols, object, type === "relocatable");
  const numbers = numberSymbols(columns, symbols, type, sections.length, kernels.length);
  const { elfOf } = numbers;
  const reported = facts.marksBlockZ ? ~0 : ~CODE_PROPERTY.blockZ;
  const callees = undefinedCallees(columns, symbols, graph, type);
  const ofCode = createCodeAttributes();
  return writeFile(
    {
      type,
      target,
      columns,
      symbols,
      numbers,
      sections: rowsOfSections,
      replaced: object.large ?? NOTHING_REPLACED,
      kernels,
      relocations: objectRelocations(object, elfOf, facts.writesRel),
      graph,
      debug,
      info: moduleInfoBytes(
        columns,
        symbols.row,
        elfOf,
        recursiveKernels(object).map((number) => elfOf[number]!),
      ),
      attributesOf(section) {
        const { row, owner } = sections[section]!;
        const externs = callees.get(owner)?.map((callee) => elfOf[callee]!);
        return ofCode(columns.codeProperties[row]! & reported, externs);
      },
      dataOf: dataReader(object),
    },
    identify,
  );
}

/** Shared memory of a kernel in an object: the link lays it out. */
const NO_SHARED = { sharedBytes: 0, dynamicSharedOffset: 0 } as const;

const kernelsOf = ({ columns, shared, definitionOf }: OutputObject): readonly OutputKernel[] =>
  columns.kernels
    .filter((row) => definitionOf(row) >= 0)
    .map((row, i) => ({ row, number: definitionOf(row), ...(shared[i] ?? NO_SHARED) }));

/** The kernels with unknown stack size. */
const recursiveKernels = ({ columns, sections }: OutputObject): readonly number[] =>
  sections
    .flatMap(({ row, owner }) => ((columns.codeProperties[row]! & CODE_PROPERTY.recursive) === 0 ? [] : [owner]))
    .sort((a, b) => a - b);

const NOTHING_REPLACED: ReadonlyMap<SectionRow, Uint8Array> = new Map();

/** Returns a function that finds the bytes of a data section: in its file, unless some of them were discarded. */
function dataReader({ columns, sections, large }: OutputObject): (section: number) => SectionBytes {
  const fileOf = fileFinder(columns);
  return (section) => {
    const { row } = sections[section]!;
    const given = large?.get(row);
    if (given !== undefined) return { from: given, start: 0 };
    const file = fileOf(row);
    if (columns.keptRanges.has(row)) return { from: contentsOf(columns, file, row), start: 0 };
    return { from: columns.files[file]!.bytes, start: columns.contentsAt[row]! };
  };
}
