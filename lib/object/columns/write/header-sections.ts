// Writes the first and last sections of output files: tables of names and symbols, notes, attributes, the build ID.

import { encodeCudaInfo } from "../../../../formats/cuda/index.js";
import { encodeNotes, SHT } from "../../../../formats/elf/index.js";
import {
  BUILD_ID_BYTES,
  BUILD_ID_SECTION,
  CONTAINER_VERSION,
  FOLLOWED_TOOLKIT,
  GNU_BUILD_ID,
  NOTE_SECTION,
  PTXKIT_NOTE,
} from "../../file/container.js";
import { sectionShape } from "../../section-shape.js";
import type { DebugLayout } from "./debug-layout.js";
import type { FileType, SectionFields, ElfWriter } from "./elf-writer.js";

/** Section indices in every file. */
const STRINGS = 2;
export const SYMBOLS = 3;
export const DEBUG_FRAME = 4;
/** Number of sections before those of functions; the frame's section is present even without call frames. */
export const HEADER_SECTIONS = 7;
export const FRAME_NAME = ".debug_frame";

export const UNTYPED_BYTES = { type: SHT.PROGBITS, align: 1 } as const;
/** Header fields of declarations, which consist of words. */
export const WORDS = { type: SHT.PROGBITS, align: 4 } as const;
const NOTHING = new Uint8Array(0);

/** Header fields for a row of formats/cuda/sections.table.ts. */
export function sectionFields(row: string, file: FileType): SectionFields {
  const { type, flags, entsize, addralign: align } = sectionShape(row, file);
  return { type, flags, entsize, align };
}

export const bytesIn = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export interface HeaderSections {
  readonly file: FileType;
  readonly sm: number;
  readonly debug: DebugLayout;
  readonly symbols: { readonly records: Uint32Array; readonly firstGlobal: number };
  /** Attributes of the file (`.nv.info`). */
  readonly info: Uint8Array;
}

/** `strings`: the names of symbols. */
export function putHeaderSections(
  output: ElfWriter,
  strings: Uint8Array,
  { file, sm, debug, symbols, info }: HeaderSections,
): void {
  const note = new Uint8Array(Uint32Array.of(CONTAINER_VERSION).buffer);
  const cuda = encodeCudaInfo({ virtualSm: sm, toolkit: FOLLOWED_TOOLKIT });
  const { firstGlobal, records } = symbols;
  const table = { type: SHT.SYMTAB, align: 8, entsize: 24, link: STRINGS, info: firstGlobal };
  output.names();
  output.bytes(".strtab", { type: SHT.STRTAB, align: 1 }, strings);
  output.bytes(".symtab", table, bytesIn(records));
  output.bytes(FRAME_NAME, UNTYPED_BYTES, debug.sections.find(({ name }) => name === FRAME_NAME)?.bytes ?? NOTHING);
  output.bytes(NOTE_SECTION, { type: SHT.NOTE, align: 4 }, encodeNotes([{ ...PTXKIT_NOTE, description: note }]));
  output.bytes(".note.nv.cuinfo", sectionFields("cuinfo", file), encodeNotes([cuda]));
  output.bytes(".nv.info", { ...sectionFields("info", file), link: SYMBOLS }, info);
}

/** Adds the note; returns the zeros in it that the ID will replace. */
export function putBuildId(output: ElfWriter): Uint8Array {
  const note = encodeNotes([{ ...GNU_BUILD_ID, description: new Uint8Array(BUILD_ID_BYTES) }]);
  output.bytes(BUILD_ID_SECTION, { type: SHT.NOTE, align: 4 }, note);
  return note.subarray(-BUILD_ID_BYTES);
}

/** Adds the section of extended section indices, if there are any. */
export function putExtended(output: ElfWriter, extended: Uint32Array | undefined): void {
  if (extended === undefined) return;
  output.bytes(".symtab_shndx", { type: SHT.SYMTAB_SHNDX, align: 4, link: SYMBOLS, entsize: 4 }, bytesIn(extended));
}
