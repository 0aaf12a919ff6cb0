// Reads tables of `.debug_abbrev`: the tag and the attributes of each kind of entry. DWARF 5 section 7.5.3; versions 2 to 4 are
// the same, but without values in the table.

import { malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import { readSleb128, readVarU } from "../bytes/varint.js";
import { IMPLICIT_CONST } from "./forms.table.js";

export interface AttributeSpec {
  readonly name: number;
  readonly form: number;
  /** The value, if the form stores it in the table (DW_FORM_implicit_const). */
  readonly implicit?: bigint;
}

export interface EntryKind {
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly attributes: readonly AttributeSpec[];
}

/** Inside a decoder: the table that begins at `offset`, by code. */
export function readEntryKinds(bytes: Uint8Array, offset: number): ReadonlyMap<number, EntryKind> {
  const reader = new ByteReader(bytes);
  reader.seek(offset, "table of abbreviations");
  const kinds = new Map<number, EntryKind>();
  for (;;) {
    const at = reader.position;
    const code = readVarU(reader, "code of an abbreviation");
    if (code === 0) return kinds;
    if (kinds.has(code)) malformed("malformed", at, `abbreviation ${code} is defined twice`);
    const tag = readVarU(reader, "tag of an abbreviation");
    const hasChildren = reader.u8("children of an abbreviation") !== 0;
    kinds.set(code, { tag, hasChildren, attributes: readAttributes(reader) });
  }
}

function readAttributes(reader: ByteReader): readonly AttributeSpec[] {
  const attributes: AttributeSpec[] = [];
  for (;;) {
    const name = readVarU(reader, "name of an attribute");
    const form = readVarU(reader, "form of an attribute");
    if (form === IMPLICIT_CONST)
      attributes.push({ name, form, implicit: readSleb128(reader, "value of an attribute") });
    else if (name === 0 && form === 0) return attributes;
    else attributes.push({ name, form });
  }
}
