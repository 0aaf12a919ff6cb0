// Single values of the approximations of an H200; test/hardware/approx.test.ts compares samples of the records.

import { readFileSync } from "node:fs";
import test from "ava";
import * as approx from "../../../lib/base/num/approx.js";
import { truncatedSquare } from "../../../lib/base/num/mufu.js";
import { mufuTables, type MufuTable } from "../../../lib/base/num/mufu-tables.table.js";

type Unary = (x: number) => number;

const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, "0");

/** Rows of an argument and the result of each function, in hexadecimal. */
function holds(name: string, functions: readonly Unary[], rows: string): void {
  test(name, (t) => {
    for (const row of rows.trim().split("\n")) {
      const [argument, ...results] = row.trim().split(/\s+/);
      const bits = parseInt(argument!, 16) | 0;
      t.deepEqual(
        functions.map((fn) => hex(fn(bits))),
        results,
        argument,
      );
    }
  });
}

holds(
  "rcp, rsqrt, sqrt and lg2, without .ftz and with it",
  [
    approx.rcpApproxF32,
    approx.rcpApproxFtzF32,
    approx.rsqrtApproxF32,
    approx.rsqrtApproxFtzF32,
    approx.sqrtApproxF32,
    approx.sqrtApproxFtzF32,
    approx.lg2ApproxF32,
    approx.lg2ApproxFtzF32,
  ],
  `
  00000001 7f800000 7f800000 64b504f2 7f800000 1a3504f3 00000000 c3150000 ff800000
  007fffff 7e800001 7f800000 5f000000 7f800000 1fffffff 00000000 c2fc0000 ff800000
  80000001 ff800000 ff800000 7fffffff ff800000 7fffffff 80000000 7fffffff ff800000
  00800000 7e800000 7e800000 5f000000 5f000000 20000000 20000000 c2fbffff c2fbffff
  40000000 3f000000 3f000000 3f3504f2 3f3504f2 3fb504f3 3fb504f3 3f800000 3f800000
  7f7fffff 00200000 00000000 1f800000 1f800000 5f7fffff 5f7fffff 42ffffff 42ffffff
  00000000 7f800000 7f800000 7f800000 7f800000 00000000 00000000 ff800000 ff800000
  80000000 ff800000 ff800000 ff800000 ff800000 80000000 80000000 ff800000 ff800000
  7f800000 00000000 00000000 00000000 00000000 7f800000 7f800000 7f800000 7f800000
  ff800000 80000000 80000000 7fffffff 7fffffff 7fffffff 7fffffff 7fffffff 7fffffff
  7f800001 7fffffff 7fffffff 7fffffff 7fffffff 7fffffff 7fffffff 7fffffff 7fffffff
  ffc00000 7fffffff 7fffffff 7fffffff 7fffffff 7fffffff 7fffffff 7fffffff 7fffffff
`,
);
holds(
  "reciprocals near the ends",
  [approx.rcpApproxF32],
  `
  00200001 7f7ffff8
  7e800001 007fffff
`,
);
holds(
  "lg2 near 1 and below",
  [approx.lg2ApproxF32],
  "3f7fffff b24b4000\n3f800001 3495f600\n3f000000 bf7ffffe\n3f800000 00000000",
);
holds(
  "ex2, without .ftz and with it",
  [approx.ex2ApproxF32, approx.ex2ApproxFtzF32],
  `
  c2fc0000 00800000 00800000
  c2fc0001 007fffd3 00000000
  c3150000 00000001 00000000
  c3160000 00000000 00000000
  42ffffff 7f7fffa8 7f7fffa8
  43000000 7f800000 7f800000
  b3800000 3f800000 3f800000
  00000000 3f800000 3f800000
  ff800000 00000000 00000000
  7f800000 7f800000 7f800000
  7fc00000 7fffffff 7fffffff
`,
);
holds(
  "sin, cos and tanh",
  [approx.sinApproxF32, approx.cosApproxF32, approx.tanhApproxF32],
  `
  3f800000 3f576aa3 3f0a5141 3f42f848
  7f800000 7fffffff 7fffffff 3f800000
  ffc00001 7fffffff 7fffffff 7fffffff
  80000001 80000000 3f800000 80000001
`,
);
holds(
  "sin of pi and of a tiny angle",
  [approx.sinApproxF32],
  "40490fdb 00000000\n34000000 00000000\nb4000000 80000000",
);
holds("cos of pi", [approx.cosApproxF32], "40490fdb bf800000");
holds(
  "tanh at the ends of its tables",
  [approx.tanhApproxF32],
  "3b800000 3b800000\n40ffffff 3f7ffffc\nc1000000 bf800000",
);
holds(
  "upper words of f64",
  [approx.rcpApproxF64High, approx.rsqrtApproxF64High],
  `
  40000000 3fe00000 3fe6a09e
  40100000 3fd00000 3fe00000
  00000001 7ff00000 7ff00000
  800fffff fff00000 fff00000
  7ff00000 00000000 00000000
  fff80000 7fffffff 7fffffff
  7fe00000 00000000 1ff6a09e
  bff00000 bff00000 7fffffff
`,
);

