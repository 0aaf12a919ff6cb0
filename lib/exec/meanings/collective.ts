// Instructions by which lanes of a warp exchange values: PTX ISA 9.0 sections 9.7.9.6 (shfl.sync) and 9.7.13.9 to 9.7.13.14
// (vote, match, activemask, redux, elect). The .sync ones wait until every lane that the mask names, and that has not exited,
// has reached the instruction too.

import type { Binder, Bound } from "../operands/binder.js";
import type { LaneOp, Members } from "../state/step.js";
import { firstLane } from "../machine/warp.js";
import { lanesIn } from "../machine/walk.js";
import { hasModifier, modifier, typeOf } from "../../isa/opcode.js";
import { maxNaN, maxNumber, minNaN, minNumber } from "../../base/num/compare.js";
import { f32FromBits, f32ToBits } from "../../base/num/bits.js";
import { checkOwnLanes } from "../machine/own-lanes.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { destinations } from "./logic.js";

/** How an instruction with a `mask` operand executes. */
interface Parties {
  readonly members: Members | undefined;
  /** The lanes of a party that its mask names. */
  readonly lanesOf: (words: Int32Array, party: number) => number;
  /** Runs `lanes` for each set of lanes that have the same mask: labelled partitions execute one instruction together. */
  readonly split: (lanes: LaneOp) => LaneOp;
}

function membersOf(binder: Binder): Parties {
  const index = binder.opcode.form.operands.findIndex((spec) => spec.name === "mask");
  if (index < 0) return { members: undefined, lanesOf: (_, active) => active, split: (lanes) => lanes };
  const { word } = binder.read(binder.operand(index), 32);
  return {
    members: membersAt(word, binder.opcode.spelling),
    lanesOf: (words, party) => words[word + firstLane(party)]! & party,
    split: (lanes) => (frame, active) => {
      for (let rest = active; rest !== 0;) {
        const mask = frame.words[word + firstLane(rest)]!;
        let party = 0;
        for (let lane = 0; lane < 32; lane++) {
          if (((rest >>> lane) & 1) !== 0 && frame.words[word + lane] === mask) party |= 1 << lane;
        }
        lanes(frame, party);
        rest &= ~party;
      }
    },
  };
}

/** Members by the mask that each lane has at that word. `name` is the instruction's, for faults. */
function membersAt(word: number, name: string): Members {
  return {
    named: ({ words }, active) => lanesIn(active).reduce((all, lane) => all | words[word + lane]!, 0),
    ready: (frame, active, here, live) => {
      const { words } = frame;
      const first = words[word + firstLane(active)]!;
      let others = 0;
      for (let lane = 0; lane < 32; lane++) {
        if (((active >>> lane) & 1) !== 0 && words[word + lane] !== first) others |= 1 << lane;
      }
      if (others === 0) {
        if ((active & ~first) !== 0) checkOwnLanes(frame, active, first, name);
        return (first & live & ~here) === 0 ? active : 0;
      }
      let ready = 0;
      for (let rest = active; rest !== 0;) {
        const mask = words[word + firstLane(rest)]!;
        const party = lanesIn(rest).reduce((all, lane) => (words[word + lane] === mask ? all | (1 << lane) : all), 0);
        if ((party & ~mask) !== 0) checkOwnLanes(frame, party, mask, name);
        // Lanes that are here with another mask have not reached this exchange.
        if ((mask & live & ~((here & ~active) | party)) === 0) ready |= party;
        rest &= ~party;
      }
      return ready;
    },
  };
}

export interface ShuffleSource {
  /** The lane that is read, and whether it is within the segment; else a lane keeps its own value. */
  readonly from: number;
  readonly valid: boolean;
}

const sources: Readonly<Record<string, (lane: number, b: number, most: number, least: number) => ShuffleSource>> = {
  up: (lane, b, most) => ({ from: lane - b, valid: lane - b >= most }),
  down: (lane, b, most) => ({ from: lane + b, valid: lane + b <= most }),
  bfly: (lane, b, most) => ({ from: lane ^ b, valid: (lane ^ b) <= most }),
  idx: (_, b, most, least) => ({ from: least | b, valid: (least | b) <= most }),
};

/** The lane from which `lane` reads, by its operands b and c of shfl. Section 9.7.9.6. */
export function sourceOf(mode: string, lane: number, b: number, c: number): ShuffleSource {
  const segment = (c >>> 8) & 31;
  const least = lane & segment;
  const most = least | (c & 31 & ~segment);
  return sources[mode]!(lane, b & 31 & (mode === "idx" ? ~segment : -1), most, least);
}

const shfl: Reading = (opcode) => {
  const mode = modifier(opcode, "mode")!;
  return custom((binder): Bound => {
    const [d, p] = destinations(binder, 32);
    const [a, b, c] = [1, 2, 3].map((i) => binder.read(binder.operand(i), 32).word);
    const { members } = membersOf(binder);
    const copy = binder.scope.temporary(32).word;
    return {
      ...(members === undefined ? {} : { members }),
      // A lane may read every lane that is present, whatever the masks are.
      lanes: ({ words: w }, mask) => {
        w.copyWithin(copy, a!, a! + 32);
        let inRange = 0;
        for (let lane = 0; lane < 32; lane++) {
          if (((mask >>> lane) & 1) === 0) continue;
          const { from, valid } = sourceOf(mode, lane, w[b! + lane]!, w[c! + lane]!);
          if (valid) inRange |= 1 << lane;
          w[d.word + lane] = w[copy + (valid ? from : lane)]!;
        }
        if (p !== undefined) w[p.word] = (w[p.word]! & ~mask) | inRange;
      },
    };
  });
};

