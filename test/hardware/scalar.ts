// Scalar operations and atomics: each record is a few instructions, executed in a kernel of their own on the recorded
// operands. testdata/hardware/h200/scalar/README.md describes the records.

import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { Device } from "../../lib/exec/device/interface.js";
import { deviceOfModule } from "../exec/kernel.js";
import type { Outcome, Suite, SuiteOptions } from "./suite.js";

interface ScalarRecord {
  readonly op: string;
  readonly class: "exact" | "approx" | "quirk";
  readonly ptx: string;
  readonly in: readonly string[];
  readonly out: readonly string[];
  readonly n: number;
  readonly operands: readonly string[];
  readonly results: readonly string[];
}

const HEADER = ".version 9.0\n.target sm_90a\n.address_size 64\n";
/** Threads of a block; `shm` has 32 bytes for each. */
const BLOCK = 128;
const SCRATCH_BYTES = 32;
/** Number of records whose kernels form one module. */
const BATCH = 24;

/** A column's n values, with the same number of hexadecimal digits each. */
function columnOf(text: string, n: number): BigUint64Array {
  const digits = text.length / n;
  return BigUint64Array.from({ length: n }, (_, i) => BigInt(`0x${text.slice(i * digits, (i + 1) * digits)}`));
}

/** 16-bit floats are words, 8-bit types have 32 bits. */
function registerOf(type: string): "f32" | "f64" | "b16" | "b32" | "b64" {
  if (type === "f32" || type === "f64") return type;
  const [, bits, count = "1"] = /(\d+)(?:x(\d))?$/.exec(type)!;
  const width = Number(bits) * Number(count);
  return width === 64 ? "b64" : width === 16 ? "b16" : "b32";
}

const take = {
  f32: (a: string) => `cvt.u32.u64 t9, q9; mov.b32 ${a}, t9;`,
  f64: (a: string) => `mov.b64 ${a}, q9;`,
  b64: (a: string) => `mov.b64 ${a}, q9;`,
  b32: (a: string) => `cvt.u32.u64 ${a}, q9;`,
  b16: (a: string) => `cvt.u16.u64 ${a}, q9;`,
};
const give = {
  f32: (d: string) => `mov.b32 t9, ${d}; cvt.u64.u32 q9, t9;`,
  f64: (d: string) => `mov.b64 q9, ${d};`,
  b64: (d: string) => `mov.b64 q9, ${d};`,
  b32: (d: string) => `cvt.u64.u32 q9, ${d};`,
  b16: (d: string) => `cvt.u64.u16 q9, ${d};`,
};

/** Kernel (in, out, scratch, n): operands and results are consecutive columns of n 64-bit words. */
function kernelOf(record: ScalarRecord): string {
  const memory = /\bs[ch]\b/.test(record.ptx);
  const [operands, results] = [record.in.map(registerOf), record.out.map(registerOf)];
  return `.visible .entry ${record.op}(.param .u64 pi, .param .u64 po, .param .u64 ps, .param .u32 pn) {
    .reg .pred p0, p1, done; .reg .b32 t<10>, k, n, sh; .reg .b64 q<10>, pin, pout, sc, ad, st; .reg .b16 h<10>; .reg .f32 f<10>;
    ${memory ? `.shared .align 16 .b8 shm_${record.op}[${SCRATCH_BYTES * BLOCK}];` : ""}
    ${operands.map((register, i) => `.reg .${register} a${i};`).join(" ")}
    ${results.map((register, i) => `.reg .${register} d${i};`).join(" ")}
    mov.u32 t0, %tid.x; mov.u32 k, %ctaid.x; mad.lo.u32 k, k, ${BLOCK}, t0;
    ld.param.u32 n, [pn]; setp.ge.u32 done, k, n; @done bra DONE;
    ld.param.u64 pin, [pi]; ld.param.u64 pout, [po]; mul.wide.u32 ad, k, 8; add.u64 pin, pin, ad; add.u64 pout, pout, ad; mul.wide.u32 st, n, 8;
    ${memory ? `ld.param.u64 sc, [ps]; mul.wide.u32 q9, k, ${SCRATCH_BYTES}; add.u64 sc, sc, q9; mov.u32 sh, shm_${record.op}; shl.b32 t0, t0, 5; add.u32 sh, sh, t0;` : ""}
    ${operands.map((register, i) => `ld.global.b64 q9, [pin]; add.u64 pin, pin, st; ${take[register](`a${i}`)}`).join("\n    ")}
    ${record.ptx}
    ${results.map((register, i) => `${give[register](`d${i}`)} st.global.b64 [pout], q9; add.u64 pout, pout, st;`).join("\n    ")}
    DONE: ret;
  }\n`;
}

