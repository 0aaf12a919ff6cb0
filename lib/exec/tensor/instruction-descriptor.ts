// Instruction descriptors of tcgen05.mma: PTX ISA 9.0 section 9.7.16.4.2, tables 42 to 44, and the shapes of table 39.

import type { MatrixTypes, Signs } from "./multiply.js";
import { packings } from "./shared-matrix.js";
import { trap } from "./memory.js";

/** The instruction's properties besides its descriptor. */
export interface MultiplyForm {
  readonly kind: string;
  readonly isSparse: boolean;
  /** .ws: B stays, A moves. */
  readonly isWeightStationary: boolean;
  readonly isPair: boolean;
  /** The modifier after .block_scale; undefined without one. */
  readonly vector: string | undefined;
}

export interface InstructionDescriptor {
  readonly m: number;
  readonly n: number;
  /** Elements of B along k; a sparse A has half as many. */
  readonly k: number;
  readonly types: MatrixTypes;
  readonly signs: Signs;
  readonly transposesA: boolean;
  readonly transposesB: boolean;
  readonly saturates: boolean;
  readonly sparsitySelector: number;
  readonly scales: DescribedScales | undefined;
}

export interface DescribedScales {
  readonly type: string;
  /** Number of scales in a row. */
  readonly count: number;
  /** First byte of a word of scales. */
  readonly idA: number;
  readonly idB: number;
}

interface Kind {
  readonly factors: Readonly<Record<number, string>>;
  readonly sums: Readonly<Record<number, string>>;
  /** Types of scales, by bit 23. */
  readonly scales?: readonly (string | undefined)[];
}

const narrow = { 0: "e4m3", 1: "e5m2", 3: "e2m3", 4: "e3m2", 5: "e2m1" } as const;
const packed = { 1: "e2m1.packed" } as const;

const kinds: Readonly<Record<string, Kind>> = {
  "kind::f16": { factors: { 0: "f16", 1: "bf16" }, sums: { 0: "f16", 1: "f32" } },
  "kind::tf32": { factors: { 2: "tf32" }, sums: { 1: "f32" } },
  "kind::f8f6f4": { factors: narrow, sums: { 0: "f16", 1: "f32" } },
  "kind::i8": { factors: { 0: "u8", 1: "s8" }, sums: { 2: "s32" } },
  "kind::mxf8f6f4": { factors: narrow, sums: {}, scales: [undefined, "ue8m0"] },
  "kind::mxf4": { factors: packed, sums: {}, scales: [undefined, "ue8m0"] },
  "kind::mxf4nvf4": { factors: packed, sums: {}, scales: ["ue4m3", "ue8m0"] },
};

const bitsOf = (word: number, from: number, count: number): number => (word >>> from) & ((1 << count) - 1);
const flag = (word: number, at: number): boolean => bitsOf(word, at, 1) === 1;

