// Offsets of kernel parameters in the constant bank, compared with a record of ptxas (testdata/oracle/parameters.mjs),
// in objects and images.

import test from "ava";
import { readFileSync } from "node:fs";
import { need } from "../../formats/bytes/malformed.js";
import { readElf, sectionNamed, symbolsOf } from "../../formats/elf/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/file/write.js";
import { attributeFacts } from "../oracle/attribute-facts.js";
import { check } from "./pipeline.js";

interface Recorded {
  readonly command: string;
  readonly cases: readonly { readonly text: string; readonly facts: readonly string[] }[];
}

const record = JSON.parse(
  readFileSync(new URL("../../../testdata/oracle/parameters.json", import.meta.url), "utf8"),
) as Recorded;

function factsOf(bytes: Uint8Array): readonly string[] {
  const file = need(readElf(bytes));
  const table = need(symbolsOf(file, sectionNamed(file, ".symtab")!));
  const symbols = Array.from({ length: table.count }, (_, i) => table.at(i));
  return attributeFacts(file, symbols)
    .map(([, attribute, value]) => `0x${attribute.toString(16)} ${value}`)
    .sort();
}

test("attributes of parameters equal ptxas's", (t) => {
  for (const { text, facts } of record.cases) {
    const object = assemble(check(Buffer.from(text)));
    t.deepEqual(factsOf(writeObject(object)), facts, text);
    t.deepEqual(factsOf(writeObject(linkObjects([object], {}, createSink())!)), facts, text);
  }
  t.true(record.cases.length > 100);
});

test("a parameter section has the length of its parameters and what precedes them", (t) => {
  for (const { text, facts } of record.cases) {
    const file = need(readElf(writeObject(assemble(check(Buffer.from(text))))));
    const bank = facts.find((fact) => fact.startsWith("0xa ")) ?? "0xa . 0 0";
    const [, , base, bytes] = bank.split(" ");
    const { size } = sectionNamed(file, ".nv.constant0.k")!;
    // The recorded field has 16 bits, whatever the size.
    const told = (Number(size) - Number(base)) % 2 ** 16;
    if (bank !== "0xa . 0 0") t.is(told, Number(bytes), text);
  }
});
