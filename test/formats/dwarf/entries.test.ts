// Entries, locations and ranges of DWARF in bytes made here: forms of values, limits, and malformed bytes.

import test from "ava";
import {
  AT,
  OP,
  readDebugUnits,
  readExpression,
  readRangeList,
  TAG,
  type DebugEntry,
} from "../../../formats/dwarf/index.js";

const bytes = (...parts: readonly (number | string | readonly number[])[]): number[] =>
  parts.flatMap((part) =>
    typeof part === "string" ? [...Buffer.from(part), 0] : typeof part === "number" ? [part] : part,
  );
const u32 = (value: number): number[] => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];

interface Given {
  readonly version?: number;
  readonly strings?: readonly number[];
  readonly offsetAt?: (at: number) => number | undefined;
}

/** A unit with those entries and one abbreviation table. */
function unitOf(abbreviations: readonly number[], entries: readonly number[], given: Given = {}) {
  const { version = 2, strings = [], offsetAt = () => undefined } = given;
  const body = version === 5 ? bytes(5, 0, 1, 8, u32(0), entries) : bytes(version, 0, u32(0), 8, entries);
  return readDebugUnits({
    info: Uint8Array.from(bytes(u32(body.length), body)),
    abbreviations: Uint8Array.from(abbreviations),
    strings: Uint8Array.from(strings),
    lineStrings: Uint8Array.from(bytes("line")),
    offsetAt,
  });
}

function rootOf(...given: Parameters<typeof unitOf>): DebugEntry {
  const units = unitOf(...given);
  if (!units.ok) throw new Error(units.error.what);
  return units.value[0]!.root;
}

const why = (...given: Parameters<typeof unitOf>): string => {
  const units = unitOf(...given);
  return units.ok ? "read" : `${units.error.code}: ${units.error.what}`;
};

test("each form of a value is read", (t) => {
  /** By form: the bytes of the value, and the value. */
  const forms: readonly (readonly [number, readonly number[], bigint | string | readonly number[]])[] = [
    [0x01, [1, 2, 0, 0, 0, 0, 0, 0x80], 0x8000000000000201n],
    [0x03, [2, 0, 7, 8], [7, 8]],
    [0x04, [1, 0, 0, 0, 9], [9]],
    [0x05, [1, 2], 0x201n],
    [0x06, [1, 0, 0, 0x80], 0x80000001n],
    [0x07, [1, 0, 0, 0, 0, 0, 0, 1], 0x100000000000001n],
    [0x08, bytes("name"), "name"],
    [0x09, [0x81, 0, 5], [5]],
    [0x0a, [2, 3, 4], [3, 4]],
    [0x0b, [200], 200n],
    [0x0c, [1], 1n],
    [0x0d, [0x7f], -1n],
    [0x0e, u32(2), "text"],
    [0x0f, [0xe5, 0x8e, 0x26], 624485n],
    [0x10, [11, 0, 0, 0, 0, 0, 0, 0], 11n],
    [0x11, [12], 12n],
    [0x12, [12, 1], 268n],
    [0x13, u32(12), 12n],
    [0x14, [12, 0, 0, 0, 0, 0, 0, 0], 12n],
    [0x15, [0x80, 1], 128n],
    [0x17, u32(99), 99n],
    [0x18, [1, 0x9c], [0x9c]],
    [0x19, [], 1n],
    [0x1e, Array.from({ length: 16 }, (_, i) => i), Array.from({ length: 16 }, (_, i) => i)],
    [0x1f, u32(0), "line"],
    [0x20, [1, 0, 0, 0, 0, 0, 0, 0], 1n],
  ];
  for (const [form, written, expected] of forms) {
    const root = rootOf(bytes(1, TAG.variable, 0, AT.name, form, 0, 0, 0), bytes(1, written), {
      strings: bytes("a", "text"),
    });
    const { content } = root.attributes.get(AT.name)!;
    t.deepEqual(content instanceof Uint8Array ? [...content] : content, expected, `form 0x${form.toString(16)}`);
  }
});

