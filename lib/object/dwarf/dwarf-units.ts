// Joins the entries of `.debug_info` of several modules, with one table of abbreviations and one numbering of source files. Both
// must be common in a merged text. ptxas reads all units with the table at offset 0, whatever offset they contain, and makes one
// line program of all `.file` numbers (merged-files.ts), to which DW_AT_decl_file refers by a plain value. Values keep their size
// if the new value fits. Otherwise (a file number above 255 in one byte, or more than 127 shapes if the code takes one byte),
// entries become longer, and all references to entries are adjusted.

import { decoding, malformed } from "../../../formats/bytes/malformed.js";
import type { Result } from "../../../formats/bytes/result.js";
import { writeVarU } from "../../../formats/bytes/varint.js";
import { ByteWriter } from "../../../formats/bytes/writer.js";
import { mayNameEntries } from "./dwarf-expressions.js";
import {
  DATA_BLOCKS,
  forEachEntry,
  forEachUnit,
  readAbbreviations,
  REF_UDATA,
  UDATA,
  type Abbreviations,
  type Attribute,
} from "./dwarf-reader.js";

/** One module's part of `.debug_info`. */
export interface UnitPart {
  /** The entries; references to abbreviations are offsets in the table of all modules. */
  readonly info: Uint8Array;
  /** The new number of a source file. */
  numberOf(file: number): number;
}

export interface JoinedUnits {
  readonly infos: readonly JoinedUnit[];
  /** The table to which all units refer, at its start. */
  readonly abbrev: Uint8Array;
}

/** A part of a section with the common codes and file numbers. */
export interface JoinedUnit {
  /** The original length; values that do not fit are in `edits`. */
  readonly info: Uint8Array;
  /** Sorted by `at`. */
  readonly edits: readonly Edit[];
  /** The new offset of something, after `edits`. */
  moved(offset: number): number;
}

/** New bytes that replace others. */
export interface Edit {
  readonly at: number;
  readonly length: number;
  readonly bytes: Uint8Array;
}

/** The place of an entry's code, and its file numbers. */
interface Use {
  readonly at: number;
  readonly length: number;
  shape: string;
  readonly files: FileUse[];
}

interface FileUse {
  readonly attribute: Attribute;
  readonly at: number;
  readonly length: number;
  readonly number: number;
}

/** The parts with common codes and file numbers, and the common table of abbreviations. */
export function joinUnits(parts: readonly UnitPart[], abbrev: Uint8Array): Result<JoinedUnits> {
  return decoding(() => {
    const tables = new Map<number, Abbreviations>();
    const shapes = new Map<string, Uint8Array>();
    // Tables must not overlap, so that no byte is read for two of them.
    let tableBytes = 0;
    const tableAt = (offset: number): Abbreviations => {
      const known = tables.get(offset);
      if (known !== undefined) return known;
      const { table, size } = readAbbreviations(abbrev, offset);
      tableBytes += size;
      if (tableBytes > abbrev.length) malformed("limit", offset, "tables of abbreviations that overlap");
      tables.set(offset, table);
      return table;
    };
    // Two passes over the entries: storing the results for each would take many times their bytes.
    const codes = codesOf(parts, (part, use) => forEachUse(part, tableAt, shapes, use));
    const infos = parts.map((part): JoinedUnit => {
      const copy = new Uint8Array(part.info);
      const edits: Edit[] = [];
      forEachUse(part, tableAt, shapes, (use) => write(use, codes.get(use.shape)!, copy, edits));
      const joined = editedBytes(copy, edits);
      if (edits.length > 0) moveReferences(part.info, copy, tableAt, joined.moved);
      return joined;
    });
    const writer = new ByteWriter(1024);
    for (const [shape, code] of codes) {
      writeVarU(writer, code);
      writer.put(shapes.get(shape)!);
    }
    writer.u8(0);
    return { infos, abbrev: writer.finish() };
  });
}

/** Visits the entries in order, each with a shape in which its file numbers fit. */
function forEachUse(
  { info, numberOf }: UnitPart,
  tableAt: (offset: number) => Abbreviations,
  shapes: Map<string, Uint8Array>,
  visit: (use: Use) => void,
): void {
  let last: Use | undefined;
  const finish = (): void => {
    if (last === undefined) return;
    last.shape = widenedShape(last, shapes);
    visit(last);
  };
  forEachUnit(info, (unit) =>
    forEachEntry(unit, tableAt(unit.abbreviations), {
      entry(at, length, { shape, bytes }) {
        finish();
        shapes.set(shape, bytes);
        last = { at, length, shape, files: [] };
      },
      file: (at, length, attribute, number) =>
        void last!.files.push({ attribute, at, length, number: numberOf(number) }),
      reference: () => {},
      block: () => {},
    }),
  );
  finish();
}

/** Number of codes that fit a single byte. */
const MAX_SHORT = 127;

/**
 * Assigns codes from 1 in the order of use. Low codes go to shapes whose entries have a single byte for the code; if there are
 * too many, to the most frequent.
 */
