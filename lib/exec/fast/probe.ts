// Tests whether this host's relaxed multiply-add rounds once. The relaxed SIMD proposal leaves that open, and a processor without
// such an instruction rounds twice; the test uses operands that distinguish the two, and edge cases. In Node 20 the proposal
// needs a flag of V8, which is set here once the first code is compiled; nothing else of the host's program depends on it. Later
// versions need no flag and warn about an unknown one on standard error, so it is set only if the instruction is missing.

import { CodeWriter, encodeModule } from "../../../formats/wasm/index.js";
import { nodeBuiltin } from "../../base/node-builtin.js";
import { webAssembly } from "../../base/web-assembly.js";
import { fmaF32 } from "../../base/num/f32.js";
import { fmaF64 } from "../../base/num/f64.js";
import { fusedF32, fusedF64 } from "./fma.js";

const FLAG = "--experimental-wasm-relaxed-simd";

const edges: readonly number[] = [
  0,
  -0,
  1,
  -1,
  1 + 2 ** -23,
  1 - 2 ** -24,
  3,
  1 / 3,
  2 ** -126,
  2 ** -149,
  -(2 ** -140),
  2 ** 127,
  -(2 ** 64),
  4097,
  8191.5,
  2 ** 24 + 2,
  Infinity,
  NaN,
].map(Math.fround);

const doubleEdges: readonly number[] = [
  0,
  -0,
  1,
  -3,
  1 + 2 ** -52,
  1 - 2 ** -53,
  1 / 3,
  2 ** -1022,
  -(2 ** -1074),
  2 ** 1023,
  2 ** 53 + 2,
  -Infinity,
  NaN,
];

/** Whether the host has the multiply-add of relaxed SIMD, and it is exact for f32 and f64. */
export function hasExactMultiplyAdd(): boolean {
  if (webAssembly === undefined) return false;
  const single = laneOf("f32", 0);
  const double = laneOf("f64", 1);
  const functions = [fusedF32(), fusedF64(), single, double];
  const bytes = encodeModule({ imports: [], functions, exports: { single: 2, double: 3 } });
  if (!webAssembly.validate(bytes)) nodeBuiltin("node:v8")?.setFlagsFromString(FLAG);
  if (!webAssembly.validate(bytes)) return false;
  const found = new webAssembly.Instance(new webAssembly.Module(bytes), {}).exports;
  return isSame(edges, found["single"]!, fmaF32.rn) && isSame(doubleEdges, found["double"]!, fmaF64.rn);
}

/** A scalar function that calls a function of vectors. */
function laneOf(type: "f32" | "f64", fn: number): CodeWriter {
  const vector = type === "f32" ? "f32x4" : "f64x2";
  const code = new CodeWriter([type, type, type], [type]);
  for (const i of [0, 1, 2]) code.get(i).op(`${vector}.splat`);
  return code.call(fn).lane(`${vector}.extract_lane`, 0);
}

type Ternary = (a: number, b: number, c: number) => number;

/** Factors in one order only: both orders would delay every first launch with an fma. */
const isSame = (values: readonly number[], found: Ternary, wanted: Ternary): boolean =>
  values.every((a, i) => values.slice(i).every((b) => values.every((c) => Object.is(found(a, b, c), wanted(a, b, c)))));
