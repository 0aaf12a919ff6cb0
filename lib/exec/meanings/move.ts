// mov in all its shapes, and address conversion: PTX ISA 9.0 sections 9.7.9.3 to 9.7.9.20. Bits move as words.

import {
  ADDRESS_SPACES,
  CLUSTER_STRIDE,
  FIRST_GLOBAL_HIGH,
  FIRST_WINDOW_HIGH,
  WINDOW,
  WINDOW_BYTES,
  windowBase,
  windowNumber,
  type WindowSpace,
} from "../../load/address-space.js";

import { type Opcode, typeOf } from "../../isa/opcode.js";
import type { Binder, Bound } from "../operands/binder.js";
import type { Scalar } from "../machine/lanes.js";
import type { Place } from "../state/frame.js";
import { lanesIn } from "../machine/walk.js";
import { custom, type Custom, type Meaning, type Meanings, type Reading, scalar, words } from "./meaning.js";

const copyWords =
  (count: number) =>
  (w: Int32Array, d: number, a: number): void => {
    for (let i = 0; i < count; i++) w[d + i] = w[a + i]!;
  };

const mov: Reading = (opcode) => {
  const bits = typeOf(opcode)!.bits;
  switch (bits) {
    case 1:
      return custom((binder) => {
        const d = binder.write(binder.operand(0), 1).word;
        const a = binder.read(binder.operand(1), 1).word;
        return {
          lanes: ({ words: w }, mask) => {
            w[d] = (w[d]! & ~mask) | (w[a]! & mask);
          },
        };
      });
    case 64:
      return custom((binder) => ({ lanes: moveWide(binder) }));
    case 128:
      return words([128, 128], (w, d, a) => copyWords(4)(w, d!, a!));
    default:
      return bits === 32 ? scalar("s32", ["s32"], (x: number) => x) : scalar("u16", ["u16"], (x: number) => x);
  }
};

function moveWide(binder: Binder): NonNullable<Bound["lanes"]> {
  const d = binder.write(binder.operand(0), 64).word;
  const source = binder.read(binder.operand(1), 64);
  const a = source.word;
  if (source.stride === 1)
    return ({ words: w }, mask) => {
      for (const l of lanesIn(mask)) {
        w[d + 2 * l] = w[a + l]!;
        w[d + 2 * l + 1] = 0;
      }
    };
  return ({ words: w }, mask) => {
    for (let l = 0; l < 32; l++) {
      if (((mask >>> l) & 1) === 0) continue;
      w[d + 2 * l] = w[a + 2 * l]!;
      w[d + 2 * l + 1] = w[a + 2 * l + 1]!;
    }
  };
}

/** Copies `bits` bits of a lane from one place to another. */
function moveBits(
  w: Int32Array,
  from: Place,
  fromBit: number,
  to: Place,
  toBit: number,
  bits: number,
  lane: number,
): void {
  // Elements are of 8, 16, 32 or 64 bits and lie at multiples of their size.
  for (let done = 0; done < bits; done += 32) {
    const size = Math.min(32, bits);
    const source = w[from.word + from.stride * lane + ((fromBit + done) >>> 5)]! >>> ((fromBit + done) & 31);
    const at = to.word + to.stride * lane + ((toBit + done) >>> 5);
    const shift = (toBit + done) & 31;
    const field = size === 32 ? -1 : ((1 << size) - 1) << shift;
    w[at] = (w[at]! & ~field) | ((source << shift) & field);
  }
}

function pack(opcode: Opcode): ReturnType<Reading> {
  const bits = typeOf(opcode)!.bits;
  return custom((binder) => {
    const d = binder.scope.temporary(bits <= 32 ? 32 : bits === 64 ? 64 : 128);
    const target = binder.write(binder.operand(0), bits);
    const parts = binder.elements(binder.operand(1));
    const size = bits / parts.length;
    const sources = parts.map((part) => binder.read(part, size));
    return {
      lanes: ({ words: w }, mask) => {
        for (const lane of lanesIn(mask)) {
          sources.forEach((source, i) => moveBits(w, source, 0, d, i * size, size, lane));
          for (let word = 0; word < d.stride; word++)
            w[target.word + target.stride * lane + word] = w[d.word + d.stride * lane + word]!;
        }
      },
    };
  });
}

function unpack(opcode: Opcode): ReturnType<Reading> {
  const bits = typeOf(opcode)!.bits;
  return custom((binder) => {
    const parts = binder.elements(binder.operand(0));
    const size = bits / parts.length;
    const source = binder.read(binder.operand(1), bits);
    const copy = binder.scope.temporary(bits <= 32 ? 32 : bits === 64 ? 64 : 128);
    const targets = parts.map((part) => binder.write(part, size));
    return {
      lanes: ({ words: w }, mask) => {
        for (const lane of lanesIn(mask)) {
          moveBits(w, source, 0, copy, 0, bits, lane);
          targets.forEach((target, i) => moveBits(w, copy, i * size, target, 0, size, lane));
        }
      },
    };
  });
}

/** mov.v2 and mov.v4: element by element; the sources are read before any is written. */
const moveVector: Reading = (opcode) => {
  const bits = typeOf(opcode)!.bits;
  return custom((binder) => {
    const sources = binder.elements(binder.operand(1)).map((element) => binder.read(element, bits));
    const targets = binder.elements(binder.operand(0)).map((element) => binder.write(element, bits));
    const count = bits === 64 ? 2 : 1;
    return {
      lanes: ({ words: w }, mask) => {
        for (const lane of lanesIn(mask)) {
          const values = sources.map((s) => [0, 1].map((i) => w[s.word + s.stride * lane + i]!));
          targets.forEach((t, i) => {
            for (let word = 0; word < count; word++) w[t.word + t.stride * lane + word] = values[i]![word]!;
          });
        }
      },
    };
  });
};

