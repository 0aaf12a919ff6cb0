// Whether this host's relaxed multiply-add rounds once. The relaxed SIMD proposal leaves that open, and a processor without
// such an instruction rounds twice; it is asked on operands that tell, and on edges. Node 20 has the proposal behind a flag
// of V8, which is set here, once the first code is compiled; nothing else of the host's program depends on it.

import { setFlagsFromString } from "node:v8";
import { CodeWriter, encodeModule } from "../../../formats/wasm/index.js";
import { webAssembly } from "../../base/web-assembly.js";
import { fmaF32 } from "../../base/num/f32.js";
import { fusedF32 } from "./fma.js";

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

/** Answers whether f32 multiply-add of relaxed SIMD is there, and exact. */
export function hasExactMultiplyAdd(): boolean {
  if (webAssembly === undefined) return false;
  try {
    setFlagsFromString(FLAG);
  } catch {
    return false;
  }
  const lane = new CodeWriter(["f32", "f32", "f32"], ["f32"]);
  for (const i of [0, 1, 2]) lane.get(i).op("f32x4.splat");
  lane.call(0).lane("f32x4.extract_lane", 0);
  const bytes = encodeModule({ imports: [], functions: [fusedF32(), lane], exports: { madd: 1 } });
  if (!webAssembly.validate(bytes)) return false;
  const { madd } = new webAssembly.Instance(new webAssembly.Module(bytes), {}).exports;
  return edges.every((a) => edges.every((b) => edges.every((c) => Object.is(madd!(a, b, c), fmaF32.rn(a, b, c)))));
}
