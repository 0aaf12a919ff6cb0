// Rules of every ELF file (System V ABI, "Object Files"). Properties that the reader checks are not checked again: tables and
// sections are inside the file, and section names are terminated.

import {
  EM,
  ET,
  isSymbolTable,
  MAX_FILE_ALIGNMENT,
  notesOf,
  PT,
  relocationKind,
  SHF,
  SHT,
  SHT_CUDA,
  symbolsOf,
  type ElfSection,
} from "../../../formats/elf/index.js";
import type { Result } from "../../../formats/bytes/result.js";
import type { Report, Rule, Subject } from "./rule.js";

const SIZE_FIELD = 32;
const LINK_FIELD = 40;
const INFO_FIELD = 44;
const ALIGN_FIELD = 48;
const ENTSIZE_FIELD = 56;
const SYMBOL_BYTES = 24;
const FILE_HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
/** The bytes of e_ident after EI_ABIVERSION. */
const PADDING = 9;
const PADDING_END = 16;
/** Range of e_version in the older generation: 10 x major + minor of CUDA 3.0 to 12.9. */
const [OLDEST_TOOLKIT, NEWEST_OLD_TOOLKIT] = [30, 129];

export const named = ({ index, name }: ElfSection): string => `section ${index} (${name})`;

const withBytes = ({ file }: Subject): readonly ElfSection[] => file.sections.filter(({ data }) => data.length > 0);

/** The size of entries of a table that defines it; undefined for other sections. */
function entrySize({ file }: Subject, { type }: ElfSection): number | undefined {
  const { machine } = file.header;
  if (isSymbolTable(machine, type)) return SYMBOL_BYTES;
  const kind = relocationKind(machine, type);
  if (kind !== undefined) return kind === "rel" ? 16 : 24;
  return machine === EM.CUDA && (type === SHT_CUDA.CALLGRAPH || type === SHT_CUDA.PROTOTYPE) ? 8 : undefined;
}

/** Counts the elements of readable sections; reports the faults of the others. */
function countInside<T>(
  sections: readonly ElfSection[],
  read: (section: ElfSection) => Result<T>,
  countOf: (value: T) => number,
  report: Report,
): number {
  let count = 0;
  for (const section of sections) {
    const found = read(section);
    if (found.ok) count += countOf(found.value);
    else report(found.error.offset, found.error.what);
  }
  return count;
}

