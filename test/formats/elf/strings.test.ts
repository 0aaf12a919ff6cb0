// String tables: a name is cut out of the decoded table only where that gives the same as decoding the name.
import test from "ava";
import fc from "fast-check";
import { stringTable, stringTableBuilder } from "../../../formats/elf/index.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** NUL bytes and parts of UTF-8, complete and incomplete. */
const bytes = fc
  .array(
    fc.constantFrom([0], [0x61], [0x62, 0x63], [0xc3, 0xa9], [0xc3], [0xe2, 0x82], [0xef, 0xbb, 0xbf], [0xf0, 0x9f]),
    { maxLength: 40 },
  )
  .map((pieces) => Uint8Array.from(pieces.flat()));

test("a name at any offset of any bytes ends at the next NUL byte, and is decoded by itself", (t) => {
  fc.assert(
    fc.property(bytes, (table) => {
      const strings = stringTable(table);
      for (let offset = 0; offset <= table.length; offset++) {
        const end = table.indexOf(0, offset);
        t.is(strings.at(offset), end < 0 ? undefined : decoder.decode(table.subarray(offset, end)));
      }
    }),
  );
});

test("strings of a builder are read at the offsets that it returned, and equal strings share one", (t) => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"))), (texts) => {
      const builder = stringTableBuilder();
      const offsets = texts.map((text) => builder.add(text));
      const strings = stringTable(builder.bytes());
      t.deepEqual(
        offsets.map((offset) => strings.at(offset)),
        texts.map((text) => decoder.decode(new TextEncoder().encode(text))),
      );
      t.is(new Set(offsets).size, new Set(texts).size);
    }),
  );
});
