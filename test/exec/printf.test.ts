// Conversions of printf, compared with the C library's.

import test from "ava";
import { formatPrintf } from "../../lib/exec/system/printf.js";

type Value = number | bigint | { readonly double: number };

/** An argument block in nvcc's layout. */
function block(values: readonly Value[]): DataView {
  const view = new DataView(new ArrayBuffer(256));
  let offset = 0;
  for (const value of values) {
    const bytes = typeof value === "number" ? 4 : 8;
    offset = Math.ceil(offset / bytes) * bytes;
    if (typeof value === "number") view.setInt32(offset, value, true);
    else if (typeof value === "bigint") view.setBigInt64(offset, BigInt.asIntN(64, value), true);
    else view.setFloat64(offset, value.double, true);
    offset += bytes;
  }
  return view;
}

const print = (format: string, ...values: readonly Value[]): string => {
  const view = block(values);
  return formatPrintf(format, {
    read: (offset, bytes) => new DataView(view.buffer, offset, bytes),
    string: (address) => `<${address}>`,
    pointerBytes: 8,
  }).text;
};

const d = (double: number): Value => ({ double });

const rows: readonly (readonly [expected: string, format: string, ...values: Value[]])[] = [
  ["-5 5 ffffffff FF 0xff 17", "%d %u %x %X %#x %o", -5, 5, -1, 255, 255, 15],
  ["   42|42   |00042|+42| 42", "%5d|%-5d|%05d|%+d|% d", 42, 42, 42, 42, 42],
  ["  007|-0x1|", "%5.3d|-%#.1x|%.0d", 7, 1, 0],
  ["a%b", "a%%b"],
  ["c=A.", "c=%c.", 65],
  ["   3|2.50", "%*d|%.*f", 4, 3, 2, d(2.5)],
  ["3   |", "%*d|", -4, 3],
  ["1234567890123 ffffffffffffffff", "%lld %llx", 1234567890123n, -1n],
  ["-1 255 -1", "%hhd %hhu %hd", 255, 255, 65535],
  ["0x7f00 (nil)", "%p %p", 0x7f00n, 0n],
  ["<4096>|<40|  <4096>", "%s|%.3s|%8s", 4096n, 4096n, 4096n],
  ["3.141593 3.14 3 3.", "%f %.2f %.0f %#.0f", d(Math.PI), d(Math.PI), d(Math.PI), d(Math.PI)],
  ["1.000000e+00 1e+100 1.5E-07", "%e %g %.1E", d(1), d(1e100), d(1.5e-7)],
  ["100000 1e+06 0.0001 1e-05 0", "%g %g %g %g %g", d(100000), d(1000000), d(0.0001), d(0.00001), d(0)],
  ["0.5 2 2 -0.000000", "%.1f %.0f %.0f %f", d(0.45 + 0.05), d(1.5), d(2.5), d(-0)],
  ["nan inf -inf   INF", "%f %f %e %5F", d(NaN), d(Infinity), d(-Infinity), d(Infinity)],
  ["0x1p+0 0x1.8p+1 0x0p+0 0x1.ap-3 0x1.ap-3", "%a %a %a %a %.1a", d(1), d(3), d(0), d(0.203125), d(0.203125)],
  ["99999999999999991611392.000000", "%f", d(1e23)],
  ["-0003.5", "%07.1f", d(-3.5)],
  ["%y and %", "%y and %"],
];

for (const [expected, format, ...values] of rows) {
  test(`${format} prints ${expected}`, (t) => {
    t.is(print(format, ...values), expected);
  });
}

test("the answer counts the arguments taken, widths from arguments among them", (t) => {
  const view = block([4, 3]);
  const printed = formatPrintf("%*d%%", {
    read: (offset, bytes) => new DataView(view.buffer, offset, bytes),
    string: () => "",
    pointerBytes: 8,
  });
  t.is(printed.count, 2);
});