test("entries are trees; labels replace offsets, and values may be in the table", (t) => {
  const abbreviations = bytes(
    [1, TAG.unit, 1, AT.name, 0x08, 0, 0],
    [2, TAG.variable, 0, AT.constValue, 0x21, 0x7e, AT.location, 0x06, 0, 0],
    [3, TAG.lexicalBlock, 1, 0, 0],
    0,
  );
  const entries = bytes(1, "u", 3, 2, u32(0), 0, 2, u32(0), 0);
  const labelled = 11 + 3 + 1 + 1;
  const root = rootOf(abbreviations, entries, { offsetAt: (at) => (at === labelled ? 77 : undefined) });
  t.is(root.tag, TAG.unit);
  t.deepEqual(
    root.children.map(({ tag, children }) => [tag, children.length]),
    [
      [TAG.lexicalBlock, 1],
      [TAG.variable, 0],
    ],
  );
  const inner = root.children[0]!.children[0]!;
  t.is(inner.parent, root.children[0]);
  t.is(inner.attributes.get(AT.constValue)!.content, -2n);
  t.deepEqual(inner.attributes.get(AT.location), { at: labelled, content: 77n });
  t.is(root.children[1]!.attributes.get(AT.location)!.content, 0n);
  const newer = rootOf(bytes(1, TAG.unit, 0, AT.name, 0x08, 0, 0, 0), bytes(1, "five"), { version: 5 });
  t.is(newer.attributes.get(AT.name)!.content, "five");
});

test("malformed entries are errors, and nothing allocates more than its bytes justify", (t) => {
  const kinds = bytes(1, TAG.unit, 1, AT.name, 0x0b, 0, 0, 0);
  t.is(why(kinds, bytes(1, 5)), "read");
  t.is(why(kinds, bytes(2)), "malformed: an entry with the unknown abbreviation 2");
  t.is(why(kinds, bytes(1)), "truncated: value of an attribute: 1 bytes needed, 0 left");
  t.is(why(bytes(1, TAG.unit, 0, AT.name, 0x7e, 0, 0, 0), bytes(1)), "unsupported: a value of form 0x7e");
  t.is(why(kinds, bytes(1, 5), { version: 6 }), "unsupported: a unit of DWARF version 6");
  t.is(why(bytes(kinds.slice(0, -1), kinds), bytes(1, 5)), "malformed: abbreviation 1 is defined twice");
  t.regex(
    why(
      kinds,
      Array.from({ length: 600 }, () => 1),
    ),
    /^limit: entries nested more than 256 deep$/,
  );
  // A hundred attributes without bytes, in each of a thousand one-byte entries.
  const flags = Array.from({ length: 100 }, () => [AT.artificial, 0x19]).flat();
  const free = bytes(1, TAG.unit, 1, 0, 0, 2, TAG.variable, 0, flags, 0, 0, 0);
  t.regex(why(free, bytes(1, ...Array.from({ length: 1000 }, () => 2))), /^limit: entries with more attributes/);
});

test("location expressions are operations, up to the first unknown one", (t) => {
  const read = (...expression: number[]) => {
    const operations = readExpression(Uint8Array.from(expression), 8);
    return operations.ok
      ? operations.value.map(({ code, operands }) => [code, ...operands.map(Number)])
      : operations.error.what;
  };
  t.deepEqual(read(OP.addr, 1, 0, 0, 0, 0, 0, 0, 0, OP.plusUconst, 8), [
    [OP.addr, 1],
    [OP.plusUconst, 8],
  ]);
  // nvcc's %r2.
  t.deepEqual(read(OP.regx, 178, 228, 149, 1), [[OP.regx, 0x257232]]);
  t.deepEqual(read(OP.bregx, 1, 0x7c, OP.const1u + 1, 0xff, OP.stackValue), [
    [OP.bregx, 1, -4],
    [OP.const1u + 1, -1],
    [OP.stackValue],
  ]);
  t.deepEqual(read(OP.implicitValue, 1, 7), [[OP.implicitValue]]);
  t.is(read(0x93, 4), "operation 0x93 of a location");
  t.is(read(OP.addr, 1), "operand: 8 bytes needed, 1 left");
});

test("range lists end at two zeros that are not relocated", (t) => {
  const zeros = Array.from({ length: 8 }, () => 0);
  const list = Uint8Array.from(bytes(zeros, zeros, 1, 0, 0x30, zeros, zeros, 0, 0, zeros, zeros));
  const read = (offset: number, labels: readonly number[]) =>
    readRangeList(list, { offset, addressBytes: 8, hasExpressions: true, isLabel: (at) => labels.includes(at) });
  const found = read(0, [0, 27]);
  t.deepEqual(found.ok && found.value.map(({ begin, end, expression }) => [begin.at, end.at, ...expression]), [
    [0, 8, 0x30],
    [19, 27],
  ]);
  t.false(read(0, [0, 27, 37]).ok);
  t.false(read(1000, []).ok);
});
