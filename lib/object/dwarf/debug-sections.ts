// Encodes DWARF of PTX text (`.section .debug_info { .b8 1, 2 ... }`, PTX ISA 9.0 section 11.5.3) as bytes, for readers of DWARF.
// A layout record next to the bytes stores what they lack, so that the text can be restored: the grouping of values, labels, and
// references to labels and sections. docs/format.md, "Debug sections". debug-layout.ts resolves references in a file. A label in
// code is stored as the function and the byte of its encoded code (debug-places.ts), because the link and the writer have no
// labels.

import { decoding, malformed } from "../../../formats/bytes/malformed.js";
import { ByteReader } from "../../../formats/bytes/reader.js";
import type { Result } from "../../../formats/bytes/result.js";
import { readVarU, readVarU64, writeVarU, writeVarU64 } from "../../../formats/bytes/varint.js";
import { ByteWriter } from "../../../formats/bytes/writer.js";
import {
  addInteger,
  addIntegers,
  addLabel,
  addReference,
  addSection,
  addText,
  createSectionData,
  LEB,
  markOf,
  MAX_IN_ROW,
  partSince,
  reserve,
  sectionBytes,
  typeBytes,
  visitSection,
  type IntegerRun,
  type SectionData,
  type SectionPart,
  type SectionReference,
  type SectionVisitor,
} from "../../ptx/section-data.js";
import type { SectionDirective } from "../../ptx/tree.js";
import type { Edit } from "./dwarf-units.js";
import { createStringPool, readStringPool, readText } from "../code/string-pool.js";

/** One module's part of a debug section: from one `.section`, or from several consecutive ones. */
export interface DebugSection {
  /** The name in the text: ".debug_info". */
  readonly name: string;
  /** Index into ObjectFile.modules. */
  readonly module: number;
  readonly data: Uint8Array;
  /** The layout record. */
  readonly record: Uint8Array;
}

/** A place in the code of a module. */
export interface CodePlace {
  /** The function's name in the module. */
  readonly function: string;
  /** Offset in bytes from the start of its encoded code. */
  readonly offset: number;
}

/** Places of labels in code: that of a reference, and that of the subtracted label. */
export interface ReferencePlaces {
  readonly label: CodePlace;
  readonly minus?: CodePlace;
}

export interface EncodeDebugOptions {
  /** Finds the place of a label in the module's code. */
  readonly placeOf?: (label: string) => CodePlace | undefined;
  /** Whether the assembler made the section, which the text lacks. */
  readonly isGenerated?: boolean;
}

/** Number of integer types; each is log2 of its bytes. */
export const TYPES = 4;
/** The forms of runs in a layout record: several equal directives of integers, one directive with a reference, or one label. */
export const FORM = { unsigned: 0, signed: 1, reference: 2, label: 3 } as const;
export const FORMS = 4;
/** Another section of the same name begins here: a run of a label without a name. */
export const NEXT_SECTION: number = FORM.label;

const IS_LEGACY = 1;
const IS_MADE = 2;
/** Flags for the optional parts of a reference besides its label. */
export const REFERENCE_HAS = { minus: 1, offset: 2, place: 4 } as const;

// -------------------------------------------------------------------------------------------------------------- writing

export const encodeDebugSection = (
  section: SectionDirective,
  module: number,
  options?: EncodeDebugOptions,
): DebugSection => createDebugEncoder(module, options)(section);

/**
 * Returns a function that encodes sections of a module. A text may have a million sections of a few bytes, so state is shared.
 */
export function createDebugEncoder(
  module: number,
  { placeOf = () => undefined, isGenerated = false }: EncodeDebugOptions = {},
): (section: SectionDirective) => DebugSection {
  const pool = createStringPool();
  const runs = new ByteWriter(64);
  const head = new ByteWriter(64);
  const put = (form: number, detail: number, times: number): void => {
    writeVarU(runs, times * FORMS + form);
    writeVarU(runs, detail);
  };
  const visitor: SectionVisitor = {
    section: () => writeVarU(runs, NEXT_SECTION),
    label: (label) => put(FORM.label, pool.index(label), 1),
    integers: ({ isSigned, type, each, count }) =>
      put(isSigned ? FORM.signed : FORM.unsigned, each * TYPES + type, count),
    reference(reference, _, type) {
      const { name: label, minus, offset } = reference;
      put(FORM.reference, type, 1);
      writeVarU(runs, pool.index(label));
      const places = placesOf(reference, placeOf);
      runs.u8(
        (minus === undefined ? 0 : REFERENCE_HAS.minus) |
          (offset === undefined ? 0 : REFERENCE_HAS.offset) |
          (places.length === 0 ? 0 : REFERENCE_HAS.place),
      );
      if (minus !== undefined) writeVarU(runs, pool.index(minus));
      if (offset !== undefined) writeVarU64(runs, BigInt.asUintN(64, offset));
      for (const place of places) {
        writeVarU(runs, pool.index(place.function));
        writeVarU(runs, place.offset);
      }
    },
  };
  let last = new Uint8Array();
  return ({ name, legacy, part }) => {
    visitSection(part, visitor);
    head.u8((legacy === true ? IS_LEGACY : 0) | (isGenerated ? IS_MADE : 0));
    pool.write(head);
    head.put(runs.view(0));
    const record = head.view(0);
    // Neighbours often have equal records.
    if (Buffer.compare(record, last) !== 0) last = record.slice();
    for (const each of [pool, runs, head]) each.clear();
    return { name, module, data: sectionBytes(part), record: last };
  };
}

