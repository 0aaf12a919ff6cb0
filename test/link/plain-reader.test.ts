// The reader of objects in WebAssembly: its numbers are those of the tables, which its compiler cannot read; it goes on after files that
// it leaves; and what is in it is what the other linker makes of the same files (plain.test.ts and plain-damaged.test.ts).

import test from "ava";
import { EIATTR, EIFMT, R_CUDA } from "../../formats/cuda/index.js";
import { MAX_FILE_ALIGNMENT } from "../../formats/elf/draft.js";
import { ELF_HEADER_SIZE } from "../../formats/elf/header.js";
import { SHF, SHN, SHT, SHT_CUDA, STT } from "../../formats/elf/constants.table.js";
import { createNameReader, createNameRows } from "../../lib/link/plain/names/names.js";
import { INSIDE, LETTER, SIGN } from "../../lib/link/plain/read/declared-rules.js";
import { openPlain } from "../../lib/link/plain/read/frame.js";
import { createReaderMemory } from "../../lib/link/plain/read/reader-memory.js";
import { HAS_SCOPE, INITIALISED, IS_ENTRY, IS_UNIFIED, ROLE } from "../../lib/link/plain/tables/codes.js";
import { unlessNotPlain } from "../../lib/link/plain/tables/cursor.js";
import { COMMON, FACT, KIND, LINKAGE, SPACE } from "../../lib/link/plain/tables/tables.js";
import { textOf } from "../../lib/link/plain/tables/texts.js";
import { fileOf } from "./both-linkers.js";
import { moduleText } from "./build.js";

/** What the names of the reader's numbers begin with, and where those are without it. */
const tables: readonly (readonly [front: string, table: Readonly<Record<string, number>>])[] = [
  ["SHT_CUDA_", SHT_CUDA],
  ["SHT_", SHT],
  ["SHF_", SHF],
  ["SHN_", SHN],
  ["STT_", STT],
  ["EIATTR_", EIATTR],
  ["EIFMT_", EIFMT],
  ["R_CUDA_", R_CUDA],
  ["KIND_", { VARIABLE: KIND.variable, FUNCTION: KIND.function, REFERENCE: KIND.reference }],
  ["LINKAGE_", { COMMON: LINKAGE.common, EXTERN: LINKAGE.extern }],
  ["SPACE_", { GLOBAL: SPACE.global, CONST: SPACE.const, SHARED: SPACE.shared }],
  [
    "ROLE_",
    {
      TEXT: ROLE.text,
      GLOBAL: ROLE.global,
      CONSTANT: ROLE.constant,
      MODULE_SHARED: ROLE.moduleShared,
      SHARED: ROLE.shared,
    },
  ],
  ["FACT_", { BLOCK_Z: FACT.blockZ, MATRICES: FACT.matrices }],
  [
    "",
    { ELF_HEADER_SIZE, MAX_FILE_ALIGNMENT, INITIALISED, HAS_SCOPE, IS_UNIFIED, IS_ENTRY, COMMON, LETTER, SIGN, INSIDE },
  ],
];

/** Numbers of its own, and those of docs/format.md ("Sections", "Declarations") that stand in no table. */
const own = ["NAMES", "STRINGS", "SYMBOLS", "NOTE", "MAGIC", "IS_TOLD", "IS_TYPE", "HAS_SIZE"];

test("the reader's numbers are those of the tables", (t) => {
  const { names } = createReaderMemory();
  const constants = Object.entries(names).filter(([name]) => /^[A-Z][A-Z\d_]*$/.test(name) && !own.includes(name));
  t.true(constants.length > 40);
  for (const [name, { value }] of constants) {
    const [front, table] = tables.find(([front]) => name.startsWith(front))!;
    t.is(value | 0, table[name.slice(front.length)]! | 0, name);
  }
});

test("after a file that it leaves, the reader of names has nothing of it", (t) => {
  const rows = createNameRows();
  const read = createNameReader(rows);
  const good = fileOf(moduleText(".visible .global .u32 a;\n.visible .func f() { ret; }"), 0);
  // Its last symbol declares a kind that there is none of.
  const other = fileOf(moduleText(".visible .global .u32 b;\n.extern .global .u32 c;"), 1);
  const names = ({ start, end }: { readonly start: number; readonly end: number }): readonly string[] =>
    Array.from(rows.name.subarray(start, end), (id) => textOf(rows.texts, id));
  t.deepEqual([...names(read(openPlain(good)))].sort(), ["a", "f"]);
  let left = 0;
  for (let at = 64; at < other.length; at++) {
    const spoilt = other.slice();
    spoilt[at] = 0xff;
    const before = rows.count;
    const found = unlessNotPlain(() => read(openPlain(spoilt)));
    if (found !== undefined) continue;
    left++;
    t.is(rows.count, before);
    const { targets, ...range } = read(openPlain(good));
    t.deepEqual([...names(range)].sort(), ["a", "f"]);
    t.is(targets.length, 1);
  }
  t.true(left > 100);
});

test("texts and shapes that need more room than there was keep their places", (t) => {
  const names = Array.from({ length: 5000 }, (_, i) => `variable_with_a_long_name_${i}`);
  const body = names.map((name, i) => `.visible .global .align 4 .b8 ${name}[${i + 1}];`).join("\n");
  const rows = createNameRows();
  const read = createNameReader(rows);
  for (const file of [fileOf(moduleText(".visible .global .u32 a;"), 0), fileOf(moduleText(body), 1)])
    read(openPlain(file));
  const found = Array.from(rows.name.subarray(0, rows.count), (id) => textOf(rows.texts, id));
  t.deepEqual(found.toSorted(), ["a", ...names].toSorted());
});

test("what is UTF-8 to the reader is UTF-8 to a decoder of text", (t) => {
  const { functions, columns } = createReaderMemory();
  const room = columns.bytes(16);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const isText = (bytes: Uint8Array): boolean => {
    try {
      decoder.decode(bytes);
      return true;
    } catch {
      return false;
    }
  };
  const edges = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff]; // prettier-ignore
  const agree = (bytes: Uint8Array): boolean => {
    room.set(bytes);
    return (functions.isUtf8(room.byteOffset, bytes.length) !== 0) === isText(bytes);
  };
  for (const a of edges)
    for (const b of edges)
      for (const c of edges) {
        for (const d of [0x41, 0x80, 0xbf, 0xc2]) t.true(agree(Uint8Array.of(a, b, c, d)), [a, b, c, d].join(" "));
        t.true(agree(Uint8Array.of(a, b, c)), [a, b, c].join(" "));
      }
});

test("what is beyond the reader's memory leaves the plain link, and nothing else", (t) => {
  const { reserve, columns } = createReaderMemory();
  t.is(
    unlessNotPlain(() => reserve(2 ** 31 - 1)),
    undefined,
  );
  t.is(
    unlessNotPlain(() => columns.words(2 ** 29)),
    undefined,
  );
  t.deepEqual([...columns.words(3)], [0, 0, 0]);
});
