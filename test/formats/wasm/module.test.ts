// Modules of the encoder in the host's WebAssembly engine: it accepts every instruction, and functions compute the
// right results.

import test from "ava";
import { sample } from "../../sample.js";
import { CodeWriter, encodeModule, type ValueType } from "../../../formats/wasm/index.js";
import {
  laneCodes,
  laneMemoryCodes,
  memoryCodes,
  plainCodes,
  saturatingCodes,
  simdCodes,
  type LaneMemoryName,
  type LaneName,
  type MemoryName,
  type PlainName,
} from "../../../formats/wasm/instructions.table.js";
import { webAssembly, type WasmExports } from "../../../lib/base/web-assembly.js";

const host = webAssembly!;
const memoryImport = {
  module: "m",
  name: "memory",
  kind: "memory",
  minimum: 1,
  maximum: 65536,
  shared: true,
} as const;

function run(functions: readonly CodeWriter[], imports: Readonly<Record<string, unknown>> = {}): WasmExports {
  const exports = Object.fromEntries(functions.map((_, i) => [`f${i}`, i]));
  const bytes = encodeModule({ imports: [memoryImport], functions, exports });
  const memory = new host.Memory({ initial: 1, maximum: 65536, shared: true });
  return new host.Instance(new host.Module(bytes), { m: { memory, ...imports } }).exports;
}

/** Whether a function with these operands and this result may consist of the instruction: types are found by trying. */
function isAccepted(write: (code: CodeWriter) => void, results: readonly (readonly ValueType[])[]): boolean {
  const types: readonly ValueType[] = ["i32", "i64", "f32", "f64", "v128"];
  const operands: (readonly ValueType[])[] = [[], ...types.map((type) => [type])];
  for (const a of types) for (const b of types) operands.push([a, b], [a, b, b], [a, a, b]);
  return operands.some((parameters) =>
    results.some((result) => {
      const code = new CodeWriter(parameters, result);
      parameters.forEach((_, i) => code.get(i));
      write(code);
      return host.validate(encodeModule({ imports: [memoryImport], functions: [code] }));
    }),
  );
}

const results: readonly (readonly ValueType[])[] = [[], ["i32"], ["i64"], ["f32"], ["f64"], ["v128"]];

test("the host's WebAssembly engine accepts every instruction without operands", (t) => {
  const names = [...Object.keys(plainCodes), ...Object.keys(saturatingCodes), ...Object.keys(simdCodes)];
  // Structured instructions need more around them, and relaxed SIMD may be off on this host.
  const apart = new Set(["else", "end", "return", "unreachable", "drop", "nop", "select"]);
  const wrong = sample(names, 12, { kind: (name) => name.split(".")[0]! }).filter(
    (name) =>
      !apart.has(name) && !name.includes("relaxed") && !isAccepted((code) => code.op(name as PlainName), results),
  );
  t.deepEqual(wrong, []);
});

test("it accepts every lane instruction, load and store", (t) => {
  const lanes = Object.keys(laneCodes).filter((name) => !isAccepted((code) => code.lane(name as LaneName, 1), results));
  const loads = Object.keys(memoryCodes).filter(
    (name) => !isAccepted((code) => code.memory(name as MemoryName, 300), results),
  );
  const laneLoads = Object.keys(laneMemoryCodes).filter(
    (name) => !isAccepted((code) => code.laneMemory(name as LaneMemoryName, 1, 300), results),
  );
  t.deepEqual([...lanes, ...loads, ...laneLoads], []);
});