/** Reads a descriptor; throws if the form has no such instruction. */
export function readInstruction(word: number, form: MultiplyForm, lane: number): InstructionDescriptor {
  const { kind, isSparse, vector } = form;
  const { factors, sums, scales } = kinds[kind]!;
  const fault = (what: string): Error => trap(`instruction descriptor 0x${(word >>> 0).toString(16)}: ${what}`, lane);
  if (flag(word, 2) !== isSparse)
    throw fault(
      isSparse ? "bit 2 is 0, but the instruction is sparse" : "bit 2 is 1, but the instruction is not sparse",
    );
  const a = factors[bitsOf(word, 7, 3)];
  const b = factors[bitsOf(word, 10, scales !== undefined && kind !== "kind::mxf8f6f4" ? 2 : 3)];
  if (a === undefined || b === undefined)
    throw fault(`.${kind} does not support this type of ${a === undefined ? "A" : "B"}`);
  const d = scales === undefined ? sums[bitsOf(word, 4, 2)] : "f32";
  if (d === undefined || (d === "f16" && a === "bf16")) throw fault(`.${kind} does not support this type of D`);
  if ((kind === "kind::f16" || kind === "kind::tf32") && a !== b) throw fault("the types of A and B differ");
  const isLong = a === "e2m1.packed" && flag(word, 31);
  if (isLong && isSparse) throw fault("K is 96, but the instruction is sparse");
  const m = scales === undefined ? 16 * bitsOf(word, 24, 5) : 128 * bitsOf(word, 27, 2);
  const n = 8 * bitsOf(word, 17, 6);
  const problem = shapeProblem(m, n, kind, form);
  if (problem !== undefined) throw fault(problem);
  const stored = isLong ? 96 : storedAlong(a);
  const scaleType = scales?.[bitsOf(word, 23, 1)];
  if (scales !== undefined && scaleType === undefined) throw fault(`.${kind} does not support scales of type ue4m3`);
  const transposesA = flag(word, 15);
  const transposesB = flag(word, 16);
  if ((transposesA || transposesB) && a === "e2m1.packed") throw fault(`.${kind} does not support transposed matrices`);
  return {
    m,
    n,
    k: isSparse ? 2 * stored : stored,
    types: { a, b, c: d, d },
    signs: kind === "kind::i8" ? NO_SIGNS : { negateA: flag(word, 13), negateB: flag(word, 14) },
    transposesA,
    transposesB,
    saturates: kind === "kind::i8" && flag(word, 3),
    sparsitySelector: bitsOf(word, 0, 2),
    scales:
      scaleType === undefined ? undefined : describeScales(word, scaleType, kind, vector ?? "block32", isLong, fault),
  };
}

const NO_SIGNS: Signs = { negateA: false, negateB: false };

/** Elements along k in 32 bytes of shared memory, padding of narrow elements included. */
const storedAlong = (type: string): number => 2 * packings[type]!.perPiece;

function describeScales(
  word: number,
  type: string,
  kind: string,
  vector: string,
  isLong: boolean,
  fault: (what: string) => Error,
): DescribedScales {
  const block = vector.startsWith("block") ? Number(vector.slice(5)) : undefined;
  if (isLong && block === undefined) throw fault("K is 96, which requires .block16 or .block32");
  const short = kind === "kind::mxf8f6f4" ? 1 : 2;
  const count = isLong ? 96 / block! : block === 16 ? 4 : block === 32 ? short : Number(vector.at(-2));
  const [idA, idB] = [bitsOf(word, 29, 2), bitsOf(word, 4, 2)];
  if (!isLong && (idA % count !== 0 || idB % count !== 0))
    throw fault(`scale factor ids ${idA} and ${idB} must be multiples of ${count}, the number of scales in a row`);
  return { type, count, idA, idB };
}

/** Why a shape is invalid; undefined for those of table 39. */
function shapeProblem(m: number, n: number, kind: string, form: MultiplyForm): string | undefined {
  const { isSparse, isWeightStationary, isPair, vector } = form;
  const isScaled = vector !== undefined || kind.startsWith("kind::mx");
  const ms = isWeightStationary
    ? [32, 64, 128]
    : isPair
      ? isScaled && isSparse
        ? [256]
        : [128, 256]
      : isScaled
        ? [128]
        : [64, 128];
  if (!ms.includes(m)) return `M is ${m}; it must be one of ${ms.join(", ")}`;
  if (isWeightStationary) {
    const ns = isSparse ? [64, 128] : [64, 128, 256];
    return ns.includes(n) ? undefined : `N is ${n}; it must be one of ${ns.join(", ")}`;
  }
  const every = kind === "kind::i8" ? (isPair ? 32 : n > 32 ? 16 : 8) : isPair ? 16 : 8;
  return n > 0 && n <= 256 && n % every === 0 ? undefined : `N is ${n}; it must be a multiple of ${every}, at most 256`;
}
