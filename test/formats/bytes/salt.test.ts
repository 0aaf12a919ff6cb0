// Salts of hash tables differ from each other, and use all bits of what they are multiplied with.

import test from "ava";
import { newSalt } from "../../../formats/bytes/salt.js";
import { stringTableBuilder } from "../../../formats/elf/index.js";

const salts = Array.from({ length: 1000 }, newSalt);

test("salts are 32 bits, odd, and of a large order", (t) => {
  for (const salt of salts) {
    t.is(salt | 0, salt);
    t.is(salt & 7, 5);
  }
});

test("salts are not predictable", (t) => {
  t.true(new Set(salts).size > 990);
});

test("written bytes do not depend on the salts", (t) => {
  const names = Array.from({ length: 3000 }, (_, i) => `name${i % 2500}`);
  const tables = Array.from({ length: 5 }, () => {
    const builder = stringTableBuilder();
    return { offsets: names.map((name) => builder.add(name)), bytes: Buffer.from(builder.bytes()) };
  });
  for (const table of tables) t.deepEqual(table, tables[0]!);
});
