// Joins DWARF units of several modules with common abbreviations, from bytes written here: kinds of entries, references
// to entries that move, and errors. debug-text.test.ts tests whole texts.

import test from "ava";
import { decoding } from "../../formats/bytes/malformed.js";
import { mayNameEntries } from "../../lib/object/dwarf/dwarf-expressions.js";
import { checkLocations } from "../../lib/object/dwarf/dwarf-tables.js";
import { joinUnits, type JoinedUnit } from "../../lib/object/dwarf/dwarf-units.js";

/** A unit of DWARF 2 with an entry for each code. */
const unitOf = (codes: readonly number[], abbrev = 0): Uint8Array =>
  Uint8Array.from([7 + codes.length, 0, 0, 0, 2, 0, abbrev, 0, 0, 0, 8, ...codes]);

test("abbreviations are declared once", (t) => {
  const shapes = (from: number, count: number): readonly number[] => [
    ...Array.from({ length: count }, (_, i) => [i + 1, from + i, 0, 0, 0]).flat(),
    0,
  ];
  const codes = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);
  const join = (first: readonly number[], second: readonly number[], unused: readonly number[] = []) => {
    const front = shapes(1, first.length);
    const parts = [unitOf(first), unitOf(second, front.length)];
    const abbrev = Uint8Array.from([...front, ...shapes(3, second.length + unused.length)]);
    return joinUnits(parts.map((info) => ({ info, numberOf: (file: number) => file })), abbrev); // prettier-ignore
  };
  const joined = join(codes(4), codes(3), [4]);
  t.true(joined.ok);
  if (!joined.ok) return;
  // Tags 1 to 4, then 3 to 5.
  t.deepEqual(joined.value.infos.map(({ info }) => [...info.slice(11)]), [[1, 2, 3, 4], [3, 4, 5]]); // prettier-ignore
  t.deepEqual([...joined.value.abbrev], shapes(1, 5));
});

/** A unit's bytes after its edits. */
function edited({ info, edits, moved }: JoinedUnit): Uint8Array {
  const bytes: number[] = [];
  let from = 0;
  for (const edit of edits) {
    bytes.push(...info.subarray(from, edit.at), ...edit.bytes);
    from = edit.at + edit.length;
  }
  bytes.push(...info.subarray(from));
  return Uint8Array.from({ length: moved(info.length) }, (_, i) => bytes[i]!);
}

test("entries of more than 127 abbreviations get longer, and references to them follow", (t) => {
  // Each module has an abbreviation that refers to an entry by ref4, then some with a tag and a flag.
  const table = (from: number, count: number): readonly number[] => [
    ...[1, 46, 0, 73, 0x13, 0, 0],
    ...Array.from({ length: count }, (_, i) => [
      2 + i,
      1 + ((from + i) % 100),
      from + i < 100 ? 0 : 1,
      3,
      12,
      0,
      0,
    ]).flat(),
    0,
  ];
  const unit = (count: number, abbrev: number): Uint8Array => {
    const last = 11 + 5 + 2 * (count - 1);
    const entries = [1, last, 0, 0, 0, ...Array.from({ length: count }, (_, i) => [2 + i, i]).flat()];
    const bytes = Uint8Array.from([0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 8, ...entries]);
    new DataView(bytes.buffer).setUint32(0, bytes.length - 4, true);
    new DataView(bytes.buffer).setUint32(6, abbrev, true);
    return bytes;
  };
  const first = table(0, 100);
  const abbrev = Uint8Array.from([...first, ...table(0x50, 60)]);
  const parts = [unit(100, 0), unit(60, first.length)].map((info) => ({ info, numberOf: (file: number) => file }));
  const joined = joinUnits(parts, abbrev);
  if (!joined.ok) return t.fail(joined.error.what);
  const [one, two] = joined.value.infos.map(edited);
  // 101 abbreviations and 40 new ones: codes from 128 on have two bytes.
  t.is(one!.length, parts[0]!.info.length);
  t.is(two!.length, parts[1]!.info.length + 101 + 40 - 127);
  const view = new DataView(two!.buffer);
  t.is(view.getUint32(0, true), two!.length - 4);
  const target = view.getUint32(12, true);
  t.deepEqual([...two!.subarray(target)], [13 | 128, 1, 59]); // prettier-ignore
  t.is(joined.value.infos[1]!.moved(parts[1]!.info.length - 2), target);
});

