// Rules of our own files, beside those of cubins: what the linker, the loader and the engines rely on. docs/format.md.

import { createHash } from "node:crypto";
import { notesOf, sectionNamed } from "../../formats/elf/index.js";
import { BUILD_ID_BYTES, BUILD_ID_SECTION, GNU_BUILD_ID } from "../object/container.js";
import { decodeFunction } from "../object/decode.js";
import type { ObjectFile, VariableSymbol } from "../object/object.js";
import { decodeObject } from "../object/read.js";
import type { Rule, Subject } from "./verify.js";

function objectOf({ bytes, name }: Subject): ObjectFile | undefined {
  const read = decodeObject(bytes, name);
  return read.ok ? read.value : undefined;
}

const BUILD_ID_DESCRIPTION = 16;

export const ownRules: readonly Rule[] = [
  {
    name: "declarations",
    about: "symbols, sections and relocations are what .ptxkit.decl declares",
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
    about: "encoded functions decode, and each instruction fits its form",
    check(subject, report) {
      const { file } = subject;
      const texts = (objectOf(subject)?.sections ?? []).filter(({ role }) => role.kind === "text");
      for (const { data } of texts) {
        const base = file.sections.find(
          (section) => section.data.byteOffset === data?.byteOffset && section.data.length > 0,
        );
        const decoded = decodeFunction(data ?? new Uint8Array(), base?.offset);
        if (!decoded.ok) report(decoded.error.offset, decoded.error.what);
      }
      return texts.length;
    },
  },
  {
    name: "variables",
    about: "variables of a section do not overlap",
    check(subject, report) {
      const object = objectOf(subject);
      if (object === undefined) return 0;
      const places = object.symbols.flatMap((symbol) =>
        symbol.kind === "variable" &&
        symbol.alias !== true &&
        symbol.placement.kind === "section" &&
        hasOffsets(object, symbol)
          ? [{ name: symbol.name, size: symbol.layout.size, ...symbol.placement }]
          : [],
      );
      places.sort((a, b) => a.section - b.section || a.offset - b.offset);
      const declarations = sectionNamed(subject.file, ".symtab")?.offset ?? 0;
      for (let i = 1; i < places.length; i++) {
        const [before, place] = [places[i - 1]!, places[i]!];
        if (place.section === before.section && place.offset < before.offset + before.size)
          report(
            declarations,
            `${place.name} at ${place.offset} overlaps ${before.name}, ${before.size} bytes at ${before.offset}`,
          );
      }
      return places.length;
    },
  },
  {
    name: "build-id",
    about: "the build ID is the hash of the file with zeros in its place",
    check({ file, bytes }, report) {
      const section = sectionNamed(file, BUILD_ID_SECTION);
      const notes = section === undefined ? undefined : notesOf(file, section);
      if (notes?.ok !== true) return 0;
      for (const { name, type, description, offset } of notes.value) {
        if (name !== GNU_BUILD_ID.name || type !== GNU_BUILD_ID.type) continue;
        const blank = Uint8Array.from(bytes);
        blank.fill(0, offset + BUILD_ID_DESCRIPTION, offset + BUILD_ID_DESCRIPTION + description.length);
        const hash = createHash("sha256").update(blank).digest().subarray(0, BUILD_ID_BYTES);
        if (!hash.equals(description)) report(offset + BUILD_ID_DESCRIPTION, "the build ID is of other contents");
      }
      return notes.value.length;
    },
  },
];

/** Shared variables of an object, and those of one kernel beside those of another, have no place of their own. */
function hasOffsets({ type }: ObjectFile, { space }: VariableSymbol): boolean {
  return space !== "shared" && (type === "executable" || space !== "local");
}
