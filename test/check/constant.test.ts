// Constant expressions: PTX ISA 9.0 section 4.5. Each is the initial value of a .u64 (or .f64) variable.

import test from "ava";
import { check, head, symbolOf, where } from "./support.js";

function valueOf(expression: string, type = "u64"): string {
  const checked = check(`${head()}.global .${type} v = ${expression};\n`);
  if (checked.errors.length > 0) return where(checked.errors[0]!).split(" ")[0]!;
  const symbol = symbolOf(checked, "v");
  if (symbol.kind !== "variable" || symbol.initial === undefined) return "none";
  const view = new DataView(symbol.initial.bytes.buffer);
  return type === "f64" ? String(view.getFloat64(0, true)) : BigInt.asIntN(64, view.getBigUint64(0, true)).toString();
}

const integers: readonly (readonly [expression: string, value: string])[] = [
  ["0x10", "16"],
  ["017", "15"],
  ["0b101", "5"],
  ["7U", "7"],
  ["0xFFFFFFFFFFFFFFFF", "-1"],
  ["18446744073709551616", "0"],
  ["60000000000000000000", "4659767778871345152"],
  ["99999999999999999999", "constant-expression"],
  ["0x70000000000000001", "1"],
  ["0x80000000000000001", "constant-expression"],
  ["-1", "-1"],
  ["+3", "3"],
  ["!0", "1"],
  ["!5", "0"],
  ["~0", "-1"],
  ["2 + 3 * 4", "14"],
  ["(2 + 3) * 4", "20"],
  ["7 / 2", "3"],
  ["-7 / 2", "-3"],
  ["-7 / 2U", "9223372036854775804"],
  ["7 % 4", "3"],
  ["1 / 0", "constant-expression"],
  ["1 % 0", "constant-expression"],
  ["1 << 4", "16"],
  ["-16 >> 2", "-4"],
  ["0x8000000000000000 >> 63", "1"],
  ["1 << 64", "1"],
  ["3 < 4", "1"],
  ["-1 < 0U", "0"],
  ["4 <= 4", "1"],
  ["4 > 4", "0"],
  ["4 >= 4", "1"],
  ["4 == 5", "0"],
  ["4 != 5", "1"],
  ["6 & 3", "2"],
  ["(-8 | 1) / 2", "-3"],
  ["(-8 & -4) / 2", "-4"],
  ["(-8 ^ 1) >> 1", "-4"],
  ["(5U & 3) > -1", "0"],
  ["~109 >> 1", "9223372036854775753"],
  ["(1 ? -2 : 3U) / 2", "-1"],
  ["(0 ? -2 : 3U) > -1", "0"],
  ["6 ^ 3", "5"],
  ["6 | 3", "7"],
  ["2 && 0", "0"],
  ["2 || 0", "1"],
  ["1 ? 2 : 3", "2"],
  ["0 ? 2 : 3", "3"],
  ["0x7fffffffffffffff + 1", "-9223372036854775808"],
  ["(.s64) 0xFFFFFFFFFFFFFFFF < 0", "1"],
  ["WARP_SZ", "32"],
  ["1.5 < 2.5", "1"],
  ["1 + 1.0", "constant-expression"],
  ["~1.0", "constant-expression"],
  ["0f3F800000 + 0f3F800000", "syntax"],
];

for (const [expression, value] of integers) {
  test(`${expression} is ${value}`, (t) => t.is(valueOf(expression), value));
}

const floats: readonly (readonly [expression: string, value: string])[] = [
  ["1.5", "1.5"],
  ["-1.5", "-1.5"],
  ["1e3", "1000"],
  ["2.0 * 3.0 - 1.0", "5"],
  ["1.0 / 4.0", "0.25"],
  ["0d3FF8000000000000", "1.5"],
  ["-0d3FF8000000000000", "-1.5"],
  ["2.0 * 0d3FF8000000000000 + 0.5", "3.5"],
  ["1.0 + (0f3F800000)", "syntax"],
  ["1.7976931348623158e308", "1.7976931348623157e+308"],
  ["1.7976931348623159e308", "constant-expression"],
  ["2.2250738585072014e-308", "2.2250738585072014e-308"],
  ["2.225073858507201e-308", "constant-expression"],
  ["-4.9e-324", "constant-expression"],
  ["0.0e-999", "0"],
  ["1", "initializer-type"],
];

for (const [expression, value] of floats) {
  test(`${expression} as .f64 is ${value}`, (t) => t.is(valueOf(expression, "f64"), value));
}
