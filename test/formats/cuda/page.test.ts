// docs/format.md lists every attribute of .nv.info: exactly those in our files, and the others with the reason.

import test from "ava";
import { readdirSync, readFileSync } from "node:fs";
import { need } from "../../../formats/bytes/malformed.js";
import { INFO_ATTRIBUTES, readInfo, type InfoAttribute } from "../../../formats/cuda/index.js";
import { readElf } from "../../../formats/elf/index.js";
import { createSink } from "../../../lib/diag/sink.js";
import { linkObjects } from "../../../lib/link/link-objects.js";
import { assemble } from "../../../lib/object/assemble.js";
import { writeObject } from "../../../lib/object/file/write.js";
import { check } from "../../object/pipeline.js";
import { holdPart } from "../../page.js";

const attributes: readonly InfoAttribute[] = INFO_ATTRIBUTES;
const shortName = ({ name }: InfoAttribute): string => name.replace("EIATTR_", "");
const hex = (value: number): string => `0x${value.toString(16).padStart(2, "0")}`;

test("docs/format.md gives the reason for each attribute that is not written", (t) => {
  const rows = attributes.flatMap((row) =>
    row.unwritten === undefined ? [] : [`| ${hex(row.value)} ${shortName(row)} | ${row.doc} | ${row.unwritten} |`],
  );
  const made = `\n| attribute | meaning | reason |\n| --- | --- | --- |\n${rows.join("\n")}\n\n`;
  holdPart(t, "format.md", "unwritten attributes", made);
});

test("docs/format.md describes every other attribute", (t) => {
  const page = readFileSync(new URL("../../../../docs/format.md", import.meta.url), "utf8");
  for (const row of attributes.filter(({ unwritten }) => unwritten === undefined))
    t.true(page.includes(`| ${hex(row.value)} ${shortName(row)} `), row.name);
});

test("attributes in our files are described, and each described one occurs in one of them", (t) => {
  const own = new URL("../../../../testdata/oracle/code/", import.meta.url);
  const seen = new Set<number>();
  for (const name of readdirSync(own)) {
    const object = assemble(check(readFileSync(new URL(name, own)), name));
    for (const file of [object, linkObjects([object], {}, createSink())!])
      for (const { type, data } of need(readElf(writeObject(file))).sections)
        if (type === 0x7000_0000) for (const { attribute } of need(readInfo(data))) seen.add(attribute);
  }
  const described = attributes.filter(({ unwritten }) => unwritten === undefined).map(({ value }) => value);
  t.deepEqual(
    [...seen].sort((a, b) => a - b),
    described,
  );
});
