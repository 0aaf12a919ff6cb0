// Entries of `.debug_info` and their abbreviations, as far as joining needs them: what says an entry's shape, a source file or
// another entry. DWARF 5 sections 7.5.1 (units), 7.5.3 (abbreviations), 7.5.6 (forms); versions 2 to 4 have the same in the same
// places.

import { malformed } from "../../../formats/bytes/malformed.js";
import { ByteReader } from "../../../formats/bytes/reader.js";
import { readVarU, readVarU64 } from "../../../formats/bytes/varint.js";

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

/** DW_AT_const_value, DW_AT_discr_list: blocks that are no expressions. */
export const DATA_BLOCKS: ReadonlySet<number> = new Set([0x1c, 0x3d]);

/** Forms of which a count of bytes comes first, and how that is written. */
const COUNTED: ReadonlyMap<number, (reader: ByteReader) => number> = new Map([
  [0x03, (reader: ByteReader) => reader.u16("size of a block")],
  [0x04, (reader: ByteReader) => reader.u32("size of a block")],
  [0x09, (reader: ByteReader) => readVarU(reader, "size of a block")],
  [0x0a, (reader: ByteReader) => reader.u8("size of a block")],
  [0x18, (reader: ByteReader) => readVarU(reader, "size of an expression")],
]);

/** string, sdata, udata, ref_udata, ref_addr. */
export const [STRING, SDATA, UDATA, REF_UDATA, REF_ADDR] = [0x08, 0x0d, 0x0f, 0x15, 0x10];

/** ref1, ref2, ref4, ref8, ref_udata: bytes from the start of the unit. */
const REFERENCES: ReadonlySet<number> = new Set([0x11, 0x12, 0x13, 0x14, REF_UDATA]);

/** Forms of fixed size whose value matters. */
const VALUES: ReadonlySet<number> = new Set([0x05, 0x06, 0x0b, 0x11, 0x12, 0x13, 0x14]);

export interface Attribute {
  readonly name: number;
  readonly form: number;
  /** Offset of the form in the bytes of its abbreviation. */
  readonly formAt: number;
}

/** What entries of one shape have. */
export interface Abbreviation {
  /** Its bytes after its code in the table, and as a text, for finding equal ones. */
  readonly bytes: Uint8Array;
  readonly shape: string;
  readonly attributes: readonly Attribute[];
}

/** Of a unit, by their codes. */
export type Abbreviations = ReadonlyMap<number, Abbreviation>;

export interface Unit {
  /** Offsets of the unit in its part. */
  readonly start: number;
  readonly end: number;
  /** The entries. */
  readonly entries: ByteReader;
  /** Offset of its table. */
  readonly abbreviations: number;
  /** Bytes of an address. */
  readonly address: number;
  /** Bytes of an offset in the section. */
  readonly reference: number;
}

export function forEachUnit(info: Uint8Array, visit: (unit: Unit) => void): void {
  const reader = new ByteReader(info);
  while (reader.remaining > 0) visit(readUnit(reader));
}

function readUnit(reader: ByteReader): Unit {
  const at = reader.position;
  const size = reader.u32("length of a unit");
  if (size >= 0xfffffff0) malformed("unsupported", at, "a unit of 64-bit DWARF");
  const entries = reader.window(size, "a unit");
  const version = entries.u16("version of a unit");
  if (version < 2 || version > 5) malformed("unsupported", at, `a unit of DWARF version ${version}`);
  const isNew = version === 5;
  // DW_UT_compile. DW_UT_partial has the same head; those of the others are longer.
  if (isNew && entries.u8("type of a unit") !== 1) malformed("unsupported", at, "a unit that is no compilation unit");
  const early = isNew ? entries.u8("size of an address") : 0;
  const abbreviations = entries.u32("offset of abbreviations");
  const address = isNew ? early : entries.u8("size of an address");
  return { start: at, end: reader.position, entries, abbreviations, address, reference: version === 2 ? address : 4 };
}

export function readAbbreviations(bytes: Uint8Array, offset: number): { table: Abbreviations; size: number } {
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
      const formAt = reader.position - start;
      const form = readVarU(reader, "form of an attribute");
      if (form === IMPLICIT) readVarU64(reader, "value of an attribute");
      if (name === 0 && form === 0) break;
      attributes.push({ name, form, formAt });
    }
    const own = bytes.subarray(start, reader.position);
    all.set(code, { bytes: own, shape: Buffer.from(own).toString("latin1"), attributes });
  }
}

export interface EntryVisitor {
  /** The code of an entry's shape, so many bytes at a place of the part. */
  entry(at: number, length: number, abbreviation: Abbreviation): void;
  /** The number of a source file. */
  file(at: number, length: number, attribute: Attribute, number: number): void;
  /** Bytes from the start of the unit to another entry. */
  reference(at: number, length: number, form: number, target: number): void;
  /** An expression, or bytes that are a value. */
  block(at: number, name: number, bytes: Uint8Array): void;
}

export function forEachEntry(unit: Unit, abbreviations: Abbreviations, visitor: EntryVisitor): void {
  const { entries } = unit;
  while (entries.remaining > 0) {
    const at = entries.position;
    const code = readVarU(entries, "code of an entry");
    if (code === 0) continue;
    const abbreviation = abbreviations.get(code);
    if (abbreviation === undefined) malformed("malformed", at, `an entry of abbreviation ${code}, which there is not`);
    visitor.entry(at, entries.position - at, abbreviation);
    for (const attribute of abbreviation.attributes) {
      const { name, form } = attribute;
      const start = entries.position;
      const counted = COUNTED.get(form);
      if (counted !== undefined) {
        if (FILE_ATTRIBUTES.has(name))
          malformed("unsupported", start, `a number of a file in form 0x${form.toString(16)}`);
        visitor.block(start, name, entries.view8(counted(entries), "value of an attribute"));
        continue;
      }
      const value = readValue(unit, form);
      if (value === undefined) {
        if (FILE_ATTRIBUTES.has(name))
          malformed("unsupported", start, `a number of a file in form 0x${form.toString(16)}`);
      } else if (REFERENCES.has(form)) visitor.reference(start, entries.position - start, form, value);
      else if (FILE_ATTRIBUTES.has(name) && value !== 0)
        visitor.file(start, entries.position - start, attribute, value);
    }
  }
}

/** Goes over a value; what it is where it may be a file's number or refer to an entry of the unit. */
function readValue({ entries: reader, address, reference }: Unit, form: number): number | undefined {
  const fixed = FIXED.get(form);
  if (fixed !== undefined) {
    const bytes = reader.view8(fixed === "address" ? address : fixed, "value of an attribute");
    return VALUES.has(form) ? bytes.reduceRight((value, byte) => value * 256 + byte, 0) : undefined;
  }
  if (form === UDATA || form === REF_UDATA) return readVarU(reader, "value of an attribute");
  else if (form === SDATA) readVarU64(reader, "value of an attribute");
  else if (form === REF_ADDR) reader.skip(reference, "value of an attribute");
  else if (form === STRING) reader.skipCstring("value of an attribute");
  else malformed("malformed", reader.position, `a value of form 0x${form.toString(16)}, which is not known`);
  return undefined;
}