export const elfRules: readonly Rule[] = [
  {
    name: "file-header",
    about:
      "e_version is 1, header sizes are those of ELF64, e_ident padding is 0, and e_phoff is set if there are program headers",
    check({ file: { header }, bytes, cuda }, report) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, FILE_HEADER_BYTES);
      const padding = bytes.subarray(PADDING, PADDING_END).findIndex((byte) => byte !== 0);
      if (padding >= 0) report(PADDING + padding, `byte ${PADDING + padding} of e_ident is not 0`);
      // Cubins of the older generation store the toolkit's version in e_version.
      if (
        cuda?.kind === "old"
          ? header.version < OLDEST_TOOLKIT || header.version > NEWEST_OLD_TOOLKIT
          : header.version !== 1
      )
        report(20, `unexpected e_version ${header.version}`);
      const [size, entry, count] = [52, 54, 56].map((at) => view.getUint16(at, true));
      if (size !== FILE_HEADER_BYTES) report(52, `e_ehsize is ${size}, not ${FILE_HEADER_BYTES}`);
      if (cuda !== undefined && entry !== SEGMENT_BYTES && (entry !== 0 || count !== 0))
        report(54, `e_phentsize is ${entry}, not ${SEGMENT_BYTES}`);
      if (cuda !== undefined && count === 0 && header.programHeaderOffset !== 0)
        report(32, `e_phoff is ${header.programHeaderOffset}, but there are no program headers`);
      if (count !== 0 && (entry !== SEGMENT_BYTES || header.programHeaderOffset === 0))
        report(54, `${count} program headers of ${entry} bytes at ${header.programHeaderOffset}`);
      return 1;
    },
  },
  {
    name: "generation",
    about:
      "EI_ABIVERSION of a cubin is 2, 7 or 8, or that of ptxkit's files; files for other machines have no CUDA sections",
    check({ file, cuda, ours }, report) {
      const { header } = file;
      if (header.machine !== EM.CUDA) {
        // If only e_machine is damaged, no other rule would check the file.
        const section = file.sections.find(({ name }) => name === ".nv.info" || name === ".note.ptxkit");
        if (section !== undefined) report(18, `e_machine is ${header.machine}, but the file has ${named(section)}`);
        return 1;
      }
      if (cuda === undefined && !ours)
        report(8, `EI_ABIVERSION ${header.abiVersion} is not that of any generation of cubins`);
      return 1;
    },
  },
  {
    name: "first-section",
    about: "section 0 is null, except for counts that do not fit the file header",
    check({ file }, report) {
      const [first] = file.sections;
      if (first === undefined) return 0;
      if (first.type !== SHT.NULL || first.flags !== 0 || first.offset !== 0 || first.address !== 0n)
        report(first.headerOffset, `section 0 has type ${first.type}, flags ${first.flags} and offset ${first.offset}`);
      return 1;
    },
  },
  {
    name: "section-alignment",
    about: "the offset of a section is a multiple of its alignment",
    check(subject, report) {
      const sections = withBytes(subject);
      for (const section of sections) {
        const { offset, addralign, address, headerOffset } = section;
        // In ptxkit's files alignments above this limit apply in memory only. In a host file, an offset may instead be congruent
        // to an address.
        const inFile = subject.ours ? Math.min(addralign, MAX_FILE_ALIGNMENT) : addralign;
        if (addralign > 1 && address === 0n && offset % inFile !== 0)
          report(headerOffset + ALIGN_FIELD, `${named(section)} has alignment ${addralign} but offset ${offset}`);
      }
      return sections.length;
    },
  },
  {
    name: "section-overlap",
    about: "sections do not overlap in the file, except .nv.merc sections with those of which they are a second copy",
    check(subject, report) {
      const { machine } = subject.file.header;
      const sections = withBytes(subject)
        .filter(({ name }) => machine !== EM.CUDA || !name.startsWith(".nv.merc."))
        .sort((a, b) => a.offset - b.offset);
      for (let i = 1; i < sections.length; i++) {
        const [before, section] = [sections[i - 1]!, sections[i]!];
        if (section.offset < before.offset + before.data.length)
          report(section.headerOffset + 24, `${named(section)} begins inside ${named(before)}`);
      }
      return sections.length;
    },
  },
  {
    name: "section-link",
    about: "sh_link of a symbol table is a string table, and of relocations a symbol table",
    check(subject, report) {
      const { sections, header } = subject.file;
      let count = 0;
      for (const section of sections) {
        const { type, link, headerOffset } = section;
        const isTable = isSymbolTable(header.machine, type);
        const isRelocations = relocationKind(header.machine, type) !== undefined;
        if (!isTable && !isRelocations) continue;
        count++;
        const target = sections[link];
        // Relocations of a static executable may have no table.
        if (isRelocations && link === 0) continue;
        const fits =
          target !== undefined && (isTable ? target.type === SHT.STRTAB : isSymbolTable(header.machine, target.type));
        if (!fits)
          report(
            headerOffset + LINK_FIELD,
            `${named(section)}: sh_link ${link} is not a ${isTable ? "string" : "symbol"} table`,
          );
      }
      return count;
    },
  },
  {
    name: "section-info",
    about: "sh_info of a section with SHF_INFO_LINK is a valid section index",
    check({ file }, report) {
      const linked = file.sections.filter(({ flags }) => (flags & SHF.INFO_LINK) !== 0);
      for (const section of linked)
        if (section.info >= file.sections.length)
          report(
            section.headerOffset + INFO_FIELD,
            `${named(section)}: sh_info ${section.info} is not a section index`,
          );
      return linked.length;
    },
  },
  {
    name: "entry-size",
    about: "tables have the standard entry size, and their size is a multiple of it",
    check(subject, report) {
      let count = 0;
      for (const section of subject.file.sections) {
        const size = entrySize(subject, section);
        if (size === undefined) continue;
        count++;
        if (section.entsize !== size)
          report(
            section.headerOffset + ENTSIZE_FIELD,
            `${named(section)} has entries of ${section.entsize} bytes, not ${size}`,
          );
        if (section.size % size !== 0)
          report(
            section.headerOffset + SIZE_FIELD,
            `${named(section)}: the size ${section.size} is not a multiple of the entry size ${size}`,
          );
      }
      return count;
    },
  },
  {
    name: "symbols",
    about: "each symbol has a null-terminated name and a valid section index",
    check: ({ file }, report) =>
      countInside(
        file.sections.filter(({ type }) => isSymbolTable(file.header.machine, type)),
        (section) => symbolsOf(file, section),
        ({ count }) => count,
        report,
      ),
  },
  {
    name: "notes",
    about: "notes are complete",
    check: ({ file }, report) =>
      countInside(
        file.sections.filter(({ type }) => type === SHT.NOTE),
        (section) => notesOf(file, section),
        ({ length }) => length,
        report,
      ),
  },
  {
    name: "segments",
    about: "segments are inside the file, with p_filesz at most p_memsz; objects have no segments",
    check({ file, bytes }, report) {
      const { segments, header } = file;
      if (header.type === ET.REL && segments.length > 0) report(54, `an object has ${segments.length} program headers`);
      for (const [i, { type, offset, fileSize, memorySize }] of segments.entries()) {
        const at = header.programHeaderOffset + i * 56;
        if (type === PT.NULL) continue;
        if (Number(offset) + Number(fileSize) > bytes.length)
          report(
            at + 8,
            `segment ${i}: ${fileSize} bytes at ${offset} extend past the end of the file at ${bytes.length}`,
          );
        if (type === PT.LOAD && memorySize < fileSize)
          report(at + 40, `segment ${i}: p_filesz ${fileSize} exceeds p_memsz ${memorySize}`);
      }
      return segments.length;
    },
  },
];
