// Rules for fields of section headers, symbols and segments other than offsets and types, in cubins and ptxkit's files. The
// values are the same in every file of ptxas and nvlink 13.0 (docs/format.md, "Sections", "Symbols", "File header").

import { knownSection, relocationFacts } from "../../../formats/cuda/index.js";
import {
  ET,
  PF,
  PT,
  relocationKind,
  relocationsOf,
  sectionNamed,
  SHF,
  SHT_CUDA,
  STB,
  STT,
  SYMBOL_SIZE,
  SYMBOL_TYPES,
  symbolsOf,
  type ElfSection,
  type ElfSegment,
} from "../../../formats/elf/index.js";
import { named } from "./elf.js";
import { isOldGeneration } from "./symtab.js";
import type { Rule } from "./rule.js";

const SEGMENT_SIZE = 56;
const SEGMENT_ALIGNMENT = 8;

const knownTypes: ReadonlySet<number> = new Set(
  SYMBOL_TYPES.map(({ value }) => value).filter((type) => type <= STT.SECTION || type >= STT.CUDA_TEXTURE),
);

const LOAD_FLAGS: ReadonlySet<number> = new Set([PF.R, PF.R | PF.X, PF.R | PF.W]);

/** Limit of segments that are compared with sections; NVIDIA's tools write up to 6 segments. */
const MAX_SEGMENTS = 64;

/** Whether a segment's write and execute flags are those of its sections. */
function isOfItsSections({ flags, offset, fileSize }: ElfSegment, placed: readonly ElfSection[]): boolean {
  const inside = placed.filter(
    ({ offset: start, data }) => data.length > 0 && start >= offset && start + data.length <= offset + fileSize,
  );
  const holds = (flag: number): boolean => inside.some((section) => (section.flags & flag) !== 0);
  return !(holds(SHF.WRITE) && (flags & PF.W) === 0) && !(holds(SHF.EXECINSTR) && (flags & PF.X) === 0);
}

/** Relocation tables of the second copy, whose code offsets count before packing. */
const MERC_TABLES: ReadonlySet<number> = new Set([SHT_CUDA.MERC_RELA, SHT_CUDA.MERC_RESOLVED_RELA]);
const NARROW_HOLDERS: ReadonlySet<string> = new Set([".nv.global.init", ".nv.constant3"]);
const ADDRESS_IN_32_BITS = 32;