test("quotients multiply by the reciprocal", (t) => {
  const [one, large] = [0x3f800000, 0x7f000000];
  t.is(approx.divApproxF32(one, large), 0, "beyond 2^126 the reciprocal is zero");
  t.is(approx.divFullF32(one, large), 0x00400000);
  t.is(approx.divFullFtzF32(one, large), 0);
  t.is(approx.divApproxF32(0x7f800000, large), 0x7fffffff);
  t.is(approx.divApproxF32(0x40c00000, 0x40400000), 0x40000000);
});

test(".ftz of a quotient flushes a subnormal result even if rounding would make it 2^-126", (t) => {
  // 2^-126 (1 - 2^-24) / 1, which needs no rounding.
  t.is(approx.divApproxFtzF32(0x00ffffff, 0x40000000), 0);
  t.is(approx.divApproxF32(0x00ffffff, 0x40000000), 0x00800000);
});

test("rsqrt.approx.f64 of what is not positive and normal", (t) => {
  const words = new Int32Array(4);
  const longs = new BigUint64Array(words.buffer);
  const rows: readonly (readonly [bigint, bigint])[] = [
    [0n, 0x7ff0000000000000n],
    [0x8000000000000000n, 0xfff0000000000000n],
    [0x7ff0000000000000n, 0n],
    [0xbff0000000000000n, 0xfff8000000000000n],
    [0xfff0000000000001n, 0xfff8000000000001n],
    [0x4010000000000000n, 0x3fe0000000000000n],
    [1n, 0x617fffffffffffffn],
  ];
  for (const [x, wanted] of rows) {
    longs[0] = x;
    approx.rsqrtApproxF64(words, 2, 0);
    if (x !== 1n) t.is(longs[1], wanted, x.toString(16));
  }
});

/** Every partial product of x * x from 2^19 on. */
function squareOfBits(x: number): number {
  let sum = 0;
  for (let i = 0; i < 17; i++)
    for (let j = 0; j <= i; j++) {
      const place = i + j + (i === j ? 0 : 1);
      if (((x >> i) & (x >> j) & 1) === 1 && place >= 19) sum += 2 ** (place - 19);
    }
  return sum;
}

test("the truncated square is the sum of its partial products", (t) => {
  let different = 0;
  for (let x = 0; x < 2 ** 17; x++) if (truncatedSquare(x) !== squareOfBits(x)) different++;
  t.is(different, 0);
});

test("the tables are those of the C program that expected results come from", (t) => {
  const text = readFileSync("testdata/exec/rows/mufu-tables.h", "utf8");
  for (const [name, table] of Object.entries(mufuTables.sm_90) as [string, MufuTable][]) {
    const found = new RegExp(`Table ${name.toUpperCase()} = (.*?);`, "s").exec(text)![1]!;
    const numbers = found.match(/-?\d+/g)!.map(Number);
    const { unit, c0Unit, c2Unit, bias, c0, c1, c2 } = table;
    t.deepEqual(numbers, [unit, c0Unit, c2Unit, bias, ...c0.flatMap((c, i) => [c, c1[i]!, c2[i]!])], name);
  }
});
