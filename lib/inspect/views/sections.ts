// The sections: the fields of section headers, and the purpose of each section. For cubins the purpose comes from the table in
// formats/cuda, for other files from types and flags. Sections that no view decodes show their first bytes.

import { knownSection } from "../../../formats/cuda/index.js";
import {
  EM,
  hasFileBytes,
  isSymbolTable,
  relocationKind,
  SECTION_FLAGS,
  sectionTypeName,
  SHF,
  SHT,
  STT,
  type ElfSection,
} from "../../../formats/elf/index.js";
import { DECLARATION_SECTION, NOTE_SECTION } from "../../object/file/container.js";
import type { ElfContext, SymbolRef } from "../context/elf-context.js";
import { flagsOf, named, rawBytes, wide, type Flags, type Named, type RawBytes, type Wide } from "../context/values.js";

/** The kind of a section; the text output groups sections by it. */
export type SectionGroup =
  "code" | "data" | "metadata" | "symbols" | "relocations" | "notes" | "debug" | "embedded" | "other";

export interface SectionView {
  readonly index: number;
  readonly name: string;
  readonly group: SectionGroup;
  readonly type: Named;
  readonly flags: Flags;
  readonly address: Wide;
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Size in bytes; only in memory if `inFile` is false. */
  readonly size: number;
  readonly inFile: boolean;
  readonly link: number;
  readonly info: number;
  readonly align: number;
  readonly entrySize: number;
  /** The purpose of the section. */
  readonly description?: string;
  /** The function that owns the section. */
  readonly function?: string;
  /** For code with these values in sh_info: the function's symbol, and registers per thread. */
  readonly codeOf?: SymbolRef;
  readonly registers?: number;
  /** A part of the contents that is not shown. */
  readonly note?: string;
  /** First bytes of a section of unknown type. */
  readonly bytes?: RawBytes;
}

interface Purpose {
  readonly group: SectionGroup;
  readonly description?: string;
  readonly function?: string;
  readonly note?: string;
}

const DEVICE_CODE = "device code";

/** Sections whose purpose their name determines, in any file. */
const byName: Readonly<Record<string, Purpose>> = {
  [DECLARATION_SECTION]: {
    group: "metadata",
    description: "Declarations of ptxkit: types, parameters, modules, lines",
  },
  [NOTE_SECTION]: { group: "notes", description: "Version of ptxkit's container" },
  ".nv_fatbin": { group: "embedded", description: "Fat binaries", note: DEVICE_CODE },
  __nv_relfatbin: { group: "embedded", description: "Fat binaries of relocatable code", note: DEVICE_CODE },
  ".nvFatBinSegment": { group: "embedded", description: "Where the fat binaries are" },
  __nv_module_id: { group: "embedded", description: "Name of the CUDA module" },
};

const groupOfRole: Readonly<Record<string, SectionGroup>> = {
  text: "code",
  "global-init": "data",
  global: "data",
  constant: "data",
  "address-pool": "data",
  parameters: "data",
  "module-shared": "data",
  "reserved-shared": "data",
  shared: "data",
  tkinfo: "notes",
  cuinfo: "notes",
  frame: "debug",
};

const groupOfType: Readonly<Record<number, SectionGroup>> = {
  [SHT.SYMTAB]: "symbols",
  [SHT.DYNSYM]: "symbols",
  [SHT.SYMTAB_SHNDX]: "symbols",
  [SHT.STRTAB]: "symbols",
  [SHT.NOTE]: "notes",
};

export function sectionViews(context: ElfContext): readonly SectionView[] {
  const { file, budget } = context;
  checkNameTable(context);
  const views: SectionView[] = [];
  for (const section of file.sections) {
    if (!budget.spend(700 + section.name.length)) break;
    views.push(sectionView(context, section));
  }
  return views;
}

function checkNameTable({ file, fault }: ElfContext): void {
  const table = file.sections[file.header.sectionNameTable];
  if (file.header.sectionNameTable !== 0 && table !== undefined && table.type !== SHT.STRTAB)
    fault(62, `e_shstrndx ${table.index}: the section that should hold the section names is not a string table`);
}

function sectionView(context: ElfContext, section: ElfSection): SectionView {
  const { machine } = context.file.header;
  const type = sectionTypeName(machine, section.type);
  const { group, ...purpose } = purposeOf(machine, section);
  if (section.addralign !== 0 && !isPowerOfTwo(section.addralign))
    context.fault(
      section.headerOffset + 48,
      `section ${section.index} (${section.name}): alignment ${section.addralign} is not a power of two`,
    );
  const inFile = hasFileBytes(machine, section.type);
  return {
    index: section.index,
    name: section.name,
    group,
    type: named(type, section.type),
    flags: flagsOf(SECTION_FLAGS, section.flags),
    address: wide(section.address),
    offset: section.offset,
    size: section.size,
    inFile,
    link: section.link,
    info: section.info,
    align: section.addralign,
    entrySize: section.entsize,
    ...purpose,
    ...(machine === EM.CUDA && purpose.function !== undefined && group === "code"
      ? codeProperties(context, section)
      : {}),
    ...(type === undefined && inFile ? { bytes: rawBytes(section.data) } : {}),
  };
}

const isPowerOfTwo = (value: number): boolean => Number.isInteger(Math.log2(value));

/** sh_info of code: the function's symbol, and up to sm_89 the registers in the top byte. */
function codeProperties(context: ElfContext, section: ElfSection): Pick<SectionView, "codeOf" | "registers"> {
  const index = section.info & 0xff_ffff;
  const table = context.tableFor(section.link);
  const symbols = context.symbols(table);
  if (symbols === undefined || index >= symbols.count || symbols.type(index) !== STT.FUNC) return {};
  const registers = section.info >>> 24;
  return { codeOf: context.symbol(table, index), ...(registers === 0 ? {} : { registers }) };
}

/** The purpose of a section: by name if that is known, otherwise by type and flags. */
export function purposeOf(machine: number, section: ElfSection): Purpose {
  const known = Object.hasOwn(byName, section.name) ? byName[section.name] : undefined;
  if (known !== undefined) return known;
  if (relocationKind(machine, section.type) !== undefined) return { group: "relocations" };
  if (isSymbolTable(machine, section.type)) return { group: "symbols" };
  const cuda = machine === EM.CUDA ? knownSection(section.name) : undefined;
  if (cuda !== undefined) {
    const { role, doc } = cuda.facts;
    return {
      group: groupOfRole[role] ?? "metadata",
      description: doc,
      ...(cuda.functionName === undefined ? {} : { function: cuda.functionName }),
    };
  }
  if (machine === EM.CUDA && (section.flags & SHF.CUDA_MERC) !== 0)
    return { group: "metadata", description: SECOND_COPY };
  return { group: genericGroup(machine, section) };
}

/** Sections of sm_100 and later that repeat other sections for another form of the code. */
const SECOND_COPY = "Second copy of metadata, sm_100 and later";

function genericGroup(machine: number, { type, flags, name }: ElfSection): SectionGroup {
  const byType = groupOfType[type];
  if (byType !== undefined) return byType;
  if (name.startsWith(".debug_") || name.startsWith(".nv_debug")) return "debug";
  if (machine === EM.CUDA && name.startsWith(".nv.")) return (flags & SHF.ALLOC) === 0 ? "metadata" : "data";
  if ((flags & SHF.EXECINSTR) !== 0) return "code";
  return (flags & SHF.ALLOC) === 0 ? "other" : "data";
}
