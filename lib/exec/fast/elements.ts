// Loads and stores of four lanes whose bytes are located: adjacent ("unit stride"), at one place ("uniform"), or at four places.
// Splits the elements of a vector (.v2, .v4).

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import { forSetLanes } from "./set-lanes.js";

/** The elements of each lane's access. */
export interface Elements {
  readonly count: number;
  readonly bits: 8 | 16 | 32 | 64;
  readonly signed: boolean;
}

/** Locals of each element: one of four 32-bit words, or two of two 64-bit words. */
export type Values = readonly (readonly Local[])[];

export const elementBytes = ({ count, bits }: Elements): number => (count * bits) / 8;

const extendName = (signed: boolean): "s" | "u" => (signed ? "s" : "u");

// ---------------------------------------------------------------------------------------------------------- unit stride

type Move = (code: CodeWriter, at: Local, values: Values, signed: boolean, scratch: readonly Local[]) => void;

/** The locals of the first and the second element. */
const firstTwo = ([x = [], y = []]: Values): readonly [readonly Local[], readonly Local[]] => [x, y];

const loadAll = (code: CodeWriter, at: Local, into: readonly Local[]): void =>
  into.forEach((local, i) =>
    code
      .get(at)
      .memory("v128.load", 16 * i)
      .set(local),
  );

const storeAll = (code: CodeWriter, at: Local, from: readonly Local[]): void =>
  from.forEach((local, i) =>
    code
      .get(at)
      .get(local)
      .memory("v128.store", 16 * i),
  );

type Words = readonly [number, number, number, number];
const LOW: Words = [0, 1, 4, 5];
const HIGH: Words = [2, 3, 6, 7];
const EVEN: Words = [0, 2, 4, 6];
const ODD: Words = [1, 3, 5, 7];
const ZIP_LOW: Words = [0, 4, 1, 5];
const ZIP_HIGH: Words = [2, 6, 3, 7];

function mix(code: CodeWriter, a: Local, b: Local, words: Words, into: Local): void {
  code.get(a).get(b).shuffleWords(words).set(into);
}

/** Transposes rows of four words to columns; `s` are four scratch locals. */
function transpose(code: CodeWriter, rows: readonly Local[], columns: readonly Local[], s: readonly Local[]): void {
  const [a, b, c, d] = rows as [Local, Local, Local, Local];
  const [e, f, g, h] = s as [Local, Local, Local, Local];
  mix(code, a, b, ZIP_LOW, e);
  mix(code, c, d, ZIP_LOW, f);
  mix(code, a, b, ZIP_HIGH, g);
  mix(code, c, d, ZIP_HIGH, h);
  mix(code, e, f, LOW, columns[0]!);
  mix(code, e, f, HIGH, columns[1]!);
  mix(code, g, h, LOW, columns[2]!);
  mix(code, g, h, HIGH, columns[3]!);
}

/** Unit-stride loads, by count and bits of the elements. Other shapes go lane by lane. */
const unitLoads: Readonly<Record<string, Move>> = {
  "1x8": (code, at, values, signed) => {
    const [[x]] = firstTwo(values);
    const sign = extendName(signed);
    code.get(at).memory("v128.load32_zero");
    code.op(`i16x8.extend_low_i8x16_${sign}`, `i32x4.extend_low_i16x8_${sign}`).set(x!);
  },
  "1x16": (code, at, values, signed) => {
    const [[x]] = firstTwo(values);
    code.get(at).memory(`v128.load16x4_${extendName(signed)}`);
    code.set(x!);
  },
  "1x32": (code, at, [x]) => loadAll(code, at, x!),
  "1x64": (code, at, [x]) => loadAll(code, at, x!),
  "2x32": (code, at, values, _, s) => {
    const [[x], [y]] = firstTwo(values);
    loadAll(code, at, s.slice(0, 2));
    mix(code, s[0]!, s[1]!, EVEN, x!);
    mix(code, s[0]!, s[1]!, ODD, y!);
  },
  "4x32": (code, at, values, _, s) => {
    loadAll(code, at, s.slice(0, 4));
    transpose(code, s.slice(0, 4), values.flat(), s.slice(4));
  },
  "2x64": (code, at, values, _, s) => {
    const [x, y] = firstTwo(values);
    loadAll(code, at, s.slice(0, 4));
    for (const half of [0, 1]) {
      mix(code, s[2 * half]!, s[2 * half + 1]!, LOW, x[half]!);
      mix(code, s[2 * half]!, s[2 * half + 1]!, HIGH, y[half]!);
    }
  },
};

