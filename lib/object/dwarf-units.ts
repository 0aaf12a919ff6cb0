// The entries of `.debug_info` of several modules with one table of abbreviations and one numbering of source files. In a
// merged text both have to be common: ptxas reads all units with the table at offset 0, wherever they say theirs is, and makes
// one line program of all `.file` numbers (merged-files.ts), to which DW_AT_decl_file refers by a plain value.
// DWARF 5 sections 7.5.1 (units), 7.5.3 (abbreviations), 7.5.6 (forms); versions 2 to 4 have the same in the same places.
// Values keep their bytes, because widening one would move all that refers to what is behind it. So a file's number that its
// form has no room for becomes 0, which is "no file", and entries of more than 127 shapes do not go together.

import { decoding, malformed } from "../../formats/bytes/malformed.js";
import { ByteReader } from "../../formats/bytes/reader.js";
import type { Result } from "../../formats/bytes/result.js";
import { readVarU, readVarU64, writeVarU } from "../../formats/bytes/varint.js";
import { ByteWriter } from "../../formats/bytes/writer.js";

/** DW_AT_decl_file, DW_AT_call_file. */
const FILE_ATTRIBUTES: ReadonlySet<number> = new Set([0x3a, 0x58]);

/** DW_FORM_implicit_const: the value is in the abbreviation, which other units may share. */
const IMPLICIT = 0x21;

/** Bytes of the forms that always take as many; "address" for those as wide as the unit's addresses. */
const FIXED: ReadonlyMap<number, number | "address"> = new Map<number, number | "address">([
  [0x01, "address"], // addr
  [0x05, 2], // data2
  [0x06, 4], // data4
  [0x07, 8], // data8
  [0x0b, 1], // data1
  [0x0c, 1], // flag
  [0x0e, 4], // strp
  [0x11, 1], // ref1
  [0x12, 2], // ref2
  [0x13, 4], // ref4
  [0x14, 8], // ref8
  [0x17, 4], // sec_offset
  [0x19, 0], // flag_present
  [0x1e, 16], // data16
  [0x1f, 4], // line_strp
  [0x20, 8], // ref_sig8
  [IMPLICIT, 0],
]);

/** Forms of which a count of bytes comes first, and how that is written. */
const COUNTED: ReadonlyMap<number, (reader: ByteReader) => number> = new Map([
  [0x03, (reader: ByteReader) => reader.u16("size of a block")],
  [0x04, (reader: ByteReader) => reader.u32("size of a block")],
  [0x09, (reader: ByteReader) => readVarU(reader, "size of a block")],
  [0x0a, (reader: ByteReader) => reader.u8("size of a block")],
  [0x18, (reader: ByteReader) => readVarU(reader, "size of an expression")],
]);

/** string, sdata, udata, ref_udata, ref_addr. */
const [STRING, SDATA, UDATA, REF_UDATA, REF_ADDR] = [0x08, 0x0d, 0x0f, 0x15, 0x10];

interface Attribute {
  readonly name: number;
  readonly form: number;
}

/** What entries of one shape have. */
interface Abbreviation {
  /** As it stands in the table behind its code, and as a text by which equal ones are found. */
  readonly bytes: Uint8Array;
  readonly shape: string;
  readonly attributes: readonly Attribute[];
}

/** Of a unit, by their codes. */
type Abbreviations = ReadonlyMap<number, Abbreviation>;

/** One module's part of `.debug_info`. */
export interface UnitPart {
  /** With its references to abbreviations as offsets in the table of all modules. */
  readonly info: Uint8Array;
  /** What a source file's number is in the whole. */
  numberOf(file: number): number;
}

export interface JoinedUnits {
  readonly infos: readonly Uint8Array[];
  /** The one table that all units refer to, at its start. */
  readonly abbrev: Uint8Array;
}

/** Where an entry says its shape. */
interface Use {
  readonly part: number;
  readonly at: number;
  readonly length: number;
  readonly shape: string;
}

/** The parts with codes and numbers of the whole, and its abbreviations. */
export function joinUnits(parts: readonly UnitPart[], abbrev: Uint8Array): Result<JoinedUnits> {
  return decoding(() => {
    const tables = new Map<number, Abbreviations>();
    const shapes = new Map<string, Abbreviation>();
    const uses: Use[] = [];
    // Tables stand one behind the other, so that no byte is read for two of them.
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
    const infos = parts.map(({ info, numberOf }, part) => {
      const copy = new Uint8Array(info);
      const reader = new ByteReader(info);
      while (reader.remaining > 0) {
        const unit = readUnit(reader);
        forEachEntry(unit, tableAt(unit.abbreviations), {
          entry(at, length, abbreviation) {
            const { shape } = abbreviation;
            shapes.set(shape, abbreviation);
            uses.push({ part, at, length, shape });
          },
          file: (at, length, form, number) => putNumber(copy.subarray(at, at + length), form, numberOf(number)),
        });
      }
      return copy;
    });
    const codes = codesOf(uses);
    for (const { part, at, length, shape } of uses)
      putNumber(infos[part]!.subarray(at, at + length), UDATA, codes.get(shape)!);
    const writer = new ByteWriter(1024);
    for (const [shape, code] of codes) {
      writeVarU(writer, code);
      writer.put(shapes.get(shape)!.bytes);
    }
    writer.u8(0);
    return { infos, abbrev: writer.finish() };
  });
}

