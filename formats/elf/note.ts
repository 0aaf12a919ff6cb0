// Notes (System V ABI, "Note Section"): reader and writer. Records are three words, a name and a description, each padded. In
// practice, ELF64 files pad to four bytes, and to eight only if sh_addralign is eight.
import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";
import { ByteWriter, utf8Length } from "../bytes/writer.js";
import { SHT } from "./constants.table.js";
import type { ElfFile, ElfSection } from "./file.js";

export interface ElfNote {
  /** The vendor that defines the type: "NVIDIA Corp", "GNU", … */
  readonly name: string;
  readonly type: number;
  readonly description: Uint8Array;
  /** File offset in bytes of the record. */
  readonly offset: number;
}

/** The notes in `section`, in order. */
export function notesOf(file: ElfFile, section: ElfSection): Result<readonly ElfNote[]> {
  return decoding(() => {
    if (section.type !== SHT.NOTE || section.index >= file.sections.length)
      malformed("malformed", section.headerOffset, `section ${section.index} (${section.name}) holds no notes`);
    const alignment = section.addralign === 8 ? 8 : 4;
    const reader = new ByteReader(section.data, section.offset);
    const notes: ElfNote[] = [];
    while (reader.remaining > 0) {
      const offset = reader.position;
      const nameSize = reader.u32("note name size");
      const descriptionSize = reader.u32("note description size");
      const type = reader.u32("note type");
      const name = reader.text(nameSize, "note name").replace(/\0+$/, "");
      alignOrEnd(reader, alignment);
      const description = reader.view8(descriptionSize, "note description");
      alignOrEnd(reader, alignment);
      notes.push({ name, type, description, offset });
    }
    return notes;
  });
}

/** The last record of a section may lack its padding. */
function alignOrEnd(reader: ByteReader, alignment: number): void {
  reader.skip(Math.min((alignment - (reader.offset % alignment)) % alignment, reader.remaining), "note padding");
}

/** The bytes of a note section, padded to four bytes. */
export function encodeNotes(notes: readonly Omit<ElfNote, "offset">[]): Uint8Array {
  const writer = new ByteWriter();
  for (const note of notes) {
    writer.u32(utf8Length(note.name) + 1);
    writer.u32(note.description.length);
    writer.u32(note.type);
    writer.cstring(note.name);
    writer.align(4);
    writer.put(note.description);
    writer.align(4);
  }
  return writer.finish();
}
