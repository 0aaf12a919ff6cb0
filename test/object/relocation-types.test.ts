// docs/format.md lists the relocation types of our files, and the columns of the table are consistent.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "ava";
import { ADDRESSES, RELOCATIONS, type AddressName } from "../../formats/cuda/index.js";
import {
  BYTE_OF,
  IMAGE_TYPE,
  isHolderType,
  LINKED_BYTE,
  narrowType,
  WHOLE,
  writtenValue,
} from "../../lib/object/relocation-types.js";

const page = readFileSync(fileURLToPath(new URL("../../../docs/format.md", import.meta.url)), "utf8");

/** The types in the first column of the page's table. */
function listed(): readonly number[] {
  const rows = page
    .split("## Relocations\n")[1]!
    .split("\n## ")[0]!
    .matchAll(/^\| ([\d, –]+) +\|/gm);
  return [...rows].flatMap(([, cell]) =>
    cell!.split(",").flatMap((range) => {
      const [first, last = first] = range.split("–").map(Number);
      return Array.from({ length: last! - first! + 1 }, (_, i) => first! + i);
    }),
  );
}

test("docs/format.md lists the types of our files", (t) => {
  const own = RELOCATIONS.map(({ value }) => value).filter(isHolderType);
  t.deepEqual(
    listed().toSorted((a, b) => a - b),
    own.toSorted((a, b) => a - b),
  );
});

test("each address has a type for 64 bits, 32 bits and each byte, and so has what replaces it in images", (t) => {
  for (const name of Object.keys(ADDRESSES) as readonly AddressName[]) {
    const rows = RELOCATIONS.filter(({ writes }) => writes === name);
    const [word] = rows.filter(({ fields }) => fields[0]![1] === 64);
    const [half] = rows.filter(({ fields }) => fields[0]![1] === 32);
    t.is(narrowType(word!.value), half!.value);
    t.is(rows.length, 10, name);
    for (const { value } of rows) {
      t.is(narrowType(IMAGE_TYPE[value]!), IMAGE_TYPE[narrowType(value)]!);
      t.is(BYTE_OF[IMAGE_TYPE[value]!]!, BYTE_OF[value]!);
      t.is(LINKED_BYTE[value]!, ADDRESSES[name].isLinked ? BYTE_OF[value]! : -1);
    }
  }
});

test("a type writes the address or one byte of it", (t) => {
  for (const { value, writes, shift } of RELOCATIONS.filter((row) => row.writes !== undefined)) {
    const byte = BYTE_OF[value]!;
    t.is(
      writtenValue(value, 0x1_0203_0405_0607_0809n),
      byte === WHOLE ? 0x0203_0405_0607_0809n : BigInt(9 - byte),
      writes,
    );
    t.is(byte === WHOLE ? 0 : 8 * byte, shift);
  }
});
