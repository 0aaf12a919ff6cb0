// JSON as a tree: what jsonc-parser's own tree says.

import fc from "fast-check";
import test from "ava";
import { parseTree, type Node, type ParseError } from "jsonc-parser";
import { rounds } from "../sample.js";
import { parseJson, type JsonNode } from "../../lib/load/json-tree.js";

interface Plain {
  readonly type: string;
  readonly at: readonly [offset: number, length: number];
  readonly value: unknown;
  readonly children: readonly Plain[];
}

const plain = ({ type, offset, length, value, children = [] }: JsonNode | Node): Plain => ({
  type,
  at: [offset, length],
  value,
  children: [...children].map(plain),
});

const options = { disallowComments: true, allowEmptyContent: false };

test("any document gives the tree that jsonc-parser makes, however often it is read", (t) => {
  const numbers = fc.array(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })));
  const value = fc.oneof(numbers, fc.jsonValue(), fc.record({ a: numbers, b: fc.tuple(numbers, fc.jsonValue()) }));
  fc.assert(
    fc.property(value, fc.constantFrom("", " ", "\t", "  "), (document, indent) => {
      const text = ` ${JSON.stringify(document, undefined, indent)}\n`;
      const { root, errors } = parseJson(text);
      t.deepEqual(errors, []);
      const expected = plain(parseTree(text, [], options)!);
      t.deepEqual(plain(root!), expected);
      t.deepEqual(plain(root!), expected);
    }),
    { seed: 1, numRuns: rounds(300, 4) },
  );
});

test("numbers before and after other text, and in every form", (t) => {
  for (const text of [
    "[1, -2.5e+3, 0E-1, 12, [3, 4], 5]",
    '[1, "2", 3]',
    "[[], [1], [1, null], [true, 1]]",
    "[1,2]",
    "7",
    '{"a": 1, "b": [1,\n2 ,3], "c": {"d": [9]}}',
  ])
    t.deepEqual(plain(parseJson(text).root!), plain(parseTree(text, [], options)!), text);
});

test("invalid JSON has jsonc-parser's errors", (t) => {
  for (const text of [
    "",
    "[1, 2",
    "[1 2]",
    '{"a": }',
    '{"a" 1}',
    "[1,]",
    "[1] 2",
    "[1, // x\n2]",
    "nul",
    "]",
    '["\\x"]',
    "[01]",
    "[1e]",
  ]) {
    const errors: ParseError[] = [];
    parseTree(text, errors, options);
    t.deepEqual([...parseJson(text).errors], errors, text);
    t.true(errors.length > 0, text);
  }
});
