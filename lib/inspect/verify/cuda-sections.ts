// Rules of the sections of cubins: their names, and the header fields for each name (section-shapes.table.ts). ptxkit's files are
// compared byte for byte with its writer, so that only their types, flags and alignments are checked here.

import { readCudaInfo } from "../../../formats/cuda/index.js";
import { ET, notesOf, sectionNamed, SHF, SHT, type ElfFile, type ElfSection } from "../../../formats/elf/index.js";
import { named } from "./elf.js";
import { sectionShape, type SectionShape } from "./section-shapes.table.js";
import { isOldGeneration as isOld, symtab, textSymbol } from "./symtab.js";
import type { Report, Rule, Subject } from "./rule.js";

const FLAGS_FIELD = 8;
const LINK_FIELD = 40;
const INFO_FIELD = 44;
const ALIGN_FIELD = 48;
const ENTSIZE_FIELD = 56;

/** 10 x major + minor of the newest toolkit whose sections are in the table. */
const NEWEST_TOOLKIT = 130;
/** Flag bits in which the older generation stores the number of barriers of a function. */
const OLD_BARRIERS = 0x07f0_0000;

/** Links that are required only in NVIDIA's files; ptxkit's files are compared byte for byte. */
const FREE_IN_OURS: ReadonlySet<string> = new Set(["none", ".note.nv.tkinfo"]);

/** Whether sections missing in the tables are errors: newer toolkits may write more sections. */
export function isFromKnownToolkit({ file, ours }: Subject): boolean {
  const section = sectionNamed(file, ".note.nv.cuinfo");
  const notes = section === undefined ? undefined : notesOf(file, section);
  const info = notes?.ok === true && notes.value[0] !== undefined ? readCudaInfo(notes.value[0]) : undefined;
  return !ours && info?.ok === true && info.value.toolkit <= NEWEST_TOOLKIT;
}

/** The sections with known names, except the null section. */
function shaped(file: ElfFile): readonly { section: ElfSection; shape: SectionShape; rest: string }[] {
  return file.sections.slice(1).flatMap((section) => {
    const found = sectionShape(section.name);
    return found === undefined ? [] : [{ section, ...found }];
  });
}

/** Section types that determine the section's name, in files of any toolkit. */
const NAME_DEFINING_TYPES: ReadonlySet<number> = new Set([
  ...[SHT.NOBITS, SHT.REL, SHT.RELA, SHT.SYMTAB],
  ...[0x7000_0000, 0x7000_0001, 0x7000_0002, 0x7000_000b, 0x7000_0064],
]);

function typesOf({ file }: Subject, { object, image }: SectionShape): number | undefined {
  // With -ewp a file has the section types of an object and an e_type of its own.
  return file.header.type === ET.EXEC ? image : object;
}

function checkFlags(subject: Subject, { section, shape }: ReturnType<typeof shaped>[number], report: Report): void {
  const { flags, name, headerOffset } = section;
  // The older generation does not set SHF_INFO_LINK, nor do some relocations of parameters; NVIDIA's notes may set it.
  const mayLink = shape.info === "compat" || name.startsWith(".rel.nv.constant0.") || isOld(subject);
  const free = (mayLink ? SHF.INFO_LINK : 0) | (isOld(subject) ? OLD_BARRIERS : 0);
  if ((flags & ~free) !== (shape.flags & ~free))
    report(headerOffset + FLAGS_FIELD, `${named(section)} has unexpected flags 0x${flags.toString(16)}`);
}

/** The names that the section in sh_info may have; undefined if the shape does not determine them. */
function wantedInfo(
  shape: SectionShape,
  rest: string,
): { readonly names: readonly string[]; readonly what: string } | undefined {
  const isCopy = shape.name.startsWith(".nv.merc.");
  if (shape.info === "target")
    return { names: isCopy ? [`.nv.merc.${rest}`, `.nv.capmerc.${rest}`] : [`.${rest}`], what: "is for" };
  if (shape.info === "code") return { names: [`${isCopy ? ".nv.capmerc" : ""}.text.${rest}`], what: "belongs to" };
  return undefined;
}

/** Whether a section replaces the code of a unified function, which its stub calls. */
const isStub = ({ name }: ElfSection): boolean =>
  name.startsWith(".nv.uft.rel.") || name.startsWith(".nv.capmerc.nv.uft.rel.");

function checkInfo(
  { file, ours }: Subject,
  compat: number,
  { section, shape, rest }: ReturnType<typeof shaped>[number],
  report: Report,
): void {
  const at = section.headerOffset + INFO_FIELD;
  const target = file.sections[section.info];
  if (shape.info === "none" && section.info !== 0 && !ours)
    report(at, `${named(section)} has sh_info ${section.info}, not 0`);
  if (shape.info === "compat" && !ours) {
    if (section.info !== compat) report(at, `${named(section)} has sh_info ${section.info}, which is not .nv.compat`);
  }
  const wanted = wantedInfo(shape, rest);
  if (wanted === undefined || (target !== undefined && wanted.names.includes(target.name))) return;
  if (shape.info === "code" && target !== undefined && isStub(target)) return;
  if (ours && section.info === 0) return;
  report(at, `${named(section)} ${wanted.what} section ${section.info}, ${target?.name ?? "which does not exist"}`);
}

