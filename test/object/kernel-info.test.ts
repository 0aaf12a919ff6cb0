// Attributes of functions that exceed one record of .nv.info.

import test from "ava";
import { need } from "../../formats/bytes/malformed.js";
import { decodeInfo, EIATTR, readInfo } from "../../formats/cuda/index.js";
import { createCodeAttributes } from "../../lib/object/columns/write/code-attributes.js";

test("undefined functions that are called have as many attributes as they need, and there are none without", (t) => {
  for (const count of [0, 1, 16383, 16384, 40000]) {
    const externs = Array.from({ length: count }, (_, i) => i + 1);
    const records = need(readInfo(createCodeAttributes()(0, externs)));
    t.is(records.length, Math.ceil(count / 16383));
    const symbols = records.flatMap((record) => {
      t.is(record.attribute, EIATTR.EXTERNS);
      const { payload } = decodeInfo(record);
      return payload.kind === "symbols" ? payload.symbols : [];
    });
    t.deepEqual(symbols, externs);
  }
});