/** Codes from 1 in the order of use, low ones for those that an entry has a single byte for. */
function codesOf(uses: readonly Use[]): ReadonlyMap<string, number> {
  const codes = new Map<string, number>();
  for (const width of [1, 2, 3, 4, 5, 6, 7, 8])
    for (const { length, shape } of uses)
      if (length === width && !codes.has(shape)) {
        codes.set(shape, codes.size + 1);
        if (codes.size >= 2 ** (7 * width))
          malformed("limit", 0, `their entries have more than ${2 ** (7 * width) - 1} shapes`);
      }
  return codes;
}

// -------------------------------------------------------------------------------------------------------------- reading

interface Unit {
  /** The entries. */
  readonly entries: ByteReader;
  /** Offset of its table. */
  readonly abbreviations: number;
  /** Bytes of an address. */
  readonly address: number;
  /** Bytes of an offset in the section. */
  readonly reference: number;
}

function readUnit(reader: ByteReader): Unit {
  const at = reader.position;
  const size = reader.u32("length of a unit");
  if (size >= 0xfffffff0) malformed("unsupported", at, "a unit of 64-bit DWARF");
  const entries = reader.window(size, "a unit");
  const version = entries.u16("version of a unit");
  if (version < 2 || version > 5) malformed("unsupported", at, `a unit of DWARF version ${version}`);
  const isNew = version === 5;
  // DW_UT_compile, DW_UT_type, DW_UT_partial: the others have more in their heads.
  if (isNew && entries.u8("type of a unit") !== 1) malformed("unsupported", at, "a unit that is no compilation unit");
  const early = isNew ? entries.u8("size of an address") : 0;
  const abbreviations = entries.u32("offset of abbreviations");
  const address = isNew ? early : entries.u8("size of an address");
  return { entries, abbreviations, address, reference: version === 2 ? address : 4 };
}

function readAbbreviations(bytes: Uint8Array, offset: number): { table: Abbreviations; size: number } {
  const reader = new ByteReader(bytes);
  reader.seek(offset, "abbreviations");
  const all = new Map<number, Abbreviation>();
  for (;;) {
    const code = readVarU(reader, "code of an abbreviation");
    if (code === 0) return { table: all, size: reader.position - offset };
    const start = reader.position;
    readVarU(reader, "tag of an abbreviation");
    reader.u8("children of an abbreviation");
    const attributes: Attribute[] = [];
    for (;;) {
      const name = readVarU(reader, "name of an attribute");
      const form = readVarU(reader, "form of an attribute");
      if (form === IMPLICIT) readVarU64(reader, "value of an attribute");
      if (name === 0 && form === 0) break;
      attributes.push({ name, form });
    }
    const own = bytes.subarray(start, reader.position);
    all.set(code, { bytes: own, shape: Buffer.from(own).toString("latin1"), attributes });
  }
}

interface Visitor {
  /** The code of an entry's shape, so many bytes at a place of the part. */
  entry(at: number, length: number, abbreviation: Abbreviation): void;
  /** The number of a source file. */
  file(at: number, length: number, form: number, number: number): void;
}

function forEachEntry(unit: Unit, abbreviations: Abbreviations, visitor: Visitor): void {
  const { entries } = unit;
  while (entries.remaining > 0) {
    const at = entries.position;
    const code = readVarU(entries, "code of an entry");
    if (code === 0) continue;
    const abbreviation = abbreviations.get(code);
    if (abbreviation === undefined) malformed("malformed", at, `an entry of abbreviation ${code}, which there is not`);
    visitor.entry(at, entries.position - at, abbreviation);
    for (const { name, form } of abbreviation.attributes) {
      const start = entries.position;
      const value = skipValue(unit, form);
      if (!FILE_ATTRIBUTES.has(name) || value === 0) continue;
      if (value === undefined) malformed("unsupported", start, `a number of a file in form 0x${form.toString(16)}`);
      visitor.file(start, entries.position - start, form, value);
    }
  }
}

/** Goes over a value; what it is where it may be a file's number. */
function skipValue({ entries: reader, address, reference }: Unit, form: number): number | undefined {
  const fixed = FIXED.get(form);
  if (fixed !== undefined) {
    const bytes = reader.view8(fixed === "address" ? address : fixed, "value of an attribute");
    if (form === 0x0b || form === 0x05 || form === 0x06)
      return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
    return undefined;
  }
  const counted = COUNTED.get(form);
  if (counted !== undefined) reader.skip(counted(reader), "value of an attribute");
  else if (form === UDATA) return readVarU(reader, "value of an attribute");
  else if (form === SDATA || form === REF_UDATA) readVarU64(reader, "value of an attribute");
  else if (form === REF_ADDR) reader.skip(reference, "value of an attribute");
  else if (form === STRING) reader.cstring("value of an attribute");
  else malformed("malformed", reader.position, `a value of form 0x${form.toString(16)}, which is not known`);
  return undefined;
}

/** Writes a number over the one that is there, in as many bytes; LEB128 has bytes that say no more. */
function putNumber(bytes: Uint8Array, form: number, number: number): void {
  const bits = form === UDATA ? 7 : 8;
  const value = number < 2 ** (bits * bytes.length) ? number : 0;
  for (let i = 0; i < bytes.length; i++) {
    const more = form === UDATA && i < bytes.length - 1 ? 0x80 : 0;
    bytes[i] = (Math.floor(value / 2 ** (bits * i)) % 2 ** bits) | more;
  }
}