export const cudaTableRules: readonly Rule[] = [
  {
    name: "symbol-kind",
    about:
      "symbols have a binding and a type that occur in cubins; section symbols and undefined symbols have the value 0",
    check({ file, ours }, report) {
      const section = sectionNamed(file, ".symtab");
      const read = section === undefined ? undefined : symbolsOf(file, section);
      if (section === undefined || read?.ok !== true) return 0;
      const table = read.value;
      for (let i = 1; i < table.count; i++) {
        const at = section.offset + SYMBOL_SIZE * i;
        const [type, binding] = [table.type(i), table.binding(i)];
        const { name, value, special, sectionIndex } = table.at(i);
        if (binding > STB.WEAK || !knownTypes.has(type))
          report(at + 4, `symbol ${i} (${name}) has binding ${binding} and type ${type}`);
        const isForeign = file.header.type === ET.EXEC ? type === STT.CUDA_OBJECT : type === STT.OBJECT && !ours;
        if (isForeign && sectionIndex !== 0)
          report(
            at + 4,
            `symbol ${i} (${name}) is a variable of type ${type}, which is not valid in this kind of file`,
          );
        if (type === STT.SECTION && binding !== STB.LOCAL)
          report(at + 4, `symbol ${i} (${name}) is a section symbol with binding ${binding}`);
        const hasNoPlace = special === undefined && sectionIndex === 0;
        if ((type === STT.SECTION || hasNoPlace) && value !== 0)
          report(
            at + 8,
            `symbol ${i} (${name}) is ${hasNoPlace ? "undefined" : "a section symbol"} with the value ${table.value64(i)}`,
          );
      }
      return table.count;
    },
  },
  {
    name: "relocation-width",
    about: "relocated fields are inside their section",
    check({ file }, report) {
      let count = 0;
      for (const section of file.sections) {
        if (relocationKind(file.header.machine, section.type) === undefined) continue;
        const target = MERC_TABLES.has(section.type) ? undefined : file.sections[section.info];
        const table = relocationsOf(file, section);
        if (!table.ok || target === undefined) continue;
        count += table.value.count;
        // ptxas writes an 8-byte relocation if PTX has an address in a .u32 (docs/differences.md).
        const least = NARROW_HOLDERS.has(target.name) ? ADDRESS_IN_32_BITS : Infinity;
        for (let i = 0; i < table.value.count; i++) {
          const [type, offset] = [table.value.type(i), table.value.offset(i)];
          const all = Math.max(0, ...(relocationFacts(type)?.fields ?? []).map(([first, width]) => first + width));
          const bits = Math.min(all, least);
          // The rule "relocations" reports offsets past the end.
          if (offset < target.size && offset + Math.ceil(bits / 8) > target.size)
            report(
              section.offset + i * section.entsize,
              `${named(section)}, record ${i}: ${Math.ceil(bits / 8)} bytes at ${offset} extend past the end of ${named(target)} at ${target.size}`,
            );
        }
      }
      return count;
    },
  },
  {
    name: "segment-kind",
    about:
      "a segment contains the program headers, or begins and ends at section boundaries; its flags are R, R E or R W, its alignment is 8",
    check(subject, report) {
      const { file, ours } = subject;
      const { header, sections, segments } = file;
      // ptxkit's section of local variables has no flags, and is loaded (docs/format.md).
      const placed = sections.filter(
        ({ flags, name }) => (flags & SHF.ALLOC) !== 0 || knownSection(name)?.facts.role === "module-local",
      );
      const [headers, headerBytes] = [header.programHeaderOffset, segments.length * SEGMENT_SIZE];
      const starts = new Set([headers, ...placed.map(({ offset }) => offset)]);
      const ends = new Set([headers + headerBytes, ...placed.map(({ offset, data }) => offset + data.length)]);
      for (const [i, { type, flags, offset, fileSize, memorySize, align, physicalAddress }] of segments.entries()) {
        const at = header.programHeaderOffset + i * SEGMENT_SIZE;
        if (type !== PT.LOAD && type !== PT.PHDR) report(at, `segment ${i} has type ${type}`);
        if (!LOAD_FLAGS.has(flags)) report(at + 4, `segment ${i} has flags ${flags}`);
        // In the older generation an empty segment may begin anywhere, and other segments include the gap to the next section.
        if (isOldGeneration(subject)) {
          if (fileSize > 0 && !starts.has(offset))
            report(at + 8, `segment ${i} begins at ${offset}, where no section does`);
        } else if (!starts.has(offset)) report(at + 8, `segment ${i} begins at ${offset}, where no section does`);
        else if (!ends.has(offset + fileSize))
          report(at + 32, `segment ${i} ends at ${offset + fileSize}, where no section does`);
        if (!ours && segments.length <= MAX_SEGMENTS && !isOfItsSections(segments[i]!, placed))
          report(at + 4, `segment ${i} has flags ${flags}, which do not match its sections`);
        if (!ours && (flags & PF.W) === 0 && memorySize !== fileSize)
          report(at + 40, `segment ${i}: p_memsz ${memorySize} differs from p_filesz ${fileSize}`);
        if (physicalAddress !== 0n) report(at + 24, `segment ${i} has the physical address ${physicalAddress}`);
        if (align !== SEGMENT_ALIGNMENT) report(at + 48, `segment ${i} is aligned to ${align}`);
      }
      return segments.length;
    },
  },
];
