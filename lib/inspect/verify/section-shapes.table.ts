// The header fields of each section of a cubin, by the section's name: its type in objects and in images, flags, alignment, size
// of entries, and the targets of sh_link and sh_info. Observed in 8,300 files of ptxas, nvlink and nvcc 13.0.88 for sm_75 to
// sm_121: objects and images, with debug data and lines, texture references, managed, unified and shared variables, calls through
// pointers, -preserve-relocs, -pic, -ewp, modules without the calling convention.
// A name that ends in "*" matches a prefix: the rest is a function, the relocated section, or a number.
import { SHF, SHT, SHT_CUDA } from "../../../formats/elf/index.js";

/** The section in sh_link: none (0), a section by its name, or the symbol table of the second copy. */
export type LinkOf = "none" | ".strtab" | ".symtab" | ".nv.merc.symtab" | ".note.nv.tkinfo";
/** The meaning of sh_info: 0, the code of the function in the name, the relocated section, or a value that other rules check. */
export type InfoOf = "none" | "code" | "target" | "compat" | "other";

export interface SectionShape {
  readonly name: string;
  /** sh_type in an object and in an image; undefined if such files do not have the section. */
  readonly object: number | undefined;
  readonly image: number | undefined;
  readonly flags: number;
  /** sh_addralign in bytes; 0 if it depends on the contents. */
  readonly addralign: number;
  readonly entsize: number;
  readonly link: LinkOf;
  readonly info: InfoOf;
}

const { PROGBITS, NOBITS, NOTE, STRTAB, SYMTAB, REL, RELA } = SHT;
const { WRITE, ALLOC, EXECINSTR, INFO_LINK, CUDA_MERC } = SHF;
const C = SHT_CUDA;
/** Section types that the CUDA tables do not name. */
const [UFT_ENTRY, UDT, UDT_ENTRY, UFT_REL] = [0x7000_0011, 0x7000_0012, 0x7000_0014, 0x7000_000e];
const [MERC_ENTRY_IMAGE, MERC_PIC, MERC_OPTIMIZER, MERC_RESOLVED] = [
  0x7000_0079, 0x7000_007d, 0x7000_0084, 0x7000_0088,
];

function shape(
  name: string,
  types: number | readonly [object: number | undefined, image: number | undefined],
  flags: number,
  [addralign, entsize]: readonly [addralign: number, entsize: number],
  link: LinkOf = "none",
  info: InfoOf = "none",
): SectionShape {
  const [object, image] = typeof types === "number" ? [types, types] : types;
  return { name, object, image, flags, addralign, entsize, link, info };
}

const FREE = [0, 0] as const;
const BYTES = [1, 0] as const;
const WORDS = [4, 0] as const;
const PAIRS = [4, 8] as const;
const SYMBOLS = [8, 24] as const;
const RELS = [8, 16] as const;
const RELAS = [8, 24] as const;

/** Sections of DWARF 2 to 5, and those that ptxas adds. */
const DEBUG: readonly string[] = [
  ...["abbrev", "addr", "aranges", "frame", "info", "line", "line_str", "loc", "loclists", "macinfo", "macro"],
  ...["names", "pubnames", "pubtypes", "ranges", "rnglists", "str", "str_offsets", "types"],
].map((name) => `.debug_${name}`);
const NV_DEBUG = ["info_reg_sass", "info_reg_type", "line_sass", "ptx_txt", "ptx_txt.*"].map(
  (name) => `.nv_debug_${name}`,
);

/** The second copy of metadata, sm_100 and later. */
const MERC: readonly SectionShape[] = [
  ...[...DEBUG, ...NV_DEBUG].map((name) => shape(`.nv.merc${name}`, PROGBITS, CUDA_MERC, BYTES)),
  shape(".nv.capmerc.text.*", C.CAPMERC, CUDA_MERC, [16, 0], ".nv.merc.symtab", "other"),
  shape(".nv.capmerc.nv.uft.rel.*", C.CAPMERC, CUDA_MERC, [16, 128], ".nv.merc.symtab", "other"),
  shape(
    ".nv.merc.nv.constant.entry_image_header_indices.*",
    MERC_ENTRY_IMAGE,
    CUDA_MERC | ALLOC | INFO_LINK,
    FREE,
    "none",
    "code",
  ),
  shape(".nv.merc.nv.constant.optimizer.*", MERC_OPTIMIZER, CUDA_MERC | ALLOC | INFO_LINK, FREE, "none", "code"),
  shape(".nv.merc.nv.constant.pic", MERC_PIC, CUDA_MERC | ALLOC, FREE),
  shape(".nv.merc.nv.constant.user", C.MERC_CONSTANT, CUDA_MERC | ALLOC, FREE),
  shape(".nv.merc.nv.global.init", C.GLOBAL_INIT, CUDA_MERC | ALLOC | WRITE, FREE),
  shape(".nv.merc.nv.info", C.MERC_INFO, CUDA_MERC, WORDS, ".nv.merc.symtab"),
  shape(".nv.merc.nv.info.*", C.MERC_INFO, CUDA_MERC | INFO_LINK, WORDS, ".nv.merc.symtab", "code"),
  shape(".nv.merc.nv.resolvedrela.*", MERC_RESOLVED, CUDA_MERC | INFO_LINK, RELAS, ".nv.merc.symtab", "target"),
  shape(".nv.merc.nv.shared.reserved.0", C.SHARED_RESERVED, CUDA_MERC | ALLOC | WRITE, FREE),
  shape(".nv.merc.nv.udt", UDT, CUDA_MERC | ALLOC | WRITE, FREE),
  shape(".nv.merc.nv.udt.entry", UDT_ENTRY, CUDA_MERC, [8, 32], ".nv.merc.symtab"),
  shape(".nv.merc.nv.uft.entry", UFT_ENTRY, CUDA_MERC, [8, 32], ".nv.merc.symtab"),
  shape(".nv.merc.rela.*", C.MERC_RELA, CUDA_MERC | INFO_LINK, RELAS, ".nv.merc.symtab", "target"),
  shape(".nv.merc.symtab", C.MERC_SYMTAB, CUDA_MERC, SYMBOLS, ".strtab", "other"),
];