// ------------------------------------------------------------------------------------------------------------- addresses

/** shared::cta -> shared, param::entry -> param. */
export function windowOf(opcode: Opcode): WindowSpace | "global" {
  const spaces = ["shared", "local", "const", "param", "global"] as const;
  const written = opcode.chosen.map((text) => text?.split("::")[0]);
  return spaces.find((space) => written.includes(space)) ?? "global";
}

/** Adds or subtracts the window's high word; global addresses are generic addresses. */
const cvta: Reading = (opcode) => {
  const space = windowOf(opcode);
  const isTo = opcode.chosen.includes("to");
  const base = space === "global" ? 0 : windowBase(space, ADDRESS_SPACES[32]);
  const narrow = isTo ? -base : base;
  // 32-bit forms exist only in 32-bit processes: the window's upper byte changes.
  if (typeOf(opcode)!.bits !== 64) return scalar("u32", ["u32"], (x: number) => x + narrow);
  const high = space === "global" ? 0 : WINDOW[space];
  const change = isTo ? -high : high;
  return custom((binder) => {
    const d = binder.write(binder.operand(0), 64).word;
    const { word: a, stride } = binder.read(binder.operand(1), 64);
    const [low, upper] = binder.process.space.bits === 32 ? [narrow, 0] : [0, change];
    return {
      lanes: ({ words: w }, mask) => {
        for (const lane of lanesIn(mask)) {
          const from = a + stride * lane;
          w[d + 2 * lane] = w[from]! + low;
          w[d + 2 * lane + 1] = (stride === 2 ? w[from + 1]! : 0) + upper;
        }
      },
    };
  });
};

/**
 * As on an H200: kernel parameters are global memory, too. So is everything beyond the 16 MiB of local memory, but no address
 * without a high word. The shared memory of a cluster's blocks is the whole window.
 */
const isspacep: Reading = (opcode) => {
  const wide = isspacepWide(opcode);
  const narrow = isspacepNarrow(opcode);
  return custom((binder) => {
    const meaning = binder.process.space.bits === 32 ? narrow : wide;
    return meaning.kind === "scalar" ? { scalar: { meaning } } : meaning.bind(binder);
  });
};

/** For a 32-bit process: windows by their upper byte. */
function isspacepNarrow(opcode: Opcode): Scalar {
  const layout = ADDRESS_SPACES[32];
  const space = windowOf(opcode);
  const isIn = (low: number): boolean => {
    const number = Math.floor((low >>> 0) / layout.windowBytes);
    if (space === "global")
      return (number >= FIRST_GLOBAL_HIGH && number < layout.firstWindow) || number === windowNumber("param", layout);
    return number === windowNumber(space, layout);
  };
  return scalar("pred", ["pair64"], (low: number, _: number) => isIn(low));
}

function isspacepWide(opcode: Opcode): Scalar | Custom {
  const space = windowOf(opcode);
  switch (space) {
    case "global":
      return scalar("pred", ["pair64"], isGlobal);
    case "shared":
      if (!opcode.chosen.includes("shared::cluster")) return isOwnShared;
      break;
    case "local":
      return scalar("pred", ["pair64"], isLocal);
    case "const":
    case "param":
    case "code":
      break;
  }
  const window = WINDOW[space];
  return scalar("pred", ["pair64"], (_: number, high: number) => high === window);
}

const isLocal = (low: number, high: number): boolean => high === WINDOW.local && low >>> 0 < WINDOW_BYTES;

const isGlobal = (low: number, high: number): boolean =>
  (high >= FIRST_GLOBAL_HIGH && high < FIRST_WINDOW_HIGH) ||
  high === WINDOW.param ||
  (high === WINDOW.local && low >>> 0 >= WINDOW_BYTES);

/** isspacep.shared::cta: the 16 MiB of the block itself. */
const isOwnShared: Custom = custom((binder) => {
  const d = binder.write(binder.operand(0), 1).word;
  const { word, stride } = binder.read(binder.operand(1), 64);
  return {
    lanes: ({ words: w, unsigned, warp }, mask) => {
      const { rank } = warp.block;
      let bits = 0;
      for (const lane of lanesIn(mask)) {
        const at = word + stride * lane;
        if (stride === 2 && w[at + 1] === WINDOW.shared && Math.floor(unsigned[at]! / CLUSTER_STRIDE) === rank)
          bits |= 1 << lane;
      }
      w[d] = (w[d]! & ~mask) | bits;
    },
  };
});

/**
 * mapa: the same offset in the shared memory of the block with that rank, which the upper 8 bits hold; a generic address keeps
 * its window.
 */
const mapa: Reading = (opcode) => {
  const move = (address: number, rank: number): number => (address & (CLUSTER_STRIDE - 1)) | (rank << 24);
  return typeOf(opcode)!.bits === 64
    ? words([64, 64, 32], (w, d, a, b) => {
        w[d! + 1] = w[a! + 1]!;
        w[d!] = move(w[a!]!, w[b!]!);
      })
    : scalar("u32", ["u32", "u32"], move);
};

/** getctarank: the rank in an address. */
const getctarank: Meaning = custom((binder) => {
  const d = binder.write(binder.operand(0), 32).word;
  const a = binder.read(binder.operand(1), binder.type(1).bits);
  return {
    lanes: ({ words, unsigned }, mask) => {
      for (const lane of lanesIn(mask)) words[d + lane] = unsigned[a.word + a.stride * lane]! >>> 24;
    },
  };
});

export const moveMeanings: Meanings = {
  "mov.pack": pack,
  "mov.unpack": unpack,
  "mov.vector": moveVector,
  mov,
  cvta,
  isspacep,
  mapa,
  getctarank: () => getctarank,
};
