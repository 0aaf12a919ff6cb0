// Checks ptxkit's ELF reader against another one: the `elfy` package reads the same bytes, and `crossCheck` lists the
// differences. Only fields that elfy 1.0.0 reads correctly are compared. Excluded as wrong: sh_addralign and sh_entsize of ELF64
// (read two bytes early), EI_OSABI and EI_ABIVERSION (read one byte early), flags beyond 32 bits, machines and file types it has
// no name for. elfy fails on files without sections or with extended numbering, and takes quadratic time on a malicious string
// table: such files are not passed to it, and the result says so.
import elfy from "elfy";
import type { ElfFile } from "./file.js";
import { SHN, SHT } from "./constants.table.js";

export interface WitnessSection {
  readonly name: string;
  readonly type: number;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
  readonly info: number;
}

export interface WitnessFile {
  readonly class: string;
  readonly endian: string;
  /** e_flags */
  readonly flags: number;
  /** File offsets in bytes */
  readonly programHeaderOffset: number;
  readonly sectionHeaderOffset: number;
  readonly segmentCount: number;
  readonly sections: readonly WitnessSection[];
}

export type Witness =
  | { readonly kind: "heard"; readonly file: WitnessFile }
  | { readonly kind: "not-asked"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Section types by elfy's names, to convert them back into numbers. */
const typesByName = (): ReadonlyMap<string, number> =>
  // Computed on demand: while several imports load at once, elfy's tables may not exist yet.
  new Map(Object.entries(elfy.constants.sectType).map(([value, name]) => [name, Number(value)]));

/** The elfy package's reading of `bytes`; `file` is ptxkit's. */
export function elfyWitness(bytes: Uint8Array, file: ElfFile): Witness {
  const reason = unreadableByElfy(file);
  if (reason !== undefined) return { kind: "not-asked", reason };
  try {
    const types = typesByName();
    const seen = elfy.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return {
      kind: "heard",
      file: {
        class: seen.class,
        endian: seen.endian,
        flags: seen.flags >>> 0,
        programHeaderOffset: seen.phoff,
        sectionHeaderOffset: seen.shoff,
        segmentCount: seen.body.programs.length,
        sections: seen.body.sections.map((section) => ({
          name: section.name,
          type: typeof section.type === "number" ? section.type : (types.get(section.type) ?? -1),
          address: section.addr,
          offset: section.off,
          size: section.size,
          link: section.link,
          info: section.info,
        })),
      },
    };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Why elfy cannot read the file, if so. ptxkit's reader has accepted the file: tables are inside it, and the lengths of its names
 * are bounded (`checkNames`).
 */
function unreadableByElfy(file: ElfFile): string | undefined {
  const { sections, header, segments } = file;
  if (sections.length === 0) return "the file has no sections";
  if (sections.length >= SHN.LORESERVE || segments.length >= 0xffff) return "the file uses extended numbering";
  const names = sections[header.sectionNameTable];
  if (names === undefined || names.index === 0) return "the file has no section names";
  if (names.type !== SHT.STRTAB) return "the section names are in no string table";
  if (names.data.at(-1) !== 0) return "no NUL byte ends the section names";
  return undefined;
}

/** Describes each difference between elfy and ptxkit's reader; empty if they agree or elfy cannot read the file. */
export function crossCheck(bytes: Uint8Array, file: ElfFile): readonly string[] {
  const witness = elfyWitness(bytes, file);
  if (witness.kind === "not-asked") return [];
  if (witness.kind === "failed") return [`elfy cannot read the file: ${witness.reason}`];
  const seen = witness.file;
  const found: string[] = [];
  const compare = (what: string, ours: number | string, theirs: number | string) => {
    if (ours !== theirs) found.push(`${what}: ${ours}, elfy reads ${theirs}`);
  };
  compare("class", "64", seen.class);
  compare("byte order", "lsb", seen.endian);
  compare("e_flags", file.header.flags, seen.flags);
  compare("e_phoff", file.header.programHeaderOffset, seen.programHeaderOffset);
  compare("e_shoff", file.header.sectionHeaderOffset, seen.sectionHeaderOffset);
  compare("program headers", file.segments.length, seen.segmentCount);
  compare("sections", file.sections.length, seen.sections.length);
  for (const [index, theirs] of seen.sections.entries()) {
    const ours = file.sections[index];
    if (ours === undefined) break;
    const what = `section ${index}`;
    compare(`${what}: name`, ours.name, theirs.name);
    compare(`${what}: type`, ours.type, theirs.type);
    compare(`${what}: address`, Number(ours.address), theirs.address);
    compare(`${what}: offset`, ours.offset, theirs.offset);
    compare(`${what}: size`, ours.size, theirs.size);
    compare(`${what}: sh_link`, ours.link, theirs.link);
    compare(`${what}: sh_info`, ours.info, theirs.info);
  }
  return found;
}
