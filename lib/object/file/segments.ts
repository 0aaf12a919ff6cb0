// The program headers of an image, which say nothing that its sections do not. docs/format.md, beginning.

import { PF, PT, SHF, type ElfSegmentSpec } from "../../../formats/elf/index.js";
import type { SectionShape } from "../section-shape.js";

/** The header table, each run of sections that are alike in being writable, and the header table again: nvlink's way. */
export function segments(
  shapes: readonly SectionShape[],
  elfSection: (section: number) => number,
): readonly ElfSegmentSpec[] {
  const runs: { first: number; last: number; writable: boolean }[] = [];
  shapes.forEach(({ flags }, i) => {
    const index = elfSection(i);
    const writable = (flags & SHF.WRITE) !== 0;
    const last = runs.at(-1);
    if (last?.writable === writable) last.last = index;
    else runs.push({ first: index, last: index, writable });
  });
  const table = { covers: { kind: "program-headers" }, flags: PF.R | PF.X, align: 8 } as const;
  return [
    { ...table, type: PT.PHDR },
    ...runs.map(({ first, last, writable }): ElfSegmentSpec => ({
      type: PT.LOAD,
      flags: writable ? PF.R | PF.W : PF.R | PF.X,
      align: 8,
      covers: { kind: "sections", first, last },
    })),
    { ...table, type: PT.LOAD },
  ];
}
