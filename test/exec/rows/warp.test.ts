// Instructions that exchange values between lanes of a warp, on random operands, in whole warps and parts of them,
// compared with the pseudocode of PTX ISA 9.0 sections 9.7.9.5, 9.7.9.6 and 9.7.13.8 to 9.7.13.14.

import test from "ava";
import { sample } from "../../sample.js";
import { hasModifier, modifier, type Opcode } from "../../../lib/isa/opcode.js";
import { platformFor } from "../../oracle/isa/choices.js";
import { columnOf } from "./operands.js";
import { warpForms } from "./suites.js";
import { holdForms, opcodesOf, outputOf } from "./support.js";

/** Participating lanes: all, half, some, one. */
const masks = [0xffffffff, 0x0000ffff, 0xa5c39f06, 0x00000400];
const ROUNDS = 6;

/** Lane l's values in round r: operands a (64 bits), b and c. */
interface Lane {
  readonly a: bigint;
  readonly b: number;
  readonly c: number;
}

const [wide, counts, segments] = [columnOf("i64", 0), columnOf("count", 1), columnOf("i32", 2)];
/** Segments of every size, then random values. */
const controls = [0x1f, 0, 0x181f, 0x1c1f, 0x0c03, 0x1000, 0x10, 0x1f1f];

const laneOf = (lane: number, round: number, kind: "any" | "few" | "floats"): Lane => {
  const i = (lane * 7 + round * 31) % wide.length;
  const few = [5n, 5n, 7n, 0x700000005n][(lane * (round + 1)) % (round + 1)]!;
  return {
    a: kind === "few" ? few : kind === "floats" ? columnOf("f32", round % 2)[(lane * 3 + round * 40) % 256]! : wide[i]!,
    b: Number(counts[i]! & 0xffffffffn) | 0,
    c: round < controls.length ? controls[round]! : Number(segments[i]! & 0xffffffffn) | 0,
  };
};

interface Answer {
  readonly d: number;
  readonly p?: boolean;
}

/** Lane `lane`'s result; undefined if PTX does not define it. */
type Meaning = (opcode: Opcode, lanes: readonly Lane[], lane: number, mask: number) => Answer | undefined;

const inMask = (mask: number): readonly number[] =>
  Array.from({ length: 32 }, (_, l) => l).filter((l) => ((mask >>> l) & 1) === 1);
const low = (x: bigint): number => Number(BigInt.asIntN(32, x));

const shfl: Meaning = (opcode, lanes, lane, mask) => {
  const { b, c } = lanes[lane]!;
  const [bval, cval, segmask] = [b & 31, c & 31, (c >>> 8) & 31];
  const maxLane = (lane & segmask) | (cval & ~segmask & 31);
  const minLane = lane & segmask;
  const [j, pval] = {
    up: (): [number, boolean] => [lane - bval, lane - bval >= maxLane],
    down: (): [number, boolean] => [lane + bval, lane + bval <= maxLane],
    bfly: (): [number, boolean] => [lane ^ bval, (lane ^ bval) <= maxLane],
    idx: (): [number, boolean] => [minLane | (bval & ~segmask & 31), (minLane | (bval & ~segmask & 31)) <= maxLane],
  }[modifier(opcode, "mode") as "up"]();
  const source = pval ? j : lane;
  return ((mask >>> source) & 1) === 0 ? undefined : { d: low(lanes[source]!.a), p: pval };
};

const vote: Meaning = (opcode, lanes, _, mask) => {
  const voters = inMask(mask);
  const yes = voters.filter((l) => (lanes[l]!.a & 1n) === 1n);
  if (hasModifier(opcode, "ballot")) return { d: yes.reduce((bits, l) => bits | (1 << l), 0) };
  const holds = {
    all: yes.length === voters.length,
    any: yes.length > 0,
    uni: yes.length === 0 || yes.length === voters.length,
  }[modifier(opcode, "mode") as "all"];
  return { d: holds ? 1 : 0 };
};

