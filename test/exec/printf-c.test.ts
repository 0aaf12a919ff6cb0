// Every conversion of printf, with flags, widths, precisions and lengths, compared with C's: testdata/exec/printf.txt
// is the output of testdata/exec/printf.c. If gcc is installed, the program is run again.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { formatPrintf } from "../../lib/exec/system/printf.js";
import { installed, requirement, testWith } from "../tools.js";

interface Case {
  readonly kind: "i" | "l" | "d" | "s";
  readonly stars: readonly number[];
  /** The argument's bits. */
  readonly bits: bigint;
  readonly format: string;
}

let state = 1;
const random = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return (state >>> 8) % below;
};
const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;

const doubleBits = (x: number): bigint => new BigUint64Array(Float64Array.of(x).buffer)[0]!;

const integers = [
  0n,
  1n,
  -1n,
  7n,
  -8n,
  42n,
  255n,
  256n,
  65535n,
  -32768n,
  2147483647n,
  -2147483648n,
  4294967295n,
  1234567890123n,
  -(2n ** 63n),
  2n ** 63n - 1n,
];
const doubles = [
  0,
  -0,
  1,
  -1,
  0.5,
  1.5,
  2.5,
  -2.5,
  0.1,
  9.995,
  99.95,
  999999.5,
  9999995,
  1e5,
  1e6,
  123456789,
  1e15,
  1e16,
  1e17,
  1e21,
  1e22,
  1e23,
  1.7e308,
  5e-324,
  2.2250738585072014e-308,
  1e-4,
  1e-5,
  9.9999e-5,
  0.00012345,
  1e-10,
  3.141592653589793,
  -2.718281828459045e-7,
  0.203125,
  8.5,
  0.045,
  1234.5678,
  Infinity,
  -Infinity,
  NaN,
];

function makeCase(): Case {
  const flags = ["-", "+", " ", "#", "0"].filter(() => random(3) === 0).join("");
  const stars: number[] = [];
  const part = (values: readonly number[]): string => {
    if (random(5) !== 0) return String(pick(values));
    stars.push(pick(values) * (random(4) === 0 ? -1 : 1));
    return "*";
  };
  const width = random(2) === 0 ? part([1, 3, 8, 12, 25]) : "";
  const precision = random(2) === 0 ? `.${random(6) === 0 ? "" : part([0, 1, 2, 3, 6, 10, 17, 30])}` : "";
  const conversion = pick([..."diouxXdiuxfFeEgGaAfegcsp"]);
  const format = (length: string): string => `<%${flags}${width}${precision}${length}${conversion}>`;
  if ("sc".includes(conversion)) {
    const kind = conversion === "s" ? "s" : "i";
    return { kind, stars, bits: BigInt(33 + random(90)), format: format("") };
  }
  if (conversion === "p") return { kind: "l", stars: [], bits: BigInt(1 + random(1 << 20)), format: "<%p>" };
  if ("fFeEgGaA".includes(conversion)) return { kind: "d", stars, bits: doubleBits(pick(doubles)), format: format("") };
  const length = pick(["", "", "hh", "h", "l", "ll", "z", "j", "t"]);
  const isLong = length !== "" && !length.startsWith("h");
  return {
    kind: isLong ? "l" : "i",
    stars,
    bits: BigInt.asUintN(isLong ? 64 : 32, pick(integers)),
    format: format(length),
  };
}

/** Where rounding of %#g carries into one more digit, glibc 2.36 omits the zeros that `#` requires. */
const isGlibcsOwn = ({ format, bits }: Case): boolean => /#.*[gG]/.test(format) && carriers.has(bits);
const carriers = new Set([999999.5, 9999995, 99.95, 9.995, 9.9999e-5].map(doubleBits));

const cases = Array.from({ length: 4000 }, makeCase).filter((each) => !isGlibcsOwn(each));
const RECORD = "testdata/exec/printf.txt";

function print({ kind, stars, bits, format }: Case): string {
  const block = new DataView(new ArrayBuffer(64));
  let offset = 0;
  const put = (bytes: 4 | 8, value: bigint): void => {
    offset = Math.ceil(offset / bytes) * bytes;
    if (bytes === 4) block.setUint32(offset, Number(BigInt.asUintN(32, value)), true);
    else block.setBigUint64(offset, BigInt.asUintN(64, value), true);
    offset += bytes;
  };
  for (const star of stars) put(4, BigInt(star));
  put(kind === "i" ? 4 : 8, bits);
  return formatPrintf(format, {
    read: (at, bytes) => new DataView(block.buffer, at, bytes),
    string: () => "wonderful",
    pointerBytes: 8,
  }).text;
}

function askC(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-printf-"));
  try {
    const program = join(folder, "printf");
    execFileSync("gcc", ["-O1", "-w", "-o", program, "testdata/exec/printf.c"]);
    const input = cases.map(({ kind, stars, bits, format }) =>
      [kind, stars.length, ...stars, bits.toString(16), format].join(" "),
    );
    return execFileSync(program, { input: `${input.join("\n")}\n`, encoding: "latin1" })
      .split("\n")
      .slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The forms of pointers and hexadecimal floats are those of glibc. */
const { glibcVersionRuntime } = (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header;
const needs = [requirement(glibcVersionRuntime !== undefined, "the C library is not glibc"), installed("gcc")];
if (process.env["PTXKIT_UPDATE"] === "1" && needs.every(({ isMet }) => isMet))
  writeFileSync(RECORD, `${askC().join("\n")}\n`);
const expected = readFileSync(RECORD, "latin1").split("\n").slice(0, -1);

const wrong = (answers: readonly string[]): readonly string[] =>
  cases.flatMap((each, i) => {
    const found = print(each);
    return found === answers[i]
      ? []
      : [`${each.format} of ${each.stars.join()} ${each.bits.toString(16)}: ${found}, not ${answers[i]}`];
  });

test("thousands of conversions print what C prints", (t) => {
  t.is(expected.length, cases.length);
  t.deepEqual(wrong(expected).slice(0, 20), []);
});

testWith(...needs)("the C library here prints what is recorded", (t) => {
  t.deepEqual(askC(), expected);
});
