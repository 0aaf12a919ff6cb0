// Classifies the addresses of four lanes, once for each value of an address register and each size of access: adjacent, all the
// same, or neither.

import type { Local } from "../../../formats/wasm/index.js";
import type { Lanes } from "./lanes.js";
import { accessCounts, type Region, type Regions } from "./regions.js";

/** The pattern of an address register: 1 unit stride, 2 uniform, 0 neither. */
export interface Pattern {
  readonly kind: Local;
  /** Lane 0's offset in the region, without the instruction's own offset. */
  readonly start: Local;
}

/** The patterns of a segment, by register, its version, region and bytes. */
export interface Patterns {
  readonly lanes: Lanes;
  readonly regions: Regions;
  readonly known: Map<string, Pattern>;
}

export const createPatterns = (lanes: Lanes, regions: Regions): Patterns => ({ lanes, regions, known: new Map() });

/** Pushes a register's addresses of lanes 0 and 1, or 2 and 3, in 64 bits. */
export function pushAddress(lanes: Lanes, register: number, half: 0 | 1): void {
  const operand = { kind: "register", register } as const;
  if (lanes.strideOf(register) === 2) lanes.push64(operand, half);
  else {
    lanes.push32(operand);
    lanes.code.op(half === 0 ? "i64x2.extend_low_i32x4_u" : "i64x2.extend_high_i32x4_u");
  }
}

/** The pattern of a register's addresses. */
export function patternOf({ lanes, known }: Patterns, register: number, bytes: number, region: Region): Pattern {
  const isWide = region.base !== undefined;
  const key = `${region.site}:${register}:${lanes.versionOf(register)}:${bytes}`;
  let pattern = known.get(key);
  if (pattern === undefined) {
    pattern = { kind: lanes.keep("i32"), start: lanes.keep(isWide ? "i64" : "i32") };
    known.set(key, pattern);
    if (isWide) classifyWide(lanes, pattern, register, bytes, region.base!);
    else classifyNarrow(lanes, pattern, register, bytes, region);
  }
  return pattern;
}

/** Sets the kind; the callbacks push how the addresses differ from unit stride and from a uniform address. */
function decideKind({ code, four }: Lanes, { kind }: Pattern, notUnit: () => void, notUniform: () => void): void {
  code.i32(0).set(kind);
  code.get(four).i32(15).op("i32.eq").if();
  notUnit();
  code.op("v128.any_true", "i32.eqz").if().i32(1).set(kind).op("else");
  notUniform();
  code.op("v128.any_true", "i32.eqz").i32(1).op("i32.shl").set(kind).op("end", "end");
}

function classifyWide(lanes: Lanes, pattern: Pattern, register: number, bytes: number, base: Local): void {
  const { code } = lanes;
  const [low, high] = [lanes.temporary("v128"), lanes.temporary("v128")];
  pushAddress(lanes, register, 0);
  code.tee(low).lane("i64x2.extract_lane", 0).tee(pattern.start).op("i64x2.splat").set(high);
  code.get(low).get(high).op("i64x2.sub").set(low);
  pushAddress(lanes, register, 1);
  code.get(high).op("i64x2.sub").set(high);
  code.get(pattern.start).get(base).op("i64.sub").set(pattern.start);
  decideKind(
    lanes,
    pattern,
    () =>
      code
        .get(low)
        .v128([0, 0, bytes, 0])
        .op("v128.xor")
        .get(high)
        .v128([2 * bytes, 0, 3 * bytes, 0])
        .op("v128.xor", "v128.or"),
    () => code.get(low).get(high).op("v128.or"),
  );
}

function classifyNarrow(lanes: Lanes, pattern: Pattern, register: number, bytes: number, { rankBase }: Region): void {
  const { code } = lanes;
  const differences = lanes.temporary("v128");
  lanes.push32({ kind: "register", register });
  code.tee(differences).get(differences).lane("i32x4.extract_lane", 0).tee(pattern.start);
  code.op("i32x4.splat", "i32x4.sub").set(differences);
  if (rankBase !== undefined) code.get(pattern.start).get(rankBase).op("i32.sub").set(pattern.start);
  decideKind(
    lanes,
    pattern,
    () =>
      code
        .get(differences)
        .v128([0, bytes, 2 * bytes, 3 * bytes])
        .op("v128.xor"),
    () => code.get(differences),
  );
}

/**
 * Pushes whether the pattern is `wanted` and its accesses (four adjacent ones, or one) are inside the region; sets `at` to lane
 * 0's place.
 */
export function pushIsInside(
  { lanes, regions }: Patterns,
  { kind, start }: Pattern,
  wanted: 1 | 2,
  offset: number,
  bytes: number,
  region: Region,
  at: Local,
): void {
  const { code } = lanes;
  const shift = Math.log2(bytes);
  const count = accessCounts(regions, region, shift)[wanted === 1 ? 1 : 0];
  const isWide = region.base !== undefined;
  code.get(kind).i32(wanted).op("i32.eq").if("i32");
  code.get(start);
  if (isWide) {
    const sum = lanes.temporary("i64");
    if (offset !== 0) code.i64(BigInt(offset)).op("i64.add");
    code.tee(sum).op("i32.wrap_i64").get(region.place).op("i32.add").set(at);
    code.get(sum).i64(BigInt(shift)).op("i64.rotr").get(count).op("i64.lt_u");
  } else {
    const sum = lanes.temporary("i32");
    if (offset !== 0) code.i32(offset).op("i32.add");
    code.tee(sum).get(region.place).op("i32.add").set(at);
    code.get(sum).i32(shift).op("i32.rotr").get(count).op("i32.lt_u");
  }
  code.op("else").i32(0).op("end");
}