/** The places of a reference's labels; undefined unless all are in code. */
function placesOf(
  { name, minus }: SectionReference,
  placeOf: (label: string) => CodePlace | undefined,
): readonly CodePlace[] {
  const places = [name, ...(minus === undefined ? [] : [minus])].map(placeOf);
  return places.every((place) => place !== undefined) ? places : [];
}

// -------------------------------------------------------------------------------------------------------------- reading

export interface Visitor {
  label(name: string, at: number): void;
  /** `type`: log2 of the reference's bytes, or LEB. */
  reference(reference: SectionReference, at: number, type: number, places: ReferencePlaces | undefined): void;
  integers(run: IntegerRun): void;
  /** Another section of the same name begins. */
  section?(): void;
}

/** A section whose strings have been read, which takes as long as walking it. */
export interface OpenSection {
  readonly section: DebugSection;
  readonly isLegacy: boolean;
  readonly texts: readonly string[];
  /** Offset of the runs in the layout record, after the strings. */
  readonly runs: number;
}

/** Inside a decoder: opens a section. */
export function openSection(section: DebugSection): OpenSection {
  const reader = new ByteReader(section.record, 0);
  const isLegacy = (reader.u8("kind of a debug section") & IS_LEGACY) !== 0;
  const texts = readStringPool(reader);
  return { section, isLegacy, texts, runs: reader.position };
}

/** Whether a section contains labels or references, besides numbers. If there are very many sections, most do not. */
export const hasTexts = ({ record }: Pick<DebugSection, "record">): boolean => record[1] !== 0;

/** Inside a decoder: walks a section. Offsets are relative to its own bytes. */
export function walk({ section, texts: pool, runs }: OpenSection, visitor: Visitor): void {
  const { name, data, record } = section;
  const reader = new ByteReader(record, 0);
  reader.seek(runs, "runs of a debug section");
  let at = 0;
  const take = (bytes: number): number => {
    if (bytes > data.length - at)
      malformed("truncated", at, `${name} has ${data.length} bytes, and directives for more`);
    at += bytes;
    return at - bytes;
  };
  while (reader.remaining > 0) {
    const head = readVarU(reader, "run of a debug section");
    if (head === NEXT_SECTION) {
      visitor.section?.();
      continue;
    }
    const form = head % FORMS;
    const count = Math.floor(head / FORMS);
    if (form === FORM.label) {
      visitor.label(readText(reader, pool, "label"), at);
      continue;
    }
    const detail = readVarU(reader, "directive of a debug section");
    if (form === FORM.reference) {
      if (detail > (isMadeSection(section) ? LEB : TYPES - 1))
        malformed("out-of-range", at, `${name}: type ${detail} of a reference`);
      const label = readText(reader, pool, "label");
      const flags = reader.u8("kind of a reference");
      const minus = flags & REFERENCE_HAS.minus ? readText(reader, pool, "label") : undefined;
      const offset = flags & REFERENCE_HAS.offset ? readVarU64(reader, "offset of a reference") : undefined;
      const rest = { ...(minus === undefined ? {} : { minus }), ...(offset === undefined ? {} : { offset }) };
      const places = flags & REFERENCE_HAS.place ? readPlaces(reader, pool, minus !== undefined) : undefined;
      visitor.reference({ name: label, ...rest }, take(typeBytes(detail)), detail, places);
      continue;
    }
    const type = detail % TYPES;
    const each = Math.floor(detail / TYPES);
    if (each === 0 || count === 0) malformed("malformed", at, `${name}: a directive without values`);
    if (Math.max(each, count) > MAX_IN_ROW) malformed("limit", at, `${name}: ${count} directives of ${each} values`);
    visitor.integers({ isSigned: form === FORM.signed, at: take(count * each * (1 << type)), type, each, count });
  }
  if (at !== data.length) malformed("malformed", at, `${name} has ${data.length} bytes, and directives for ${at}`);
}

