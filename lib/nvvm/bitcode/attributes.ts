// Attributes of functions, calls and their arguments (PARAMATTR_GROUP_BLOCK_ID, PARAMATTR_BLOCK_ID): groups, each for one
// position, and lists of groups to which functions and calls refer by number.

import type { BitCursor, BitRecord } from "../../../formats/bitstream/index.js";
import { malformed } from "../../../formats/bytes/malformed.js";
import type { Attribute } from "../ir/global.js";
import { attributeNames, oldAttributeBits } from "./attributes.table.js";
import { eachRecord, field, fieldText, signedField, typeAt, type AttributeList, type ModuleState } from "./state.js";

const RESULT = 0;
const FUNCTION = 0xffffffff;
/** Positions of arguments begin at 1; PTX has no more than this many. */
const MAX_ARGUMENTS = 2 ** 16;

const GROUP_ENTRY = 3;
const LIST_ENTRY_OLD = 1;
const LIST_ENTRY = 2;

/** Kinds of attribute in a group. */
const kind = { word: 0, number: 1, string: 3, stringValue: 4, typeless: 5, type: 6, range: 7, ranges: 8 } as const;

export interface AttributeGroup {
  readonly position: number;
  readonly attributes: readonly Attribute[];
}

const noAttributes: AttributeList = { function: [], result: [], arguments: [] };

export function readGroups(cursor: BitCursor, state: ModuleState, groups: Map<number, AttributeGroup>): void {
  eachRecord(cursor, (record) => {
    if (record.code !== GROUP_ENTRY) return;
    const id = field(record, 0, "group");
    groups.set(id, { position: field(record, 1, "position"), attributes: groupOf(record, state) });
  });
}

/** A group's record, read from its third field to its last. */
interface GroupReader {
  readonly record: BitRecord;
  readonly state: ModuleState;
  at: number;
}

const next = (reader: GroupReader, what: string): number => field(reader.record, reader.at++, what);
const nextName = (reader: GroupReader): string => {
  const number = next(reader, "kind");
  return attributeNames[number] ?? `attribute${number}`;
};

/** Reads NUL-terminated text. */
function nextText(reader: GroupReader): string {
  const { record, at } = reader;
  const zero = record.values.indexOf(0, at);
  if (zero < 0) malformed("malformed", record.start, "a string attribute without an end");
  reader.at = zero + 1;
  return fieldText(record, at, zero);
}

function nextRange(reader: GroupReader, bits: number): string {
  const bound = (what: string): bigint => signedField(reader.record, reader.at++, what);
  if (bits <= 64) return `${bound("lower bound")}, ${bound("upper bound")}`;
  const words = next(reader, "words");
  reader.at += (words % 2 ** 32) + Math.floor(words / 2 ** 32);
  return "";
}

function nextRanges(reader: GroupReader): string {
  const count = next(reader, "count");
  const bits = next(reader, "bits");
  const parts: string[] = [];
  for (let i = 0; i < count && reader.at < reader.record.values.length; i++) parts.push(`(${nextRange(reader, bits)})`);
  return parts.join(", ");
}

type Form = (reader: GroupReader) => Pick<Attribute, "name" | "value" | "text" | "type">;

/** Readers of the fields after each form's number. */
const forms: ReadonlyMap<number, Form> = new Map<number, Form>([
  [kind.word, (reader) => ({ name: nextName(reader) })],
  [kind.number, (reader) => numbered(nextName(reader), next(reader, "value"))],
  [kind.string, (reader) => ({ name: nextText(reader), text: "" })],
  [kind.stringValue, (reader) => ({ name: nextText(reader), text: nextText(reader) })],
  [kind.typeless, (reader) => ({ name: nextName(reader) })],
  [
    kind.type,
    (reader) => ({ name: nextName(reader), type: typeAt(reader.state, next(reader, "type"), reader.record.start) }),
  ],
  [
    kind.range,
    (reader) => {
      const name = nextName(reader);
      const bits = next(reader, "bits");
      return { name, value: `i${bits} ${nextRange(reader, bits)}` };
    },
  ],
  [kind.ranges, (reader) => ({ name: nextName(reader), value: nextRanges(reader) })],
]);

function groupOf(record: BitRecord, state: ModuleState): readonly Attribute[] {
  const { start, end } = record;
  const attributes: Attribute[] = [];
  const reader: GroupReader = { record, state, at: 2 };
  while (reader.at < record.values.length) {
    const number = next(reader, "form");
    const form = forms.get(number) ?? malformed("unsupported", start, `unknown form ${number} of attribute`);
    attributes.push({ ...form(reader), start, end });
  }
  return attributes;
}

/** `memory` has two bits for each kind of memory. It is kept as text; nothing depends on it. */
const numbered = (name: string, value: number): ReturnType<Form> =>
  name === "memory" || name === "nofpclass" || name === "captures" || name === "allockind" || Number.isNaN(value)
    ? { name, value: `${value}` }
    : { name, value };

export function readLists(cursor: BitCursor, state: ModuleState, groups: ReadonlyMap<number, AttributeGroup>): void {
  eachRecord(cursor, (record) => {
    if (record.code === LIST_ENTRY) state.attributes.push(listOf(record, groups));
    else if (record.code === LIST_ENTRY_OLD) state.attributes.push(oldList(record));
  });
}

interface OpenList {
  function: readonly Attribute[];
  result: readonly Attribute[];
  readonly arguments: (readonly Attribute[] | undefined)[];
}

function place(list: OpenList, position: number, attributes: readonly Attribute[], offset: number): void {
  if (position === RESULT) list.result = [...list.result, ...attributes];
  else if (position === FUNCTION) list.function = [...list.function, ...attributes];
  else if (position > MAX_ARGUMENTS) malformed("out-of-range", offset, `attributes of argument ${position}`);
  else list.arguments[position - 1] = attributes;
}

function listOf(record: BitRecord, groups: ReadonlyMap<number, AttributeGroup>): AttributeList {
  const list: OpenList = { function: [], result: [], arguments: [] };
  for (const id of record.values) {
    const group = groups.get(id);
    if (group === undefined) return malformed("out-of-range", record.start, `unknown group ${id} of attributes`);
    place(list, group.position, group.attributes, record.start);
  }
  return list;
}

function oldList(record: BitRecord): AttributeList {
  const { start, end } = record;
  const list: OpenList = { function: [], result: [], arguments: [] };
  for (let i = 0; i + 1 < record.values.length; i += 2) {
    const bits = record.values[i + 1]!;
    const attributes: Attribute[] = [];
    oldAttributeBits.forEach((name, bit) => {
      if (name !== undefined && (bits >>> bit) & 1) attributes.push({ name, start, end });
    });
    const align = Math.floor(bits / 2 ** 16) % 32;
    if (align > 0) attributes.push({ name: "align", value: 2 ** (align - 1), start, end });
    place(list, record.values[i]!, attributes, start);
  }
  return list;
}

/** The list with a record's number, which is its position plus one; 0 is the empty list. */
export function attributesAt(state: ModuleState, number: number, offset: number): AttributeList {
  if (number === 0) return noAttributes;
  const list = state.attributes[number - 1];
  if (list === undefined) return malformed("out-of-range", offset, `unknown list ${number} of attributes`);
  return list;
}

const none: readonly Attribute[] = [];

/** One list for each of `count` arguments. */
export function argumentLists(list: AttributeList, count: number): readonly (readonly Attribute[])[] {
  const lists: (readonly Attribute[])[] = [];
  for (let i = 0; i < count; i++) lists.push(list.arguments[i] ?? none);
  return lists;
}
