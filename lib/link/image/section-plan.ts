// Plans the sections of the image in the order of NVIDIA's files: constants, functions, initialised data, other data, shared
// memory.

import type { FileTarget } from "../../object/columns/write/elf-writer.js";
import { createOutputSections, setSection, type OutputSections } from "../../object/columns/write/output-rows.js";
import { isPresent, type ImageLayout } from "../layout/layout.js";
import { ROLE, type DataRole } from "../../object/columns/codes.js";
import type { MergedRow, Resolution } from "../resolve/resolve.js";
import type { SharedMemory } from "../layout/shared-memory.js";
import type { Columns } from "../../object/columns/columns.js";

export interface LinkTarget extends FileTarget {
  readonly writesRel: boolean;
}

/** Roles of joined sections before and after the code, in the image's order. */
const before = [ROLE.constant] as const;
const behind = [ROLE.globalInit, ROLE.global, ROLE.local] as const;

export interface SectionPlan {
  readonly sections: OutputSections;
  /** Number of each joined section by role; -1 if it is absent. */
  readonly joined: { readonly [Role in DataRole]: number };
  /** Number of each kept function's code, by its section row. */
  readonly textOf: Int32Array;
  /** Number of the section of each static shared variable in the image. */
  readonly sharedOf: ReadonlyMap<MergedRow, number>;
}

/** `numbers`: the image's number of each merged symbol. */
export function planSections(
  columns: Columns,
  { mergedOf }: Resolution,
  { textSections, outputSections, shared }: ImageLayout,
  numbers: Int32Array,
): SectionPlan {
  const list = sharedSections(shared);
  const joins = [...before, ...behind].filter((role) => isPresent(outputSections[role])).length;
  const sections = createOutputSections(joins + textSections.length + list.length);
  const joined = { [ROLE.constant]: -1, [ROLE.globalInit]: -1, [ROLE.global]: -1, [ROLE.local]: -1 };
  let next = 0;
  const join = (role: DataRole): void => {
    const { size, align } = outputSections[role];
    if (!isPresent(outputSections[role])) return;
    joined[role] = next;
    setSection(sections, next++, { role, row: -1, owner: -1, size, align });
  };
  before.forEach(join);
  const textOf = new Int32Array(columns.firstSection.at(-1)!).fill(-1);
  const { owner, size, align } = columns;
  for (let i = 0; i < textSections.length; i++) {
    const row = textSections[i]!;
    textOf[row] = next;
    sections.role[next] = ROLE.text;
    sections.row[next] = row;
    sections.owner[next] = numbers[mergedOf[owner[row]!]!]!;
    sections.size[next] = size[row]!;
    sections.align[next++] = align[row]!;
  }
  behind.forEach(join);
  const sharedOf = new Map<MergedRow, number>();
  for (const { kernel, own, size, align } of list) {
    for (const row of own) sharedOf.set(row, next);
    const isCommon = kernel === undefined;
    const role = isCommon ? ROLE.moduleShared : ROLE.shared;
    setSection(sections, next++, { role, row: -1, owner: isCommon ? -1 : numbers[kernel]!, size, align });
  }
  return { sections, joined, textOf, sharedOf };
}

/** A section of the image's shared memory. */
interface SharedSection {
  /** Undefined for the section that all kernels share. */
  readonly kernel: MergedRow | undefined;
  readonly align: number;
  readonly size: number;
  /** Its variables. */
  readonly own: readonly MergedRow[];
}

function sharedSections({ common, commonAlign, commonSize, kernels }: SharedMemory): readonly SharedSection[] {
  const first = { kernel: undefined, align: commonAlign, size: commonSize, own: common };
  const ofKernels = [...kernels].map(([kernel, { align, size, own }]) => ({ kernel, align, size, own }));
  return [...(common.length > 0 ? [first] : []), ...ofKernels.filter(({ size }) => size > 0)];
}