function readPlaces(reader: ByteReader, pool: readonly string[], hasMinus: boolean): ReferencePlaces {
  const place = (): CodePlace => ({
    function: readText(reader, pool, "function of a label"),
    offset: readVarU(reader, "place of a label"),
  });
  const label = place();
  return hasMinus ? { label, minus: place() } : { label };
}

/** Whether the assembler made the section, so that it is in no text. */
export const isMadeSection = ({ record }: Pick<DebugSection, "record">): boolean => ((record[0] ?? 0) & IS_MADE) !== 0;

/** How references and labels of a section are translated when it is added to others. */
export interface Translation {
  label(name: string): string;
  /** A number replaces a reference without a target. */
  reference(reference: SectionReference): SectionReference | number;
  /** Whether consecutive sections of one name stay separate. */
  readonly staysApart?: true;
}

export const AS_IT_IS: Translation = { label: (name) => name, reference: (reference) => reference, staysApart: true };

/** The section as it was in the text. */
export function decodeDebugSection(section: DebugSection): Result<SectionDirective> {
  return decoding(() => {
    const data = createSectionData();
    const begin = markOf(data);
    const open = openSection(section);
    addDebugSection(data, begin.row, open, AS_IT_IS);
    return directiveOf(section.name, open.isLegacy, partSince(data, begin));
  });
}

/** A section directive without a place in a text. */
export const directiveOf = (name: string, isLegacy: boolean, part: SectionPart): SectionDirective => ({
  kind: "section",
  start: 0,
  end: 0,
  name,
  part,
  ...(isLegacy ? { legacy: true } : {}),
});

/** State while a section is added to others. */
interface Adding {
  readonly data: SectionData;
  readonly firstRow: number;
  readonly section: DebugSection;
  readonly edits: readonly Edit[];
  /** Index of the next edit. */
  next: number;
}

/** Inside a decoder: adds a section to the store, from a given row on. `edits`: sorted by `at`, for bytes in `.b8` directives. */
export function addDebugSection(
  data: SectionData,
  firstRow: number,
  open: OpenSection,
  to: Translation,
  edits: readonly Edit[] = [],
): void {
  const texts = new Map<string, number>();
  const textOf = (text: string): number => {
    const known = texts.get(text) ?? addText(data, text);
    texts.set(text, known);
    return known;
  };
  const adding: Adding = { data, firstRow, section: open.section, edits, next: 0 };
  walk(open, {
    section: () => void (to.staysApart && addSection(data)),
    label: (label) => addLabel(data, textOf(to.label(label))),
    reference(reference, _, type) {
      const now = to.reference(reference);
      if (typeof now === "number") {
        addInteger(data, type, now);
        addIntegers(data, firstRow, type, 1, 1, false);
      } else {
        const minus = now.minus === undefined ? -1 : textOf(now.minus);
        addReference(data, type, textOf(now.name), minus, now.offset);
      }
    },
    integers: (run) => addEdited(adding, run),
  });
  const left = edits[adding.next];
  if (left !== undefined) malformed("unsupported", left.at, `${open.section.name} has entries in references`);
}

function putBytes(data: SectionData, from: Uint8Array): void {
  reserve(data, from.length);
  data.bytes.set(from, data.size);
  data.size += from.length;
}

/** Adds a run of integers; directives with edits are merged into one. */
function addEdited(adding: Adding, { isSigned, at, type, each, count }: IntegerRun): void {
  const { data, firstRow, section, edits } = adding;
  const step = each * (1 << type);
  const end = at + count * step;
  let from = at;
  const copyTo = (until: number): void => {
    if (until === from) return;
    putBytes(data, section.data.subarray(from, until));
    addIntegers(data, firstRow, type, each, (until - from) / step, isSigned);
    from = until;
  };
  while (adding.next < edits.length && edits[adding.next]!.at < end) {
    const start = at + Math.floor((edits[adding.next]!.at - at) / step) * step;
    copyTo(start);
    const before = data.size;
    let until = start + step;
    for (; adding.next < edits.length && edits[adding.next]!.at < until; adding.next++) {
      const { at: place, length, bytes: now } = edits[adding.next]!;
      if (type !== 0 || place < from || place + length > end)
        malformed("unsupported", place, `${section.name} has entries in words`);
      putBytes(data, section.data.subarray(from, place));
      putBytes(data, now);
      from = place + length;
      until = Math.max(until, at + Math.ceil((from - at) / step) * step);
    }
    putBytes(data, section.data.subarray(from, until));
    from = until;
    addIntegers(data, firstRow, 0, data.size - before, 1, false);
  }
  copyTo(end);
}