export const cudaSectionRules: readonly Rule[] = [
  {
    name: "section-name",
    about: "sections have names that occur in cubins, and names of module-wide sections occur once",
    check(subject, report) {
      const { file, ours } = subject;
      if (ours) return 0;
      const isComplete = isFromKnownToolkit(subject);
      const seen = new Set<string>();
      for (const section of file.sections.slice(1)) {
        const found = sectionShape(section.name);
        if (found === undefined && (isComplete || NAME_DEFINING_TYPES.has(section.type)))
          report(section.headerOffset, `${named(section)}: the name does not occur in cubins`);
        if (found?.rest === "" && seen.has(section.name))
          report(section.headerOffset, `${named(section)} occurs twice`);
        seen.add(section.name);
      }
      return file.sections.length;
    },
  },
  {
    name: "section-type",
    about: "sections with known names have the type that NVIDIA's tools give them",
    check(subject, report) {
      const { file, ours } = subject;
      // Section types in objects of the older generation are unknown.
      if (subject.cuda === undefined || (isOld(subject) && file.header.type !== ET.EXEC)) return 0;
      const sections = shaped(file);
      for (const { section, shape } of sections) {
        const type = typesOf(subject, shape);
        if (section.type === type || (ours && shape.name === ".nv.shared.reserved.0")) continue;
        const wanted = type === undefined ? "but does not occur in such files" : `not 0x${type.toString(16)}`;
        report(section.headerOffset + 4, `${named(section)} has type 0x${section.type.toString(16)}, ${wanted}`);
      }
      return sections.length;
    },
  },
  {
    name: "section-header",
    about: "sections with known names have the flags, alignment, entry size and sh_link that NVIDIA's tools give them",
    check(subject, report) {
      const { file, cuda, ours } = subject;
      if (cuda === undefined) return 0;
      const sections = shaped(file);
      for (const entry of sections) {
        const { section, shape } = entry;
        const { addralign, entsize, link, headerOffset } = section;
        checkFlags(subject, entry, report);
        const isFree = shape.addralign === 0 || (isOld(subject) && shape.name === ".text.*");
        if (!isFree && addralign !== shape.addralign)
          report(headerOffset + ALIGN_FIELD, `${named(section)} is aligned to ${addralign}, not to ${shape.addralign}`);
        if (addralign === 0 || !Number.isInteger(Math.log2(addralign)))
          report(headerOffset + ALIGN_FIELD, `${named(section)} is aligned to ${addralign}, which is not a power of 2`);
        if (entsize !== shape.entsize)
          report(
            headerOffset + ENTSIZE_FIELD,
            `${named(section)} has entries of ${entsize} bytes, not ${shape.entsize}`,
          );
        const table = link === 0 ? "none" : file.sections[link]?.name;
        if (table !== shape.link && !(ours && FREE_IN_OURS.has(shape.link)))
          report(
            headerOffset + LINK_FIELD,
            `${named(section)}: sh_link ${link} is ${table ?? "not a section"}, expected ${shape.link}`,
          );
      }
      return sections.length;
    },
  },
  {
    name: "owner",
    about:
      "sh_info is the .text section for sections of a function, the relocated section for relocations, and 0 for others",
    check(subject, report) {
      const sections = shaped(subject.file);
      const compat = sectionNamed(subject.file, ".nv.compat")?.index ?? 0;
      for (const entry of sections) checkInfo(subject, compat, entry, report);
      return sections.length;
    },
  },
  {
    name: "text-symbol",
    about: "sh_info of .text.<f> is the symbol of the function f, which fills the section",
    check(subject, report) {
      const table = symtab(subject.file);
      const texts = subject.file.sections.filter(({ name }) => name.startsWith(".text."));
      if (table === undefined) return 0;
      for (const section of texts) {
        const index = textSymbol(subject, section);
        const at = section.headerOffset + INFO_FIELD;
        const { type, sectionIndex, name, value, size } = table.at(Math.min(index, table.count - 1));
        if (index >= table.count || type !== 2 || sectionIndex !== section.index)
          report(at, `${named(section)}: symbol ${index} is not a function in it`);
        else if (name !== section.name.slice(".text.".length))
          report(section.headerOffset, `${named(section)}: its function is named ${name}`);
        else if (value !== 0 || size !== section.size)
          report(
            at,
            `${named(section)}: its function has ${table.size64(index)} bytes at ${table.value64(index)}; the section has ${section.size}`,
          );
      }
      return texts.length;
    },
  },
];