const match: Meaning = (opcode, lanes, lane, mask) => {
  const bits = hasModifier(opcode, "b64") ? 64 : 32;
  const value = (l: number): bigint => BigInt.asUintN(bits, lanes[l]!.a);
  const equal = inMask(mask).filter((l) => value(l) === value(lane));
  const all = equal.length === inMask(mask).length;
  const d = equal.reduce((sum, l) => sum | (1 << l), 0);
  return hasModifier(opcode, "all") ? { d: all ? mask | 0 : 0, p: all } : { d };
};

const NAN = 0x7fffffff;

const redux: Meaning = (opcode, lanes, _, mask) => {
  const op = modifier(opcode, "op")!;
  const type = opcode.chosen.at(-1)!;
  const values = inMask(mask).map((l) => BigInt.asUintN(32, lanes[l]!.a));
  if (type === "f32") {
    const sized = values.map((x) => (hasModifier(opcode, "abs") ? x & 0x7fffffffn : x));
    const isNaN32 = (x: bigint): boolean => (x & 0x7fffffffn) > 0x7f800000n;
    const numbers = sized.filter((x) => !isNaN32(x));
    if (numbers.length === 0 || (hasModifier(opcode, "NaN") && numbers.length < sized.length)) return { d: NAN };
    // The order of sign and magnitude: -0 is less than +0.
    const order = (x: bigint): bigint => (x >> 31n === 1n ? -1n - (x & 0x7fffffffn) : x);
    return { d: low(numbers.reduce((x, y) => (order(x) < order(y) === (op === "min") ? x : y))) };
  }
  const read = (x: bigint): bigint => (type === "s32" ? BigInt.asIntN(32, x) : x);
  const combine: Readonly<Record<string, (x: bigint, y: bigint) => bigint>> = {
    add: (x, y) => x + y,
    and: (x, y) => x & y,
    or: (x, y) => x | y,
    xor: (x, y) => x ^ y,
    min: (x, y) => (x < y ? x : y),
    max: (x, y) => (x > y ? x : y),
  };
  return { d: low(values.map(read).reduce(combine[op]!)) };
};

const elect: Meaning = (_, __, lane, mask) => ({ d: inMask(mask)[0]!, p: lane === inMask(mask)[0] });
const activemask: Meaning = (_, __, ___, mask) => ({ d: mask | 0 });

interface Suite {
  readonly meaning: Meaning;
  /** The instruction, writing %d and %p (pair) or one of them. */
  readonly text: (spelling: string, mask: string) => string;
  readonly kind?: "few" | "floats";
}

const suites: Readonly<Record<string, Suite>> = {
  shfl: { meaning: shfl, text: (op) => `${op} %d|%p, %a, %b, %c;` },
  "shfl.sync": { meaning: shfl, text: (op, mask) => `${op} %d|%p, %a, %b, %c, ${mask};` },
  vote: { meaning: vote, text: (op) => `${op} %v, %q; selp.u32 %d, 1, 0, %v;` },
  "vote.ballot": { meaning: vote, text: (op) => `${op} %d, %q;` },
  "vote.sync": { meaning: vote, text: (op, mask) => `${op} %v, %q, ${mask}; selp.u32 %d, 1, 0, %v;` },
  "vote.sync.ballot": { meaning: vote, text: (op, mask) => `${op} %d, %q, ${mask};` },
  "match.any": {
    meaning: match,
    text: (op, mask) => `${op} %d, ${op.endsWith("b64") ? "%x" : "%a"}, ${mask};`,
    kind: "few",
  },
  "match.all": {
    meaning: match,
    text: (op, mask) => `${op} %d|%p, ${op.endsWith("b64") ? "%x" : "%a"}, ${mask};`,
    kind: "few",
  },
  activemask: { meaning: activemask, text: (op) => `${op} %d;` },
  redux: { meaning: redux, text: (op, mask) => `${op} %d, %a, ${mask};` },
  "redux.f32": {
    meaning: redux,
    text: (op, mask) => `mov.b32 %f, %a; ${op} %g, %f, ${mask}; mov.b32 %d, %g;`,
    kind: "floats",
  },
  elect: { meaning: elect, text: (op, mask) => `${op} %d|%p, ${mask};` },
};

