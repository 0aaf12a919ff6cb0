// Expressions of the debugger: C's operators and PTX's types, on constants; adapter.test.ts tests names.

import test from "ava";
import { evaluateText } from "../../lib/debug/evaluate.js";
import { ExpressionError, parseExpression } from "../../lib/debug/expression.js";
import type { Scope } from "../../lib/debug/result.js";
import { arm } from "../../lib/debug/stops.js";
import { bitsOfNumber, parseValue, valueText } from "../../lib/debug/values.js";
import { dataType } from "../../lib/isa/types.table.js";

/** The expressions contain no names. */
const nowhere = {} as Scope;

function valueOf(text: string): string {
  const result = evaluateText(text, nowhere);
  if (result.kind !== "value") throw new Error(`${text} is not a value`);
  return `${valueText(result.value)} .${result.value.type.name}`;
}

test("operators bind as in C, and values have PTX's types", (t) => {
  const cases = {
    "1 + 2 * 3": "7 .s64",
    "(1 + 2) * 3 == 9 && 2 < 1 || 4 >= 4": "true .pred",
    "7 / 2": "3 .s64",
    "-7 % 4": "-3 .s64",
    "1 << 4 | 3 & 6 ^ 1": "19 .s64",
    "!0 ? 0x10 : 2": "16 .s64",
    "~0": "-1 .s64",
    "'a' + 1": "98 .s64",
    "1.5 * 2": "3 .f64",
    "0f3F800000 + 1": "2 .f32",
    "(u8)300": "44 .u8",
    "(float)1 / 3": "0.33333334 .f32",
    "(s32)0xffffffff": "-1 .s32",
    "(f32)(b32)0x40000000": "2 .f32",
    "(.f16x2)(b32)0x3c004000": "{2, 1} .f16x2",
    "2 == 2.0": "true .pred",
  };
  for (const [text, value] of Object.entries(cases)) t.is(valueOf(text), value, text);
});

test("an error in an expression is reported at its column", (t) => {
  const cases = {
    "1 +": "a value is expected at the end",
    "(1": "')' is expected at the end",
    "1 2": "'2' is one word too many",
    "1 / 0": "division by zero",
    "1.5 << 2": "'<<' takes whole numbers",
    "#": "'#' is not understood",
    "5 = 6": "this cannot be set: registers and single values in memory can",
    "&5": "only a value in memory has an address",
  };
  for (const [text, message] of Object.entries(cases))
    t.is(t.throws(() => evaluateText(text, nowhere), { instanceOf: ExpressionError }).message, message, text);
  t.throws(() => parseExpression("(".repeat(500)), { message: "the expression is nested too deeply" });
  t.throws(() => parseExpression("1+".repeat(3000)), { message: "the expression is too long" });
});

test("hit counts and log points are parsed when they are set", (t) => {
  const counts = (hitCondition: string) => [1, 2, 3, 4].filter((hits) => arm({ hitCondition }).counts!(hits));
  t.deepEqual(["3", "== 3", "> 2", "% 2", "<2"].map(counts), [[3, 4], [3], [3, 4], [2, 4], [1]]);
  t.throws(() => arm({ hitCondition: "three" }), { message: "'three' is not a hit count: 5, >= 5, == 5, % 5" });
  t.is(arm({ logMessage: "a {1 + 1} b" }).log!.length, 3);
});

test("values print as they are parsed", (t) => {
  const cases = [
    ["f32", "-1.5", "-1.5"],
    ["f32", "0f3f800000", "1"],
    ["f16", "1.5", "1.5"],
    ["s32", "-3", "-3"],
    ["u64", "18446744073709551615", "18446744073709551615 (0xffffffffffffffff)"],
    ["b32", "0x10", "16 (0x10)"],
    ["pred", "true", "true"],
    ["e4m3", "0x38", "1"],
  ] as const;
  for (const [name, written, shown] of cases) {
    const type = dataType(name)!;
    t.is(valueText({ type, bits: parseValue(type, written)! }), shown, name);
  }
  t.is(parseValue(dataType("s32")!, "1.5"), undefined);
  t.is(bitsOfNumber(dataType("u8")!, -1), 255n);
});