function codesOf(
  parts: readonly UnitPart[],
  forEach: (part: UnitPart, visit: (use: Use) => void) => void,
): ReadonlyMap<string, number> {
  const byWidth = Array.from({ length: 8 }, () => new Map<string, number>());
  for (const part of parts)
    forEach(part, ({ length, shape }) => {
      const uses = byWidth[length - 1]!;
      uses.set(shape, (uses.get(shape) ?? 0) + 1);
    });
  const codes = new Map<string, number>();
  for (const uses of byWidth) {
    const shapes = [...uses];
    if (shapes.length > MAX_SHORT) shapes.sort(([, a], [, b]) => b - a);
    for (const [shape] of shapes) if (!codes.has(shape)) codes.set(shape, codes.size + 1);
  }
  return codes;
}

// -------------------------------------------------------------------------------------------------------------- writing

const fits = (number: number, form: number, length: number): boolean =>
  number < 2 ** ((form === UDATA ? 7 : 8) * length);

/** The shape in which an entry's file numbers fit: its own, or one with longer forms. */
function widenedShape({ shape, files }: Use, shapes: Map<string, Uint8Array>): string {
  const tight = files.filter(
    ({ attribute: { form }, length, number }) => form !== UDATA && !fits(number, form, length),
  );
  if (tight.length === 0) return shape;
  const bytes = new Uint8Array(shapes.get(shape)!);
  for (const { attribute, at, number } of tight) {
    if (bytes[attribute.formAt] !== attribute.form)
      malformed("unsupported", at, "a number of a file whose form is written in more bytes than it needs");
    bytes[attribute.formAt] = formFor(number);
  }
  const made = Buffer.from(bytes).toString("latin1");
  shapes.set(made, bytes);
  return made;
}

const [DATA2, DATA4] = [0x05, 0x06];
const formFor = (number: number): number => (number < 2 ** 16 ? DATA2 : DATA4);

/** Writes an entry's code and numbers in place if they fit; others become edits. */
function write({ at, length, files }: Use, code: number, info: Uint8Array, edits: Edit[]): void {
  renumbered(info, at, length, code, edits);
  for (const { attribute, at: from, length: size, number } of files) {
    const { form } = attribute;
    if (fits(number, form, size)) {
      putNumber(info, from, size, form, number);
      continue;
    }
    const bytes = form === UDATA ? lebOf(number) : new Uint8Array(formFor(number) === DATA2 ? 2 : 4);
    if (form !== UDATA) putNumber(bytes, 0, bytes.length, form, number);
    edits.push({ at: from, length: size, bytes });
  }
}

function lebOf(number: number): Uint8Array {
  const writer = new ByteWriter(16);
  writeVarU(writer, number);
  return writer.finish();
}

/** The bytes with the edits applied. */
export const editedBytes = (info: Uint8Array, edits: readonly Edit[]): JoinedUnit => ({
  info,
  edits,
  moved: shifts(edits),
});

/** Writes a LEB128 number in place if it fits; otherwise it becomes an edit. */
export function renumbered(info: Uint8Array, at: number, length: number, number: number, edits: Edit[]): void {
  if (fits(number, UDATA, length)) putNumber(info, at, length, UDATA, number);
  else edits.push({ at, length, bytes: lebOf(number) });
}

/** Returns a function that maps offsets to those after the edits. */
function shifts(edits: readonly Edit[]): (offset: number) => number {
  const starts = Float64Array.from(edits, ({ at }) => at);
  let sum = 0;
  const grown = Float64Array.from(edits, ({ length, bytes }) => (sum += bytes.length - length));
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? offset : offset + grown[low - 1]!;
  };
}

/** Updates lengths of units, and references to entries, after the edits. */
function moveReferences(
  info: Uint8Array,
  into: Uint8Array,
  tableAt: (offset: number) => Abbreviations,
  moved: (offset: number) => number,
): void {
  forEachUnit(info, (unit) => {
    const { start, end } = unit;
    putNumber(into, start, 4, DATA4, moved(end) - moved(start + 4));
    forEachEntry(unit, tableAt(unit.abbreviations), {
      entry: () => {},
      file: () => {},
      reference(at, length, form, target) {
        const now = moved(start + target) - moved(start);
        const encoding = form === REF_UDATA ? UDATA : DATA4;
        if (!fits(now, encoding, length)) malformed("limit", at, "a reference to an entry that has no room for more");
        putNumber(into, at, length, encoding, now);
      },
      block(at, name, bytes) {
        if (!DATA_BLOCKS.has(name) && mayNameEntries(bytes, unit.address))
          malformed("unsupported", at, "an expression that may name an entry, in a unit that gets longer");
      },
    });
  });
}

/** Overwrites a number in place, with the same number of bytes; LEB128 is padded. */
function putNumber(bytes: Uint8Array, at: number, length: number, form: number, number: number): void {
  const bits = form === UDATA ? 7 : 8;
  let rest = number < 2 ** (bits * length) ? number : 0;
  for (let i = 0; i < length; i++) {
    const more = form === UDATA && i < length - 1 ? 0x80 : 0;
    bytes[at + i] = (rest % 2 ** bits) | more;
    rest = Math.floor(rest / 2 ** bits);
  }
}
