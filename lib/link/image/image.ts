// Makes the file of an image: its sections, symbols and relocations as rows, which ../../object/columns/write/write-file.ts
// writes.

import type { ImageLayout } from "../layout/layout.js";
import { callGraph } from "../../object/columns/write/call-graph.js";
import { debugOf } from "../../object/columns/write/debug-sections.js";
import type { Numbering } from "../../object/columns/write/output-rows.js";
import { numberSymbols } from "../../object/columns/write/symbol-table.js";
import { writeFile, type Identify } from "../../object/columns/write/write-file.js";
import { contentsOf } from "../../object/columns/contents.js";
import type { DataRole } from "../../object/columns/codes.js";
import { type SectionRow, type Columns, fileFinder } from "../../object/columns/columns.js";
import type { Resolution } from "../resolve/resolve.js";
import type { ImageAlias } from "./aliases.js";
import { countApplied } from "./applied-relocations.js";
import { functionAttributes } from "./function-attributes.js";
import { imageNumbers, imageSymbols } from "./image-symbols.js";
import { patchBytes, relocateSections } from "./relocate.js";
import { planSections, type LinkTarget } from "./section-plan.js";

export interface ImageOptions {
  /** Computes the ID in the image's note from its bytes (object/file/build-id.ts); undefined for an image without ID. */
  readonly identify?: Identify;
  /** Whether the image records the applied relocations (--emit-relocs). */
  readonly emitRelocations?: boolean;
  /** Called if the stack size of some kernels is unknown. */
  readonly onUnknownStacks?: () => void;
  /** Aliases after the other symbols. */
  readonly aliases?: readonly ImageAlias[];
}

export function imageFile(
  columns: Columns,
  resolution: Resolution,
  layout: ImageLayout,
  linkTarget: LinkTarget,
  { identify, emitRelocations = false, aliases = [], onUnknownStacks }: ImageOptions = {},
): readonly Uint8Array[] {
  const { mergedOf, chosen, count } = resolution;
  const { sm } = linkTarget.target;
  const numbers = imageNumbers(layout, count);
  const numbering = numberingOf(resolution, numbers);
  const plan = planSections(columns, resolution, layout, numbers);
  const symbols = imageSymbols(columns, resolution, layout, plan, numbers, aliases);
  const kernels = columns.kernels
    .filter((kernel) => chosen[mergedOf[kernel]!] === kernel)
    .map((row) => {
      const { size = 0, dynamicOffset = 0 } = layout.shared.kernels.get(mergedOf[row]!) ?? {};
      return { row, number: numbering.numberOf(row), sharedBytes: size, dynamicSharedOffset: dynamicOffset };
    });
  const graph = callGraph(columns, symbols, numbering, false);
  const inOrder = () => kernels.toSorted((a, b) => a.number - b.number).map(({ row }) => row);
  const debug = debugOf(columns, symbols, inOrder, { type: "executable", sm });
  const elfNumbers = numberSymbols(columns, symbols, "executable", plan.sections.count, kernels.length);
  const { elfOf } = elfNumbers;
  const applied = emitRelocations ? countApplied(columns, resolution, layout) : undefined;
  const relocating = relocateSections(columns, resolution, layout, plan, {
    elfOf: elfOfMerged(numbers, elfOf),
    writesRel: linkTarget.writesRel,
    applied,
  });
  const attributes = functionAttributes(columns, symbols, numbering.numberOf, layout, kernels, graph, elfOf, sm);
  if (attributes.hasUnknownStacks) onUnknownStacks?.();
  const patched = patchBytes(relocating);
  return writeFile(
    {
      type: "executable",
      target: linkTarget,
      columns,
      symbols,
      numbers: elfNumbers,
      sections: plan.sections,
      kernels,
      relocations: relocating.relocations,
      graph,
      debug,
      info: attributes.ofFile,
      attributesOf: (section) => attributes.of(plan.sections.owner[section]!),
      replaced: patched,
      dataOf: (section) => ({
        from: joinData(columns, layout, plan.sections.role[section] as DataRole, patched),
        start: 0,
      }),
    },
    identify,
  );
}

/** As in nvlink's images, a replaced definition still counts as a caller. Other code that was not chosen is absent. */
const numberingOf = ({ mergedOf, chosen, replaced }: Resolution, numbers: Int32Array): Numbering => ({
  numberOf: (row) => numbers[mergedOf[row]!]!,
  definitionOf(row) {
    const merged = mergedOf[row]!;
    return chosen[merged] === row ? numbers[merged]! : -1;
  },
  codeOf(row) {
    const merged = mergedOf[row]!;
    return chosen[merged] === row || (replaced.size > 0 && replaced.get(merged) === row) ? numbers[merged]! : -1;
  },
});

/** The ELF symbol of each merged symbol; 0 for omitted ones. */
function elfOfMerged(numbers: Int32Array, elfOf: Int32Array): Int32Array {
  const merged = new Int32Array(numbers.length);
  for (let row = 0; row < merged.length; row++) if (numbers[row]! >= 0) merged[row] = elfOf[numbers[row]!]!;
  return merged;
}

/** The bytes of a joined section. `patched`: the bytes of sections with patches. */
function joinData(
  columns: Columns,
  { outputSections, offset }: ImageLayout,
  role: DataRole,
  patched: ReadonlyMap<SectionRow, Uint8Array>,
): Uint8Array {
  const { inputs, size } = outputSections[role];
  const fileOf = fileFinder(columns);
  const whole = new Uint8Array(size);
  for (const section of inputs)
    whole.set(patched.get(section) ?? contentsOf(columns, fileOf(section), section), offset[section]);
  return whole;
}
