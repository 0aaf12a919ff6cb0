// Reads the units of `.debug_info` as trees of entries. DWARF 2 to 5 in the 32-bit form, sections 7.5.1 and 7.5.2. The result is
// linear in the section's size: attributes whose values take no bytes are counted against a limit.

import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";
import { readVarU } from "../bytes/varint.js";
import { readEntryKinds, type EntryKind } from "./abbreviations.js";
import { readForm, type AttributeContent, type FormContext } from "./forms.js";

export interface DebugAttribute {
  /** Offset of the value in the section; for a block, that of its first byte. */
  readonly at: number;
  readonly content: AttributeContent;
}

export interface DebugEntry {
  /** Offset in the section. */
  readonly offset: number;
  /** DW_TAG_*. */
  readonly tag: number;
  /** Attributes by DW_AT_*. */
  readonly attributes: ReadonlyMap<number, DebugAttribute>;
  readonly children: readonly DebugEntry[];
  /** The entry that this one is a child of. */
  readonly parent: DebugEntry | undefined;
}

export interface DebugUnit {
  readonly version: number;
  readonly addressBytes: number;
  readonly root: DebugEntry;
}

/** The sections of one module, and the offsets to which labels in `.debug_info` resolve. */
export interface DebugInfoSections {
  readonly info: Uint8Array;
  readonly abbreviations: Uint8Array;
  readonly strings: Uint8Array;
  readonly lineStrings: Uint8Array;
  /** See FormContext. */
  readonly offsetAt: (at: number) => number | undefined;
}

/** Limit of nested entries. */
const MAX_LEVELS = 256;

export function readDebugUnits(sections: DebugInfoSections): Result<readonly DebugUnit[]> {
  return decoding(() => {
    const reader = new ByteReader(sections.info);
    const tables = new Map<number, ReadonlyMap<number, EntryKind>>();
    const left = { attributes: 4 * sections.info.length, tableBytes: 4 * sections.abbreviations.length };
    const kindsAt = (offset: number): ReadonlyMap<number, EntryKind> => {
      let kinds = tables.get(offset);
      if (kinds !== undefined) return kinds;
      kinds = readEntryKinds(sections.abbreviations, offset);
      // The work is bounded, because overlapping tables could take quadratic time.
      for (const { attributes } of kinds.values()) left.tableBytes -= 3 + 2 * attributes.length;
      if (left.tableBytes < 0) malformed("limit", offset, "tables of abbreviations that overlap");
      tables.set(offset, kinds);
      return kinds;
    };
    const units: DebugUnit[] = [];
    while (reader.remaining > 0) {
      const unit = readUnit(reader, sections, kindsAt, left);
      if (unit !== undefined) units.push(unit);
    }
    return units;
  });
}

/** Undefined for a unit without entries. */
function readUnit(
  reader: ByteReader,
  sections: DebugInfoSections,
  kindsAt: (offset: number) => ReadonlyMap<number, EntryKind>,
  left: { attributes: number },
): DebugUnit | undefined {
  const unitStart = reader.position;
  const size = reader.u32("length of a unit");
  if (size >= 0xffff_fff0) malformed("unsupported", unitStart, "a unit of 64-bit DWARF");
  const body = reader.window(size, "unit");
  const version = body.u16("version of a unit");
  if (version < 2 || version > 5) malformed("unsupported", unitStart, `a unit of DWARF version ${version}`);
  const isNew = version === 5;
  // Only DW_UT_compile: other units have longer headers.
  if (isNew && body.u8("type of a unit") !== 1)
    malformed("unsupported", unitStart, "a unit that is not a compilation unit");
  const early = isNew ? body.u8("size of an address") : 0;
  const tableAt = sections.offsetAt(body.position);
  const written = body.u32("offset of abbreviations");
  const addressBytes = isNew ? early : body.u8("size of an address");
  const context: FormContext = { ...sections, version, addressBytes, unitStart };
  const root = readEntries(body, kindsAt(tableAt ?? written), context, left);
  return root && { version, addressBytes, root };
}

interface OpenEntry extends DebugEntry {
  readonly children: DebugEntry[];
}

/** Reads the first entry with its descendants; entries after its end are ignored. */
function readEntries(
  reader: ByteReader,
  kinds: ReadonlyMap<number, EntryKind>,
  context: FormContext,
  left: { attributes: number },
): DebugEntry | undefined {
  let root: OpenEntry | undefined;
  const open: OpenEntry[] = [];
  while (reader.remaining > 0) {
    const offset = reader.position;
    const code = readVarU(reader, "code of an entry");
    if (code === 0) {
      open.pop();
      if (open.length === 0) return root;
      continue;
    }
    const kind = kinds.get(code);
    if (kind === undefined) malformed("malformed", offset, `an entry with the unknown abbreviation ${code}`);
    left.attributes -= kind.attributes.length;
    if (left.attributes < 0) malformed("limit", offset, "entries with more attributes than bytes");
    const parent = open.at(-1);
    const entry = { offset, tag: kind.tag, attributes: readAttributes(reader, kind, context), children: [], parent };
    root ??= entry;
    parent?.children.push(entry);
    if (kind.hasChildren) open.push(entry);
    if (open.length > MAX_LEVELS) malformed("limit", offset, `entries nested more than ${MAX_LEVELS} deep`);
    if (open.length === 0) return root;
  }
  return root;
}

function readAttributes(
  reader: ByteReader,
  { attributes }: EntryKind,
  context: FormContext,
): ReadonlyMap<number, DebugAttribute> {
  const found = new Map<number, DebugAttribute>();
  for (const { name, form, implicit } of attributes) {
    const start = reader.position;
    const content = implicit ?? readForm(reader, form, context);
    const at = content instanceof Uint8Array ? reader.position - content.length : start;
    found.set(name, { at, content });
  }
  return found;
}