test("expressions that may refer to entries are refused where entries move", (t) => {
  const expressions: readonly (readonly [boolean, readonly number[]])[] = [
    [false, [0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0x23, 0x80, 1]],
    [false, [0x90, 0xb3, 0xe4, 0x95, 1]],
    [false, [0x9e, 2, 0x99, 0x99, 0x9f, 0x08, 0x98, 0x92, 1, 0x7f, 0x30, 0x70, 1]],
    [true, [0x30, 0x98, 0, 0]],
    [true, [0xf2]],
  ];
  for (const [names, bytes] of expressions) t.is(mayNameEntries(Uint8Array.from(bytes), 8), names, bytes.join());
});

test("location lists that may refer to entries are refused, those of registers and addresses are not", (t) => {
  const address = (value: bigint): readonly number[] => [...new Uint8Array(BigUint64Array.of(value).buffer)];
  const list = (begin: bigint, end: bigint, ...expression: readonly number[]): readonly number[] => [
    ...address(begin),
    ...address(end),
    expression.length,
    0,
    ...expression,
  ];
  const end = [...address(0n), ...address(0n)];
  const refused = (bytes: readonly number[], places: readonly number[] = []): string => {
    const checked = decoding(() => checkLocations(Uint8Array.from(bytes), (at) => places.includes(at)));
    return checked.ok ? "" : checked.error.code;
  };
  const base = [...address(0xffff_ffff_ffff_ffffn), ...address(16n)];
  t.is(refused([...list(0n, 8n, 0x90, 0xb3, 0x01), ...base, ...list(8n, 16n, 0x50), ...end, ...list(0n, 4n, 0x9f), ...end]), ""); // prettier-ignore
  // DW_OP_call2.
  t.is(refused([...list(0n, 8n, 0x98, 4, 0), ...end]), "unsupported");
  // Labels that are 0 here do not end a list.
  t.is(refused([...list(0n, 0n, 0x98, 4, 0), ...end]), "truncated");
  t.is(refused([...list(0n, 0n, 0x98, 4, 0), ...end], [0, 8]), "unsupported");
});

test("units that are truncated or of another kind are refused", (t) => {
  const abbrev = Uint8Array.from([1, 46, 0, 58, 11, 0, 0, 0]);
  const whole = Uint8Array.from([9, 0, 0, 0, 2, 0, 0, 0, 0, 0, 8, 1, 7]);
  const join = (info: Uint8Array) => joinUnits([{ info, numberOf: () => 8 }], abbrev);
  const joined = join(whole);
  t.deepEqual(joined.ok ? joined.value.infos[0]!.info.at(-1) : undefined, 8);
  for (let size = 1; size < whole.length; size++) t.false(join(whole.slice(0, size)).ok, String(size));
  for (const [at, value] of [
    [4, 1],
    [4, 6],
    [4, 5],
    [6, 9],
    [11, 2],
    [0, 8],
  ] as const)
    // prettier-ignore
    t.false(join(whole.with(at, value)).ok, `${at}`);
  t.false(join(Uint8Array.from([255, 255, 255, 255, 0, 0, 0, 0])).ok);
  // A longer form would put the first of two bytes there.
  const padded = Uint8Array.from([1, 46, 0, 58, 0x8b, 0, 0, 0, 0]);
  const tight = joinUnits([{ info: whole, numberOf: () => 300 }], padded);
  t.is(tight.ok ? "" : tight.error.code, "unsupported");
  // Overlapping tables could be read again and again.
  const nested = joinUnits(
    [unitOf([1]), unitOf([1], 5)].map((info) => ({ info, numberOf: () => 8 })),
    Uint8Array.from([2, 46, 0, 0, 0, 1, 46, 0, 0, 0, 0]),
  );
  t.is(nested.ok ? "" : nested.error.code, "limit");
});