test("constants of every size are read back unchanged", (t) => {
  const integers = [0, 1, -1, 63, 64, -64, -65, 8191, 0x7fffffff, -0x80000000];
  const functions = integers.map((value) => new CodeWriter([], ["i32"]).i32(value));
  const { length } = integers;
  const found = run(functions);
  t.deepEqual(
    Array.from({ length }, (_, i) => found[`f${i}`]!()),
    integers,
  );
  const long = run([new CodeWriter([], ["f64"]).i64(-(2n ** 53n)).op("f64.convert_i64_s")]);
  t.is(long["f0"]!(), -(2 ** 53));
  t.is(run([new CodeWriter([], ["f32"]).f32(0.1)])["f0"]!(), Math.fround(0.1));
  t.is(run([new CodeWriter([], ["f64"]).f64(-0.1)])["f0"]!(), -0.1);
  const words = new CodeWriter([], ["i32"]).v128([1, -2, 3, -4]).lane("i32x4.extract_lane", 3);
  t.is(run([words])["f0"]!(), -4);
});

test("loops, branches, tables of branches and calls", (t) => {
  // The sum of 1 to n.
  const sum = new CodeWriter(["i32"], ["i32"]);
  const total = sum.local("i32");
  sum.loop().get(total).get(0).op("i32.add").set(total);
  sum.get(0).i32(1).op("i32.sub").tee(0).brIf(0).op("end").get(total);
  const pick = new CodeWriter(["i32"], ["i32"]);
  pick.block().block().get(0).brTable([0], 1).op("end").i32(10).op("return").op("end").i32(20);
  const twice = new CodeWriter(["i32"], ["i32"]).get(0).call(0).i32(2).op("i32.mul");
  const found = run([sum, pick, twice]);
  t.is(found["f0"]!(100), 5050);
  t.deepEqual([found["f1"]!(0), found["f1"]!(1), found["f1"]!(9)], [10, 20, 20]);
  t.is(found["f2"]!(3), 12);
});

test("words are shuffled, and memory keeps them", (t) => {
  const code = new CodeWriter(["i32"], ["i32"]);
  code.get(0).v128([1, 2, 3, 4]).v128([5, 6, 7, 8]).shuffleWords([7, 0, 4, 3]).memory("v128.store", 16);
  code.get(0).memory("i32.load", 16).i32(1000).op("i32.mul").get(0).memory("i32.load", 28).op("i32.add");
  t.is(run([code])["f0"]!(64), 8004);
});

test("functions are imported, and put into a table for others to call", (t) => {
  const type = { parameters: ["i32"], results: ["i32"] } as const;
  const own = new CodeWriter(["i32"], ["i32"]).get(0).call(0).i32(1).op("i32.add");
  const table = new host.Table({ element: "anyfunc", initial: 8 });
  const imports = [
    { module: "m", name: "double", kind: "function", type },
    { module: "m", name: "table", kind: "table", minimum: 1 },
  ] as const;
  const first = encodeModule({ imports, functions: [own], elements: { at: 5, functions: [1] } });
  new host.Instance(new host.Module(first), { m: { table, double: (x: number) => 2 * x } });
  const caller = new CodeWriter(["i32"], ["i32"]).get(0).i32(5).callIndirect(0);
  const second = encodeModule({
    imports: [imports[1]],
    types: [type],
    functions: [caller],
    exports: { call: 0 },
  });
  const instance = new host.Instance(new host.Module(second), { m: { table } });
  t.is(instance.exports["call"]!(20), 41);
});

test("memory is filled and copied", (t) => {
  const code = new CodeWriter(["i32"], ["i64"]);
  code.i32(256).get(0).i32(5).fillMemory();
  code.i32(262).i32(254).i32(4).copyMemory();
  const both = code.i32(256).memory("i64.load").i32(262).memory("i64.load", 0).op("i64.xor");
  const [found, wanted] = [run([both])["f0"]!(0x7f) as unknown as bigint, new DataView(new ArrayBuffer(16))];
  for (let byte = 0; byte < 5; byte++) wanted.setUint8(byte, 0x7f);
  // The copied range begins two bytes before the filled one.
  for (const [byte, value] of [0, 0, 0x7f, 0x7f].entries()) wanted.setUint8(6 + byte, value);
  t.is(BigInt.asUintN(64, found), wanted.getBigUint64(0, true) ^ wanted.getBigUint64(6, true));
});