const concatenated = (columns: readonly BigUint64Array[], n: number): BigUint64Array => {
  const all = new BigUint64Array(n * columns.length);
  columns.forEach((column, i) => all.set(column, n * i));
  return all;
};

/** Result of one engine: how many values are equal, and the first that is not. */
async function compareOn(
  device: Device,
  engine: "reference" | "fast",
  record: ScalarRecord,
): Promise<{ readonly equal: number; readonly difference?: string }> {
  const { op, n } = record;
  const operands = record.operands.map((text) => columnOf(text, n));
  const expected = record.results.map((text) => columnOf(text, n));
  const input = device.alloc(concatenated(operands, n));
  const output = device.alloc(8 * n * expected.length);
  const scratch = device.alloc(SCRATCH_BYTES * n);
  const result = await device.launch(op, {
    grid: Math.ceil(n / BLOCK),
    block: BLOCK,
    args: [input, output, scratch, { u32: n }],
    engine,
  });
  const found = device.read(output, new BigUint64Array(n * expected.length));
  for (const buffer of [input, output, scratch]) device.free(buffer);
  if (result.fault !== undefined) return { equal: 0, difference: `${engine}: ${result.fault.message}` };
  let [equal, difference]: [number, string | undefined] = [0, undefined];
  expected.forEach((column, j) =>
    column.forEach((value, row) => {
      const actual = found[n * j + row]!;
      if (actual === value) return void equal++;
      const hex = (bits: bigint): string => bits.toString(16);
      difference ??= `${engine}: ${operands.map((each) => hex(each[row]!)).join(" ")} gives d${j} ${hex(actual)}, recorded ${hex(value)}`;
    }),
  );
  return difference === undefined ? { equal } : { equal, difference };
}

async function outcomeOf(
  record: ScalarRecord,
  device: Device | string,
  engines: SuiteOptions["engines"],
): Promise<Outcome> {
  const about = { name: record.op, ...(record.class === "quirk" && { optional: true }) };
  const compared = record.n * record.out.length * engines.length;
  if (typeof device === "string") return { ...about, compared, equal: 0, difference: device };
  let [equal, difference]: [number, string | undefined] = [0, undefined];
  for (const engine of engines) {
    const one = await compareOn(device, engine, record).catch((error: unknown) => ({
      equal: 0,
      difference: error instanceof Error ? error.message : String(error),
    }));
    equal += one.equal;
    difference ??= one.difference;
  }
  return difference === undefined ? { ...about, compared, equal } : { ...about, compared, equal, difference };
}

/** A device with the kernels of these records, or the error. The fast engine compiles everything. */
function deviceFor(records: readonly ScalarRecord[]): Device | string {
  try {
    return deviceOfModule(HEADER + records.map(kernelOf).join(""), { hotAfter: 0 });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function* run({ folder, engines, filter, every }: SuiteOptions): AsyncIterable<Outcome> {
  const lines = gunzipSync(readFileSync(path.join(folder, "records.jsonl.gz")))
    .toString("latin1")
    .trimEnd()
    .split("\n");
  const records = lines
    .filter((_, i) => i % every === 0)
    .map((line) => JSON.parse(line) as ScalarRecord)
    .filter(({ op }) => op.includes(filter));
  for (let from = 0; from < records.length; from += BATCH) {
    const batch = records.slice(from, from + BATCH);
    const together = deviceFor(batch);
    for (const record of batch) {
      // An error of one record must not affect the others.
      const device = typeof together === "string" ? deviceFor([record]) : together;
      yield await outcomeOf(record, device, engines);
    }
  }
}

export const scalar: Suite = { name: "scalar", title: "scalar instructions, conversions, atomics", run };
