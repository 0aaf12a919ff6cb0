// Writes an ELF64 little-endian file from a complete specification; file-writer.ts writes one section by section. A specification
// that cannot be written is a defect of the caller and throws RangeError.
import { joinBytes } from "../bytes/writer.js";
import { createElfFileWriter, NO_BYTES, type ElfFrame } from "./file-writer.js";
import { stringTable, stringTableBuilder, type StringTableBuilder } from "./strings.js";

/** The contents of a section. */
export type SectionContents =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** A size in memory without bytes in the file. */
  | { readonly kind: "no-bytes"; readonly size: number }
  /** The names of all sections: this section is the section name table, and the writer fills it. */
  | { readonly kind: "section-names" };

export interface ElfSectionSpec {
  readonly name: string;
  readonly type: number;
  readonly flags?: number;
  readonly address?: bigint;
  readonly link?: number;
  readonly info?: number;
  readonly addralign?: number;
  readonly entsize?: number;
  readonly contents: SectionContents;
}

export interface ElfSpec extends ElfFrame {
  /** Sections from index 1 on: `sections[0]` is section 1. The writer adds the null section. */
  readonly sections: readonly ElfSectionSpec[];
}

export function writeElf(spec: ElfSpec): Uint8Array {
  const { sections, sectionNameTable = 1 } = spec;
  const writer = createElfFileWriter(sections.length + 1);
  const names = sectionNames(spec);
  for (const { name, contents, ...header } of sections) {
    const { type, flags = 0, address, link = 0, info = 0, addralign = 1, entsize = 0 } = header;
    const nameOffset = names.add(name);
    const bytes = contents.kind === "bytes" ? contents.bytes : new Uint8Array(0);
    const [start, size] = contents.kind === "no-bytes" ? [NO_BYTES, contents.size] : [0, bytes.length];
    const section = writer.add(nameOffset, { type, flags, link, entsize }, info, addralign, bytes, start, size);
    if (address !== undefined) writer.setAddress(section, address);
  }
  writer.setContents(sectionNameTable, names.bytes());
  return joinBytes(writer.finish(spec));
}

/** The section name table: a new one, or a given complete one. */
function sectionNames({ sections, sectionNameTable = 1 }: ElfSpec): Pick<StringTableBuilder, "add" | "bytes"> {
  const contents = sections[sectionNameTable - 1]?.contents;
  if (contents?.kind === "section-names") return stringTableBuilder();
  if (contents?.kind !== "bytes") throw new RangeError(`section ${sectionNameTable} holds no section names`);
  const offsets = offsetsIn(contents.bytes);
  return {
    add(name) {
      const offset = offsets.get(name);
      if (offset === undefined) throw new RangeError(`the section name table given lacks ${JSON.stringify(name)}`);
      return offset;
    },
    bytes: () => contents.bytes,
  };
}

function offsetsIn(bytes: Uint8Array): ReadonlyMap<string, number> {
  const strings = stringTable(bytes);
  const offsets = new Map<string, number>();
  for (let at = 0, length; (length = strings.lengthAt(at)) !== undefined; at += length + 1) {
    const text = strings.at(at)!;
    if (!offsets.has(text)) offsets.set(text, at);
  }
  return offsets;
}
