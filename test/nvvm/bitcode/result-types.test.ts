// Result types that bitcode omits. A wrong index is reported with its cause.

import test from "ava";
import { elementPointerType, partAt } from "../../../lib/nvvm/bitcode/result-types.js";
import { createTypes } from "../../../lib/nvvm/ir/type-table.js";

test("an index that no part of a type has says why", (t) => {
  const types = createTypes();
  const word = types.integer(32);
  const pair = types.struct([word, word]);
  t.is(partAt(pair, [1], 0), word);
  t.throws(() => partAt(pair, [2], 0), { message: /index 2 is past the end of the aggregate/ });
  t.throws(() => partAt(word, [0], 0), { message: /neither an array nor a structure/ });
  const base = types.pointer(0, pair);
  const nothing = { kind: "undefined", type: word } as never;
  t.throws(() => elementPointerType(types, pair, base, [nothing, nothing], 0), {
    message: /the index of a structure's field is not a constant/,
  });
});