const unitStores: Readonly<Record<string, Move>> = {
  "1x8": (code, at, values) => {
    const [[x]] = firstTwo(values);
    code.get(at).get(x!).get(x!).shuffle([0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    code.laneMemory("v128.store32_lane", 0);
  },
  "1x16": (code, at, values) => {
    const [[x]] = firstTwo(values);
    code.get(at).get(x!).get(x!).shuffle([0, 1, 4, 5, 8, 9, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0]);
    code.laneMemory("v128.store64_lane", 0);
  },
  "1x32": (code, at, [x]) => storeAll(code, at, x!),
  "1x64": (code, at, [x]) => storeAll(code, at, x!),
  "2x32": (code, at, values, _, s) => {
    const [[x], [y]] = firstTwo(values);
    mix(code, x!, y!, ZIP_LOW, s[0]!);
    mix(code, x!, y!, ZIP_HIGH, s[1]!);
    storeAll(code, at, s.slice(0, 2));
  },
  "4x32": (code, at, values, _, s) => {
    transpose(code, values.flat(), s.slice(0, 4), s.slice(4));
    storeAll(code, at, s.slice(0, 4));
  },
  "2x64": (code, at, values, _, s) => {
    const [x, y] = firstTwo(values);
    for (const half of [0, 1]) {
      mix(code, x[half]!, y[half]!, LOW, s[2 * half]!);
      mix(code, x[half]!, y[half]!, HIGH, s[2 * half + 1]!);
    }
    storeAll(code, at, s.slice(0, 4));
  },
};

const shapeName = ({ count, bits }: Elements): string => `${count}x${bits}`;

/** Moves four lanes whose accesses follow each other from `at` on; undefined for shapes that go lane by lane. */
export function unitMove(elements: Elements, isStore: boolean): Move | undefined {
  return (isStore ? unitStores : unitLoads)[shapeName(elements)];
}

/** Number of scratch v128 locals of a unit move. */
export const UNIT_SCRATCH = 8;

// ------------------------------------------------------------------------------------------------------- other patterns

/** All lanes load from the same place. `offset` bytes are added to each address. */
export function loadUniform(code: CodeWriter, at: Local, { bits, signed }: Elements, values: Values, offset = 0): void {
  values.forEach((locals, i) => {
    const here = offset + (bits / 8) * i;
    for (const local of locals) {
      code.get(at);
      if (bits === 64) code.memory("v128.load64_splat", here);
      else if (bits === 32) code.memory("v128.load32_splat", here);
      else code.memory(`i32.load${bits}_${extendName(signed)}`, here).op("i32x4.splat");
      code.set(local);
    }
  });
}

/** Separate addresses of four lanes: `push` pushes a lane's address, and `offset` bytes are added to each. */
export interface LaneAddresses {
  readonly push: (code: CodeWriter, lane: number) => CodeWriter;
  readonly offset: number;
}

/** Places as four words. */
export const inWords = (places: Local): LaneAddresses => ({
  push: (code, lane) => code.get(places).lane("i32x4.extract_lane", lane),
  offset: 0,
});

/** Each lane loads from its own place; all four may be read. */
export function gatherElements(
  code: CodeWriter,
  { push, offset }: LaneAddresses,
  { bits, signed }: Elements,
  values: Values,
): void {
  values.forEach((locals, i) => {
    const here = offset + (bits / 8) * i;
    if (bits === 64) {
      locals.forEach((local, half) => {
        push(code, 2 * half).memory("v128.load64_splat", here);
        push(code, 2 * half + 1)
          .memory("i64.load", here)
          .lane("i64x2.replace_lane", 1)
          .set(local);
      });
      return;
    }
    const load = bits === 32 ? "i32.load" : (`i32.load${bits}_${extendName(signed)}` as const);
    push(code, 0).memory(load, here).op("i32x4.splat");
    for (let lane = 1; lane < 4; lane++) push(code, lane).memory(load, here).lane("i32x4.replace_lane", lane);
    code.set(locals[0]!);
  });
}

/** The lanes of `lanes` store to their own places, the lowest first. */
export function scatterElements(
  code: CodeWriter,
  where: LaneAddresses,
  lanes: Local,
  elements: Elements,
  values: Values,
): void {
  code.get(lanes).i32(15).op("i32.eq").if();
  for (let lane = 0; lane < 4; lane++) storeLane(code, where, lane, elements, values);
  code.op("else");
  forSetLanes(code, lanes, (lane) => storeLane(code, where, lane, elements, values));
  code.op("end");
}

function storeLane(
  code: CodeWriter,
  { push, offset }: LaneAddresses,
  lane: number,
  { bits }: Elements,
  values: Values,
): void {
  values.forEach((locals, i) => {
    const here = offset + (bits / 8) * i;
    const local = locals[bits === 64 ? lane >> 1 : 0]!;
    push(code, lane).get(local);
    if (bits === 64) code.laneMemory("v128.store64_lane", lane & 1, here);
    else if (bits === 32) code.laneMemory("v128.store32_lane", lane, here);
    else code.lane("i32x4.extract_lane", lane).memory(`i32.store${bits}`, here);
  });
}
