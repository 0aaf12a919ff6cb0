// Attributes of functions, calls and their arguments (PARAMATTR_GROUP_BLOCK_ID, PARAMATTR_BLOCK_ID): groups, each for one
// position, and lists of groups that functions and calls refer to by number.

import type { BitCursor, BitRecord } from "../../../formats/bitstream/index.js";
import { malformed } from "../../../formats/bytes/malformed.js";
import type { Attribute } from "../ir/global.js";
import { attributeNames, oldAttributeBits } from "./attributes.table.js";
import { eachRecord, field, fieldText, signedField, typeAt, type AttributeList, type ModuleState } from "./state.js";

const RESULT = 0;
const FUNCTION = 0xffffffff;
/** Positions of arguments begin at 1; PTX has no more than this many. */
const MOST_ARGUMENTS = 2 ** 16;

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

function groupOf(record: BitRecord, state: ModuleState): readonly Attribute[] {
  const { values, start, end } = record;
  const attributes: Attribute[] = [];
  let at = 2;
  const next = (what: string): number => field(record, at++, what);
  const signed = (what: string): bigint => signedField(record, at++, what);
  const nameOf = (number: number): string => attributeNames[number] ?? `attribute${number}`;
  const text = (): string => {
    const zero = values.indexOf(0, at);
    if (zero < 0) malformed("malformed", start, "a string attribute without an end");
    const from = at;
    at = zero + 1;
    return fieldText(record, from, zero);
  };
  const range = (bits: number): string => {
    if (bits <= 64) return `${signed("lower bound")}, ${signed("upper bound")}`;
    const words = next("words");
    at += (words % 2 ** 32) + Math.floor(words / 2 ** 32);
    return "";
  };
  while (at < values.length) {
    const form = next("form");
    switch (form) {
      case kind.word:
        attributes.push({ name: nameOf(next("kind")), start, end });
        break;
      case kind.number:
        attributes.push(numbered(nameOf(next("kind")), next("value"), start, end));
        break;
      case kind.string:
        attributes.push({ name: text(), text: "", start, end });
        break;
      case kind.stringValue:
        attributes.push({ name: text(), text: text(), start, end });
        break;
      case kind.typeless:
        attributes.push({ name: nameOf(next("kind")), start, end });
        break;
      case kind.type:
        attributes.push({ name: nameOf(next("kind")), type: typeAt(state, next("type"), start), start, end });
        break;
      case kind.range: {
        const name = nameOf(next("kind"));
        const bits = next("bits");
        attributes.push({ name, value: `i${bits} ${range(bits)}`, start, end });
        break;
      }
      case kind.ranges: {
        const name = nameOf(next("kind"));
        const count = next("count");
        const bits = next("bits");
        const parts: string[] = [];
        for (let i = 0; i < count && at < values.length; i++) parts.push(`(${range(bits)})`);
        attributes.push({ name, value: parts.join(", "), start, end });
        break;
      }
      default:
        malformed("unsupported", start, `unknown form ${form} of attribute`);
    }
  }
  return attributes;
}

/** `memory`, a word for each kind of memory in two bits, is put as text; nothing depends on it. */
const numbered = (name: string, value: number, start: number, end: number): Attribute =>
  name === "memory" || name === "nofpclass" || name === "captures" || name === "allockind" || Number.isNaN(value)
    ? { name, value: `${value}`, start, end }
    : { name, value, start, end };

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
  else if (position > MOST_ARGUMENTS) malformed("out-of-range", offset, `attributes of argument ${position}`);
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

/** The list of a record's number, which is one more than its position; 0 is none. */
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