const SHAPES: readonly SectionShape[] = [
  shape(".shstrtab", STRTAB, 0, BYTES),
  shape(".strtab", STRTAB, 0, BYTES),
  shape(".symtab", SYMTAB, 0, SYMBOLS, ".strtab", "other"),
  shape(".note.nv.tkinfo", NOTE, SHF.CUDA_TKINFO, WORDS),
  shape(".note.nv.cuinfo", NOTE, SHF.CUDA_CUINFO, WORDS, ".note.nv.tkinfo", "compat"),
  ...[...DEBUG, ...NV_DEBUG].map((name) => shape(name, PROGBITS, 0, BYTES)),
  shape(".text.*", PROGBITS, ALLOC | EXECINSTR, [128, 0], ".symtab", "other"),
  shape(".nv.callgraph", C.CALLGRAPH, 0, PAIRS, ".symtab"),
  shape(".nv.compat", C.COMPAT, 0, WORDS),
  shape(".nv.constant0.*", [C.CONSTANT_B0, PROGBITS], ALLOC | INFO_LINK, WORDS, "none", "code"),
  shape(".nv.constant2.*", [C.CONSTANT_B2, PROGBITS], ALLOC | INFO_LINK, FREE, "none", "code"),
  shape(".nv.constant3", [C.CONSTANT_B3, PROGBITS], ALLOC, FREE),
  shape(".nv.constant4", [C.CONSTANT_B4, PROGBITS], ALLOC, [8, 0]),
  shape(".nv.global", [C.GLOBAL, NOBITS], ALLOC | WRITE, FREE),
  shape(".nv.global.init", [C.GLOBAL_INIT, PROGBITS], ALLOC | WRITE, FREE),
  shape(".nv.info", C.INFO, 0, WORDS, ".symtab"),
  shape(".nv.info.*", C.INFO, INFO_LINK, WORDS, ".symtab", "code"),
  shape(".nv.local.*", [undefined, NOBITS], ALLOC | WRITE | INFO_LINK, FREE, "none", "code"),
  shape(".nv.prototype", C.PROTOTYPE, 0, PAIRS, ".symtab"),
  shape(".nv.rel.action", C.RELOCINFO, 0, [8, 8]),
  shape(".nv.resolvedrela.*", C.RESOLVED_RELA, INFO_LINK, RELAS, ".symtab", "target"),
  shape(".nv.shared.*", [C.SHARED, NOBITS], ALLOC | WRITE | INFO_LINK, FREE, "none", "code"),
  shape(".nv.shared.reserved.0", [C.SHARED_RESERVED, NOBITS], ALLOC | WRITE, FREE),
  shape(".nv_debug.shared", [C.SHARED, NOBITS], ALLOC | WRITE, FREE),
  shape(".nv.udt", [UDT, undefined], ALLOC | WRITE, FREE),
  shape(".nv.udt.entry", [UDT_ENTRY, undefined], 0, [8, 32], ".symtab"),
  shape(".nv.uft.entry", [UFT_ENTRY, undefined], 0, [8, 32], ".symtab"),
  shape(".nv.uft.rel.*", [UFT_REL, undefined], ALLOC | EXECINSTR, [128, 128], ".symtab", "other"),
  shape(".rel.*", REL, INFO_LINK, RELS, ".symtab", "target"),
  shape(".rela.*", RELA, INFO_LINK, RELAS, ".symtab", "target"),
  ...MERC,
];

export interface NamedShape {
  readonly shape: SectionShape;
  /** The part of the name that "*" matched; "" without one. */
  readonly rest: string;
}

const exact = new Map(SHAPES.filter(({ name }) => !name.endsWith("*")).map((row) => [row.name, row]));
/** Longest first, so that the first match is the most specific one. */
const prefixes = SHAPES.filter(({ name }) => name.endsWith("*"))
  .map((row) => ({ prefix: row.name.slice(0, -1), row }))
  .sort((a, b) => b.prefix.length - a.prefix.length);

/** The row for a section name; undefined for names that do not occur in cubins. */
export function sectionShape(name: string): NamedShape | undefined {
  const row = exact.get(name);
  if (row !== undefined) return { shape: row, rest: "" };
  const found = prefixes.find(({ prefix }) => name.length > prefix.length && name.startsWith(prefix));
  return found === undefined ? undefined : { shape: found.row, rest: name.slice(found.prefix.length) };
}