const tested = new Set<string>();

for (const id of warpForms)
  test(`${id} exchanges values as the manual's pseudocode does`, async (t) => {
    tested.add(id);
    const { meaning, text, kind = "any" } = suites[id]!;
    for (const opcode of opcodesOf(id))
      for (const mask of sample(masks, 6, { name: (each) => `${opcode.spelling} ${each}` })) {
        const rounds = Array.from({ length: ROUNDS }, (_, r) =>
          Array.from({ length: 32 }, (_each, l) => laneOf(l, r, kind)),
        );
        const input = new DataView(new ArrayBuffer(ROUNDS * 32 * 16));
        rounds.flat().forEach(({ a, b, c }, i) => {
          input.setBigUint64(16 * i, a, true);
          input.setInt32(16 * i + 8, b, true);
          input.setInt32(16 * i + 12, c, true);
        });
        // Lanes of the mask take one side of a branch, the others the other; results of lanes that do not participate
        // stay.
        const body = `.reg .b32 %a, %b, %c, %d, %w, %m; .reg .b64 %x, %at; .reg .pred %p, %q, %v, %in_mask; .reg .f32 %f, %g;
          mov.u32 %m, ${mask}; shr.u32 %w, %m, %t; and.b32 %w, %w, 1; setp.ne.u32 %in_mask, %w, 0;
          mul.wide.u32 %at, %t, 16; add.u64 %in, %in, %at; mul.wide.u32 %at, %t, 8; add.u64 %out, %out, %at;
          @!%in_mask bra done;
          ${rounds
            .map(
              (
                _,
                r,
              ) => `ld.global.b64 %x, [%in+${512 * r}]; cvt.u32.u64 %a, %x; ld.global.v2.b32 {%b, %c}, [%in+${512 * r + 8}];
              and.b32 %w, %a, 1; setp.ne.u32 %q, %w, 0; mov.u32 %d, 0; setp.ne.u32 %p, %d, %d; ${text(opcode.spelling, "%m")}
              selp.u32 %w, 1, 0, %p; st.global.v2.b32 [%out+${256 * r}], {%d, %w};`,
            )
            .join("\n")}
          done:`;
        const platform = platformFor(opcode.needs)!;
        const found = new DataView(
          (await outputOf({ body, ...platform }, new Uint8Array(input.buffer), ROUNDS * 256)).buffer,
        );
        rounds.forEach((lanes, r) => {
          for (const lane of inMask(mask)) {
            const wanted = meaning(opcode, lanes, lane, mask);
            if (wanted === undefined) continue;
            const where = `${opcode.spelling}, mask ${mask.toString(16)}, round ${r}, lane ${lane}`;
            t.is(found.getInt32(256 * r + 8 * lane, true), wanted.d, where);
            t.is(found.getInt32(256 * r + 8 * lane + 4, true), wanted.p === true ? 1 : 0, where);
          }
        });
      }
  });

test("votes may be negated, and results discarded", async (t) => {
  const body = `.reg .b32 %d, %e; .reg .pred %p, %q; setp.lt.u32 %q, %t, 4; vote.sync.ballot.b32 %d, !%q, -1; not.b32 %d, %d;
    elect.sync _|%p, -1; selp.u32 %e, 16, 0, %p; add.u32 %d, %d, %e; shfl.sync.idx.b32 %d, %d, 0, 31, -1; st.global.u32 [%out], %d;`;
  const [value] = await outputOf({ body }, new Uint8Array(8), 4);
  t.is(value, 31);
});

holdForms(warpForms, tested);
