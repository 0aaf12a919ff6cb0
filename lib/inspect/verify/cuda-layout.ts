// Rules for the layout of a cubin: sections in the order of their headers with no more than alignment between them, then the
// section headers, then the program headers, then nothing. Observed in 8,300 files of ptxas, nvlink and nvcc 13.0.88, and in
// files of CUDA 10 and 11. ptxkit's files are compared byte for byte with its writer.

import type { ElfSection } from "../../../formats/elf/index.js";
import { SECTION_HEADER_SIZE } from "../../../formats/elf/section.js";
import { named } from "./elf.js";
import type { Rule } from "./rule.js";

const OFFSET_FIELD = 24;
const FILE_HEADER_SIZE = 64;
const SEGMENT_SIZE = 56;
const HEADER_ALIGNMENT = 8;

/** Sections after which NVIDIA's tools leave unused bytes. */
const LEAVES_SPACE: ReadonlySet<string> = new Set([".shstrtab", ".strtab", ".nv.global.init"]);

const aligned = (offset: number, alignment: number): number => Math.ceil(offset / alignment) * alignment;

/** Whether a section of the second copy of metadata overlaps an earlier one's bytes. */
const isSecondCopy = ({ name, offset, data }: ElfSection, starts: ReadonlySet<number>): boolean =>
  name.startsWith(".nv.merc.") && (starts.has(offset) || data.length === 0);

export const cudaLayoutRules: readonly Rule[] = [
  {
    name: "file-layout",
    about:
      "sections are in the order of their headers without gaps, except for alignment; the headers follow, and nothing else",
    check({ file, bytes, ours, cuda }, report) {
      if (ours || cuda === undefined) return 0;
      const { sections, segments, header } = file;
      const starts = new Set<number>();
      let end = FILE_HEADER_SIZE;
      let hasSpace = false;
      for (const section of sections.slice(1)) {
        if (isSecondCopy(section, starts)) continue;
        const { offset, addralign, data, headerOffset, name } = section;
        const next = aligned(end, Math.max(1, addralign));
        const mayStandApart = hasSpace || name.startsWith(".nv.merc.");
        if (offset !== next && !(mayStandApart && offset > next))
          report(headerOffset + OFFSET_FIELD, `${named(section)} is at ${offset}; the previous section ends at ${end}`);
        end = Math.max(end, offset + data.length);
        if (data.length === 0) continue;
        starts.add(offset);
        hasSpace = LEAVES_SPACE.has(name);
      }
      const tables = header.sectionHeaderOffset;
      if (tables !== aligned(end, HEADER_ALIGNMENT) && !(hasSpace && tables > end))
        report(40, `the section headers are at ${tables}; the last section ends at ${end}`);
      const tablesEnd = tables + SECTION_HEADER_SIZE * sections.length;
      if (segments.length > 0 && header.programHeaderOffset !== tablesEnd)
        report(32, `the program headers are at ${header.programHeaderOffset}; the section headers end at ${tablesEnd}`);
      const fileEnd = tablesEnd + SEGMENT_SIZE * segments.length;
      if (fileEnd !== bytes.length) report(56, `the headers end at ${fileEnd}; the file ends at ${bytes.length}`);
      return sections.length;
    },
  },
];