const vote: Reading = (opcode) => {
  const isBallot = hasModifier(opcode, "ballot");
  const mode = modifier(opcode, "mode");
  return custom((binder): Bound => {
    const d = binder.write(binder.operand(0), isBallot ? 32 : 1).word;
    const a = binder.read(binder.operand(1), 1).word;
    const { members, lanesOf, split } = membersOf(binder);
    return {
      ...(members === undefined ? {} : { members }),
      lanes: split(({ words: w }, mask) => {
        const voters = lanesOf(w, mask);
        const yes = w[a]! & voters;
        if (isBallot) {
          for (let lane = 0; lane < 32; lane++) if (((mask >>> lane) & 1) !== 0) w[d + lane] = yes;
          return;
        }
        const holds = mode === "all" ? yes === voters : mode === "any" ? yes !== 0 : yes === 0 || yes === voters;
        w[d] = (w[d]! & ~mask) | (holds ? mask : 0);
      }),
    };
  });
};

const match: Reading = (opcode) => {
  const isAll = hasModifier(opcode, "all");
  const stride = typeOf(opcode)!.bits === 64 ? 2 : 1;
  return custom((binder): Bound => {
    const [d, p] = destinations(binder, 32);
    const a = binder.read(binder.operand(1), 32 * stride).word;
    const { members, lanesOf, split } = membersOf(binder);
    return {
      ...(members === undefined ? {} : { members }),
      lanes: split(({ words: w }, mask) => {
        const lanes = lanesIn(lanesOf(w, mask));
        const value = (lane: number): string => `${w[a + stride * lane]}:${stride === 2 ? w[a + 2 * lane + 1] : 0}`;
        const equal = new Map<string, number>();
        for (const lane of lanes) equal.set(value(lane), (equal.get(value(lane)) ?? 0) | (1 << lane));
        const results = lanesIn(mask).map((lane) => (isAll && equal.size > 1 ? 0 : (equal.get(value(lane)) ?? 0)));
        lanesIn(mask).forEach((lane, i) => (w[d.word + lane] = results[i]!));
        if (p !== undefined) w[p.word] = (w[p.word]! & ~mask) | (equal.size === 1 ? mask : 0);
      }),
    };
  });
};

const reductions: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => (a + b) | 0,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  "min.s32": Math.min,
  "max.s32": Math.max,
  "min.u32": (a, b) => Math.min(a >>> 0, b >>> 0),
  "max.u32": (a, b) => Math.max(a >>> 0, b >>> 0),
};

/** For .abs, clears the signs before the values are compared. */
function floatReduction(minimum: boolean, nan: boolean, abs: boolean): (a: number, b: number) => number {
  const pick = minimum ? (nan ? minNaN : minNumber) : nan ? maxNaN : maxNumber;
  const value = (bits: number): number => f32FromBits(abs ? bits & 0x7fffffff : bits);
  return (a, b) => f32ToBits(pick(value(a), value(b)));
}

/** Combines two values of that type, as bits. */
export function reductionOf(op: string, type: string, nan: boolean, abs: boolean): (a: number, b: number) => number {
  return type === "f32" ? floatReduction(op === "min", nan, abs) : (reductions[`${op}.${type}`] ?? reductions[op])!;
}

const redux: Reading = (opcode) => {
  const type = typeOf(opcode)!.name;
  const combine = reductionOf(modifier(opcode, "op")!, type, hasModifier(opcode, "NaN"), hasModifier(opcode, "abs"));
  // The result for a single lane is what the reduction would return: NaN canonical and, for .abs, the sign cleared.
  const settle = (bits: number): number => (type === "f32" ? combine(bits, bits) : bits);
  return custom((binder): Bound => {
    const d = binder.write(binder.operand(0), 32).word;
    const a = binder.read(binder.operand(1), 32).word;
    const { members, lanesOf, split } = membersOf(binder);
    return {
      ...(members === undefined ? {} : { members }),
      lanes: split(({ words: w }, mask) => {
        const values = lanesIn(lanesOf(w, mask)).map((lane) => w[a + lane]!);
        const total = values.slice(1).reduce((sum, value) => combine(sum, value), settle(values[0]!));
        for (const lane of lanesIn(mask)) w[d + lane] = total;
      }),
    };
  });
};

const activemask: Meaning = custom((binder) => {
  const d = binder.write(binder.operand(0), 32).word;
  return {
    lanes: ({ words: w }, mask) => {
      for (const lane of lanesIn(mask)) w[d + lane] = mask;
    },
  };
});

/** The lowest lane of those that the mask names is elected. */
const elect: Meaning = custom((binder): Bound => {
  const [d, p] = destinations(binder, 32);
  const { members, lanesOf, split } = membersOf(binder);
  return {
    ...(members === undefined ? {} : { members }),
    lanes: split(({ words: w }, mask) => {
      const voters = lanesOf(w, mask);
      const leader = firstLane(voters === 0 ? mask : voters);
      for (const lane of lanesIn(mask)) w[d.word + lane] = leader;
      if (p !== undefined) w[p.word] = (w[p.word]! & ~mask) | ((1 << leader) & mask);
    }),
  };
});

export const collectiveMeanings: Meanings = {
  shfl,
  vote,
  match,
  redux,
  activemask: () => activemask,
  elect: () => elect,
};
