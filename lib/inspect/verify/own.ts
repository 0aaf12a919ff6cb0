// Rules of ptxkit's own files, in addition to those of cubins: properties that the linker, the loader and the engines rely on.
// docs/format.md.

import { sha256 } from "../../../formats/bytes/sha256.js";
import { notesOf, sectionNamed } from "../../../formats/elf/index.js";
import { SECTION_HEADER_SIZE } from "../../../formats/elf/section.js";
import { BUILD_ID_BYTES, BUILD_ID_SECTION, GNU_BUILD_ID } from "../../object/file/container.js";
import { decodeFunction } from "../../object/code/decode.js";
import { slotFaults } from "../../object/code/slot-fit.js";
import type { ObjectFile } from "../../object/object.js";
import { decodeObject } from "../../object/file/read.js";
import { writeObject } from "../../object/file/write.js";
import { isName } from "../../base/ptx-name.js";
import { named } from "./elf.js";
import type { Rule, Subject } from "./rule.js";

function objectOf({ bytes, name }: Subject): ObjectFile | undefined {
  const read = decodeObject(bytes, name);
  return read.ok ? read.value : undefined;
}

const BUILD_ID_DESCRIPTION = 16;

export const ownRules: readonly Rule[] = [
  {
    name: "declarations",
    about: "symbols, sections and relocations match the declarations in .ptxkit.decl",
    check({ bytes, name }, report) {
      const read = decodeObject(bytes, name);
      if (!read.ok) {
        report(read.error.offset, read.error.what);
        return 1;
      }
      return read.value.symbols.length;
    },
  },
  {
    name: "code",
    about:
      "encoded functions decode, each instruction matches its form, and each relocation has a slot for its kind of symbol",
    check(subject, report) {
      const object = objectOf(subject);
      const texts = (object?.sections ?? []).filter(({ role }) => role.kind === "text");
      for (const { data, fileOffset = 0, relocations } of texts) {
        const decoded = decodeFunction(data ?? new Uint8Array(), fileOffset);
        if (decoded.ok) {
          const { slots } = decoded.value;
          for (const { offset, what } of slotFaults(object!.type, slots, relocations, (i) => object!.symbols[i]!))
            report(fileOffset + offset, what);
        } else report(decoded.error.offset, decoded.error.what);
      }
      return texts.length;
    },
  },
  {
    name: "names",
    about: "declared symbols have valid PTX names",
    check(subject, report) {
      const { symbols } = objectOf(subject) ?? { symbols: [] };
      const at = sectionNamed(subject.file, ".strtab")?.offset ?? 0;
      for (const { name } of symbols)
        if (!isName(name)) report(at, `${JSON.stringify(name.slice(0, 40))} is not a valid PTX name`);
      return symbols.length;
    },
  },
  {
    name: "build-id",
    about: "the build ID is the hash of the file with the ID set to zeros",
    check({ file, bytes }, report) {
      const section = sectionNamed(file, BUILD_ID_SECTION);
      const notes = section === undefined ? undefined : notesOf(file, section);
      if (notes?.ok !== true) return 0;
      for (const { name, type, description, offset } of notes.value) {
        if (name !== GNU_BUILD_ID.name || type !== GNU_BUILD_ID.type) continue;
        const blank = Uint8Array.from(bytes);
        blank.fill(0, offset + BUILD_ID_DESCRIPTION, offset + BUILD_ID_DESCRIPTION + description.length);
        const hash = sha256([blank]).subarray(0, BUILD_ID_BYTES);
        if (hash.some((byte, i) => byte !== description[i]))
          report(offset + BUILD_ID_DESCRIPTION, "the build ID does not match the contents of the file");
      }
      return notes.value.length;
    },
  },
  {
    name: "canonical",
    about: "this version of ptxkit would write the same bytes for the contents of the file",
    check(subject, report) {
      const { file, bytes } = subject;
      const object = objectOf(subject);
      if (object === undefined) return 0;
      const written = writeObject(object, buildIdOf(file));
      const differs = (at: number): boolean => bytes[at] !== written[at];
      const regions = regionsOf(subject);
      let count = 0;
      for (const { name, start, end } of regions) {
        let at = start;
        while (at < end && !differs(at)) at++;
        if (at === end) continue;
        count++;
        report(at, `${name}: byte ${at - start} is ${bytes[at]}; ptxkit writes ${written[at] ?? "no byte"}`);
      }
      const between = count > 0 ? -1 : bytes.findIndex((_, at) => differs(at));
      if (between >= 0)
        report(
          between,
          `byte ${between}, outside all sections, is ${bytes[between]}; ptxkit writes ${written[between] ?? "no byte"}`,
        );
      if (bytes.length !== written.length)
        report(
          Math.min(bytes.length, written.length),
          `the file has ${bytes.length} bytes; ptxkit writes ${written.length}`,
        );
      return regions.length;
    },
  },
];

/** The named regions of the file. */
function regionsOf({
  file,
  bytes,
}: Subject): readonly { readonly name: string; readonly start: number; readonly end: number }[] {
  const { header, sections, segments } = file;
  const region = (name: string, start: number, size: number) => ({
    name,
    start,
    end: Math.min(start + size, bytes.length),
  });
  return [
    region("file header", 0, FILE_HEADER_SIZE),
    ...sections.flatMap((section) => [
      region(`header of ${named(section)}`, section.headerOffset, SECTION_HEADER_SIZE),
      ...(section.data.length === 0 ? [] : [region(named(section), section.offset, section.data.length)]),
    ]),
    ...segments.map((_, i) => region(`segment ${i}`, header.programHeaderOffset + i * SEGMENT_SIZE, SEGMENT_SIZE)),
  ];
}

const FILE_HEADER_SIZE = 64;
const SEGMENT_SIZE = 56;

function buildIdOf(file: Subject["file"]): { readonly buildId?: Uint8Array } {
  const section = sectionNamed(file, BUILD_ID_SECTION);
  const notes = section === undefined ? undefined : notesOf(file, section);
  const [note] = notes?.ok === true ? notes.value : [];
  return note?.description.length === BUILD_ID_BYTES ? { buildId: note.description } : {};
}
