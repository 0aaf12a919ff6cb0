// Reads the entries of `.debug_info` in an ELF file (DWARF 2 section 7.5; 32-bit units), without what linkers may
// choose: offsets, abbreviation codes, lengths of numbers, file numbers. A reference is the number of the entry in its
// unit; a file is its path in the unit's line program.

import { sectionNamed, type ElfFile } from "../../formats/elf/index.js";
import { lineProgramAt } from "./line-program.js";

const AT = { stmtList: 0x10, declFile: 0x3a } as const;
/** Forms of numbers by their size, and others. */
const NUMBERS: Readonly<Record<number, number>> = { 0x01: 8, 0x0b: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x0c: 1 };
const FORM = { string: 0x08, udata: 0x0f, ref4: 0x13 } as const;

export interface Abbreviation {
  readonly tag: number;
  readonly attributes: readonly (readonly [name: number, form: number])[];
}

type Value = number | string | { readonly to: number };

interface Entry {
  /** From the unit's start. */
  readonly offset: number;
  readonly tag: number;
  readonly values: readonly (readonly [name: number, value: Value])[];
}

interface Cursor {
  u8(): number;
  number(bytes: number): number;
  leb(): number;
  text(): string;
  at: number;
}

/** By unit, each entry as `TAG NAME=VALUE NAME=VALUE`, numbers in hexadecimal; the end of a list of children is `end`. */
export function entryFactsOf(file: ElfFile): readonly (readonly string[])[] {
  const part = (name: string): Uint8Array => sectionNamed(file, name)?.data ?? new Uint8Array();
  const [info, abbrev, lines] = [part(".debug_info"), part(".debug_abbrev"), part(".debug_line")];
  const units: (readonly string[])[] = [];
  for (let at = 0; at < info.length;) {
    const head = cursorAt(info, at);
    const end = at + 4 + head.number(4);
    head.number(2);
    const table = abbreviationsAt(abbrev, head.number(4));
    head.u8();
    units.push(factsOf(entriesOf(head, at, end, table), lines));
    at = end;
  }
  return units;
}

function entriesOf(cursor: Cursor, unit: number, end: number, table: ReadonlyMap<number, Abbreviation>): Entry[] {
  const entries: Entry[] = [];
  while (cursor.at < end) {
    const offset = cursor.at - unit;
    const code = cursor.leb();
    if (code === 0) {
      entries.push({ offset, tag: 0, values: [] });
      continue;
    }
    const { tag, attributes } = table.get(code)!;
    entries.push({ offset, tag, values: attributes.map(([name, form]) => [name, valueAt(cursor, form)]) });
  }
  return entries;
}

function factsOf(entries: readonly Entry[], lines: Uint8Array): readonly string[] {
  const numberAt = new Map(entries.map(({ offset }, i) => [offset, i]));
  const program = entries[0]!.values.find(([name]) => name === AT.stmtList)?.[1];
  const files = typeof program === "number" ? lineProgramAt(lines, program).files : [];
  const textOf = (name: number, value: Value): string => {
    if (name === AT.stmtList) return "lines";
    if (name === AT.declFile) return files[Number(value) - 1] ?? `no file ${String(value)}`;
    return typeof value === "object" ? `entry ${numberAt.get(value.to) ?? "none"}` : value.toString(16);
  };
  return entries.map(({ tag, values }) =>
    tag === 0 ? "end" : [tag.toString(16), ...values.map(([n, v]) => `${n.toString(16)}=${textOf(n, v)}`)].join(" "),
  );
}

/** By code. */
export function abbreviationsAt(data: Uint8Array, at: number): ReadonlyMap<number, Abbreviation> {
  const cursor = cursorAt(data, at);
  const table = new Map<number, Abbreviation>();
  for (let code = cursor.leb(); code !== 0; code = cursor.leb()) {
    const tag = cursor.leb();
    cursor.u8();
    const attributes: [number, number][] = [];
    for (;;) {
      const [name, form] = [cursor.leb(), cursor.leb()];
      if (name === 0 && form === 0) break;
      attributes.push([name, form]);
    }
    table.set(code, { tag, attributes });
  }
  return table;
}

function valueAt(cursor: Cursor, form: number): Value {
  if (form === FORM.string) return cursor.text();
  if (form === FORM.udata) return cursor.leb();
  if (form === FORM.ref4) return { to: cursor.number(4) };
  const bytes = NUMBERS[form];
  if (bytes === undefined) throw new Error(`form 0x${form.toString(16)}`);
  return cursor.number(bytes);
}

function cursorAt(data: Uint8Array, begin: number): Cursor {
  const cursor: Cursor = {
    at: begin,
    u8: () => {
      if (cursor.at >= data.length) throw new Error(`nothing at ${cursor.at}`);
      return data[cursor.at++]!;
    },
    number: (bytes) => {
      let value = 0;
      for (let i = 0; i < bytes; i++) value += cursor.u8() * 2 ** (8 * i);
      return value;
    },
    leb: () => {
      for (let value = 0, shift = 0; ; shift += 7) {
        const byte = cursor.u8();
        value += (byte & 127) * 2 ** shift;
        if (byte < 128) return value;
      }
    },
    text: () => {
      const from = cursor.at;
      while (cursor.u8() !== 0);
      return Buffer.from(data.subarray(from, cursor.at - 1)).toString();
    },
  };
  return cursor;
}
