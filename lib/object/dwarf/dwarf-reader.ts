// Reads entries of `.debug_info` and their abbreviations, as far as joining needs them: shapes of entries, numbers of source
// files, and references to entries. DWARF 5 sections 7.5.1 (units), 7.5.3 (abbreviations), 7.5.6 (forms); versions 2 to 4 are the
// same in these respects.

import { malformed } from "../../../formats/bytes/malformed.js";
import { ByteReader } from "../../../formats/bytes/reader.js";
import { readVarU, readVarU64 } from "../../../formats/bytes/varint.js";
import { blockSize, FORMS, IMPLICIT_CONST, type Form } from "../../../formats/dwarf/forms.table.js";

/** DW_AT_decl_file, DW_AT_call_file. */
const FILE_ATTRIBUTES: ReadonlySet<number> = new Set([0x3a, 0x58]);

/** DW_AT_const_value, DW_AT_discr_list: blocks that are not expressions. */
export const DATA_BLOCKS: ReadonlySet<number> = new Set([0x1c, 0x3d]);

export const [UDATA, REF_UDATA] = [0x0f, 0x15];

/** The forms of file numbers besides udata: data1, data2, data4. */
const FILE_FORMS: ReadonlySet<number> = new Set([0x0b, 0x05, 0x06]);

export interface Attribute {
  readonly name: number;
  readonly form: number;
  /** Offset of the form in the bytes of its abbreviation. */
  readonly formAt: number;
}

/** The shape of entries with a given code. */
export interface Abbreviation {
  /** Its bytes after its code in the table, and the same as a string, to find equal ones. */
  readonly bytes: Uint8Array;
  readonly shape: string;
  readonly attributes: readonly Attribute[];
}

/** A unit's abbreviations by code. */
export type Abbreviations = ReadonlyMap<number, Abbreviation>;

export interface Unit {
  /** Offsets of the unit in its part of the section. */
  readonly start: number;
  readonly end: number;
  /** A reader of the entries. */
  readonly entries: ByteReader;
  /** Offset of its table of abbreviations. */
  readonly abbreviations: number;
  /** Bytes per address. */
  readonly address: number;
  /** Bytes per offset in the section. */
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
  // DW_UT_compile. DW_UT_partial has the same header; other units have longer ones.
  if (isNew && entries.u8("type of a unit") !== 1)
    malformed("unsupported", at, "a unit that is not a compilation unit");
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
      if (form === IMPLICIT_CONST) readVarU64(reader, "value of an attribute");
      if (name === 0 && form === 0) break;
      attributes.push({ name, form, formAt });
    }
    const own = bytes.subarray(start, reader.position);
    all.set(code, { bytes: own, shape: Buffer.from(own).toString("latin1"), attributes });
  }
}

export interface EntryVisitor {
  /** The code of an entry's shape, with offset and length in the part. */
  entry(at: number, length: number, abbreviation: Abbreviation): void;
  /** The number of a source file. */
  file(at: number, length: number, attribute: Attribute, number: number): void;
  /** A reference to another entry; `target`: bytes from the start of the unit. */
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
      const row = FORMS.get(form);
      if (row?.encoding.kind === "counted") {
        if (FILE_ATTRIBUTES.has(name))
          malformed("unsupported", start, `a number of a file in form 0x${form.toString(16)}`);
        visitor.block(start, name, entries.view8(blockSize(entries, row.encoding), "value of an attribute"));
        continue;
      }
      const value = readValue(unit, form, row);
      if (value === undefined) {
        if (FILE_ATTRIBUTES.has(name))
          malformed("unsupported", start, `a number of a file in form 0x${form.toString(16)}`);
      } else if (row?.meaning === "reference") visitor.reference(start, entries.position - start, form, value);
      else if (FILE_ATTRIBUTES.has(name) && value !== 0)
        visitor.file(start, entries.position - start, attribute, value);
    }
  }
}

/** Reads a value; returns it if it may be a file's number or a reference to an entry of the unit. */
function readValue(
  { entries: reader, address, reference }: Unit,
  form: number,
  row: Form | undefined,
): number | undefined {
  if (form === IMPLICIT_CONST) return undefined;
  const encoding = row?.encoding;
  const isRead = row?.meaning === "reference" || FILE_FORMS.has(form);
  switch (encoding?.kind) {
    case "fixed": {
      const bytes = reader.view8(encoding.bytes, "value of an attribute");
      return isRead ? bytes.reduceRight((value, byte) => value * 256 + byte, 0) : undefined;
    }
    case "uleb":
      return readVarU(reader, "value of an attribute");
    case "sleb":
      readVarU64(reader, "value of an attribute");
      return undefined;
    case "address":
      reader.skip(address, "value of an attribute");
      return undefined;
    case "offset":
      reader.skip(reference, "value of an attribute");
      return undefined;
    case "text":
      reader.skipCstring("value of an attribute");
      return undefined;
    default:
      return malformed("malformed", reader.position, `a value of form 0x${form.toString(16)}, which is not known`);
  }
}
