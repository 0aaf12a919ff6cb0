// Probe tiles of the first recording: probe_tiles of its tensor_inputs.py, in the same order. Each family isolates one question:
// F1 alignment at all positions, F2 and F3 the place of C, F4 rounding, F5 many small terms, F6 signs, F7 order, F8 special values,
// F9 zeros, F10 overflow, F11 subnormals, F12 C alone, F13 mapping.

import { encode } from "./encode.js";
import { FORMATS, type Instruction, limitsOf, specialsOf } from "./formats.js";
import { mix64 } from "./mix.js";

export const ROWS = 16;
export const COLUMNS = 8;

/** Element bits of a tile of 16 x K (stored) x 8, each row by row. */
export interface ProbeTile {
  readonly a: readonly bigint[];
  readonly b: readonly bigint[];
  readonly c: readonly bigint[];
}

type Value<T> = T | ((index: number) => T);

/** A tile under construction, of numbers or of bits. */
interface Draft<T> {
  readonly a: T[];
  readonly b: T[];
  readonly c: T[];
  /** Column k of A, by row. */
  column(k: number, value: Value<T>): void;
  /** Row k of B, by column. */
  row(k: number, value: Value<T>): void;
  /** All of C. */
  sum(value: T | ((row: number, column: number) => T)): void;
}

function draft<T>(k: number, zero: T): Draft<T> {
  const [a, b] = [new Array<T>(ROWS * k).fill(zero), new Array<T>(k * COLUMNS).fill(zero)];
  const c = new Array<T>(ROWS * COLUMNS).fill(zero);
  const at = (value: Value<T>, i: number): T => (typeof value === "function" ? (value as (i: number) => T)(i) : value);
  return {
    a,
    b,
    c,
    column(index, value) {
      for (let i = 0; i < ROWS; i++) a[i * k + index] = at(value, i);
    },
    row(index, value) {
      for (let j = 0; j < COLUMNS; j++) b[index * COLUMNS + j] = at(value, j);
    },
    sum(value) {
      const of = typeof value === "function" ? (value as (row: number, column: number) => T) : () => value;
      for (let i = 0; i < ROWS * COLUMNS; i++) c[i] = of(Math.floor(i / COLUMNS), i % COLUMNS);
    },
  };
}

const sorted = (...numbers: readonly number[]): readonly number[] => [...new Set(numbers)].toSorted((x, y) => x - y);

const LARGE: Readonly<Record<string, number>> = { f16: 14, bf16: 20, tf32: 20, e4m3: 8, e5m2: 14, f64: 40 };
const hasFewExponents = (type: string): boolean => type === "e4m3" || type === "e5m2" || type === "f16";
const SIGNS = [1, -1];

export function probeTiles({ ta, tb, tc, K, sparse }: Instruction): readonly ProbeTile[] {
  const k = K / (sparse ? 2 : 1);
  const half = Math.floor(k / 2);
  const [a, b, c] = [limitsOf(ta), limitsOf(tb), limitsOf(tc)];
  const [mantissaA, mantissaB, mantissaC] = [FORMATS[ta]![1], FORMATS[tb]![1], FORMATS[tc]![1]];
  const largest = (type: string): number => (tc === "f16" ? Math.min(LARGE[type]!, 7) : LARGE[type]!);
  const [exponentA, exponentB] = [largest(ta), largest(tb)];
  const lowA = hasFewExponents(ta) ? a.least - mantissaA : -60;
  const lowB = hasFewExponents(tb) ? b.least - mantissaB : -60;
  const lowC = c.least - mantissaC;
  const steps = tb === "e4m3" ? 2 : 4;
  const [bigA, bigB] = [2 ** exponentA, 2 ** exponentB];
  /** Row numbers that the type of A has. */
  const number = (i: number): number => (ta === "e5m2" && i > 8 ? i & 14 : i);
  const powerA = (exponent: number): number => 2 ** Math.max(exponent, lowA);
  const powerB = (exponent: number): number => 2 ** Math.max(exponent, lowB);
  const fallingA = (i: number): number => powerA(exponentA - i);
  const fallingB = (j: number): number => powerB(exponentB - steps * j);

  const tiles: ProbeTile[] = [];
  const add = (fill: (tile: Draft<number>) => void): void => {
    const tile = draft(k, 0);
    fill(tile);
    const bits = (type: string, values: readonly number[]): readonly bigint[] => values.map((x) => encode(type, x));
    tiles.push({ a: bits(ta, tile.a), b: bits(tb, tile.b), c: bits(tc, tile.c) });
  };
  const addBits = (fill: (tile: Draft<bigint>) => void): void => {
    const tile = draft(k, 0n);
    fill(tile);
    tiles.push(tile);
  };

  const cancelling = (plus: number, minus: number, small: number, sign = 1, mantissa = 1): void => {
    if (new Set([plus, minus, small]).size < 3) return;
    add((tile) => {
      tile.column(plus, bigA);
      tile.column(minus, -bigA);
      tile.row(plus, bigB);
      tile.row(minus, bigB);
      tile.column(small, (i) => sign * fallingA(i));
      tile.row(small, (j) =>
        mantissa !== 1 && exponentB - steps * j - 2 >= lowB ? (fallingB(j) * mantissa) / 2 : fallingB(j),
      );
    });
  };
  for (let i = 2; i < k; i++) cancelling(0, 1, i);
  for (let i = 2; i < k; i++) cancelling(0, i, 1);
  for (let i = 1; i < k - 1; i++) cancelling(i, k - 1, 0);
  cancelling(0, 1, 2, -1);
  cancelling(0, 2, 1, -1);
  cancelling(1, 0, 2, -1);
  cancelling(0, 1, 2, 1, 1.5);
  cancelling(0, 1, 2, -1, 1.5);

  const cancellingC = (minus: number, small: number, sign = 1, smallSign = 1): void => {
    if (minus === small) return;
    add((tile) => {
      tile.sum(sign * bigA * bigB);
      tile.column(minus, -sign * bigA);
      tile.row(minus, bigB);
      tile.column(small, (i) => smallSign * fallingA(i));
      tile.row(small, fallingB);
    });
  };
  for (let i = 1; i < k; i++) {
    cancellingC(0, i);
    cancellingC(i, 0);
  }
  cancellingC(0, 1, 1, -1);
  cancellingC(0, 1, -1, 1);
  cancellingC(0, 1, -1, -1);

  const mantissas = [1, 1.5, -1, -1.5, 1 + 2 ** -4, -(1 + 2 ** -4), 1.75, -1.75];
  const powerC = (exponent: number): number => (exponent < lowC ? 0 : 2 ** exponent);
  for (const [plus, minus] of [
    [0, 1],
    [0, k - 1],
    [0, half],
    [half, 0],
    [k - 2, k - 1],
  ] as const) {
    if (plus === minus) continue;
    for (const u of [0, 1, 2])
      add((tile) => {
        tile.column(plus, bigA);
        tile.column(minus, -bigA);
        tile.row(plus, bigB);
        tile.row(minus, bigB);
        tile.sum((i, j) => {
          const exponent = exponentA + exponentB - (i + 16 * u);
          return (exponent - 4 < lowC ? Math.sign(mantissas[j]!) : mantissas[j]!) * powerC(exponent);
        });
      });
  }
  for (const sign of SIGNS)
    for (const i of sorted(0, half, k - 1))
      for (const factor of [1, 1 + 2 ** -mantissaC])
        add((tile) => {
          tile.column(i, fallingA);
          tile.row(i, fallingB);
          tile.sum(sign * bigA * bigB * factor);
        });

  if (tc !== "f64") roundingTiles();
  function roundingTiles(): void {
    for (const signC of SIGNS)
      for (const sign of SIGNS)
        for (const i of sorted(0, half, k - 1))
          for (const sticky of [0, 1, -1])
            add((tile) => {
              tile.column(i, (row) => (sign * number(row)) / 8);
              tile.row(i, 1);
              tile.sum((_, j) => signC * (2 ** mantissaC + j));
              if (sticky === 0) return;
              tile.column((i + 1) % k, sticky * 2 ** -3);
              tile.row((i + 1) % k, 2 ** -3);
            });
    const part = Math.floor(mantissaC / 2);
    if (part > exponentA || mantissaC - part > exponentB) return;
    for (const sign of SIGNS)
      for (const [big, small, scale] of [
        [0, 1, 1],
        [k - 1, 0, 8],
      ] as const)
        add((tile) => {
          tile.column(big, 2 ** part);
          tile.row(big, 2 ** (mantissaC - part));
          tile.column(small, (row) => (sign * number(row)) / 8);
          tile.row(small, 1);
          tile.sum((_, j) => j / scale);
        });
  }

  for (const big of sorted(0, 1, half, k - 1))
    for (const sign of SIGNS)
      for (const isInC of [false, true])
        add((tile) => {
          for (let i = 0; i < k; i++) {
            tile.column(i, (row) => sign * fallingA(row));
            tile.row(i, fallingB);
          }
          if (isInC) tile.sum(bigA * bigB);
          else {
            tile.column(big, bigA);
            tile.row(big, bigB);
          }
        });
  const quarters = sorted(0, Math.floor(k / 4), half, Math.floor((3 * k) / 4));
  for (const plus of quarters)
    for (const minus of quarters) for (const small of quarters) cancelling(plus, (minus + 1) % k, (small + 2) % k);

  specialTiles();
  function specialTiles(): void {
    const sixteen = (type: string): readonly bigint[] => {
      const { least } = limitsOf(type);
      return [...specialsOf(type), ...[1, -1, 2, 0, -0, 2 ** least, 2 ** (least - 1), 0.5].map((x) => encode(type, x))];
    };
    const [inA, inB, inC] = [sixteen(ta), sixteen(tb), sixteen(tc)];
    const [oneA, oneB] = [encode(ta, 1), encode(tb, 1)];
    for (const part of [0, 1]) {
      const b8 = (j: number): bigint => inB[8 * part + j]!;
      const a16 = (i: number): bigint => inA[i]!;
      for (const i of sorted(0, k - 1))
        for (const hasC of [false, true])
          addBits((tile) => {
            tile.column(i, a16);
            tile.row(i, b8);
            if (hasC) tile.sum(encode(tc, -1));
          });
      addBits((tile) => {
        tile.column(0, a16);
        tile.row(0, oneB);
        tile.sum((_, j) => inC[8 * part + j]!);
      });
      addBits((tile) => {
        tile.sum((i) => inC[i]!);
        tile.column(0, oneA * BigInt(part));
        for (let i = 0; i < k; i++) tile.row(i, oneB * BigInt(part));
      });
      addBits((tile) => {
        tile.column(0, a16);
        tile.row(0, oneB);
        tile.column(k - 1, (i) => inA[(i + 15 - part) % 16]!);
        tile.row(k - 1, oneB);
      });
      addBits((tile) => {
        tile.column(0, a16);
        tile.row(0, oneB);
        tile.column(1 % k, encode(ta, -1));
        tile.row(1 % k, b8);
      });
    }
  }

  const signed = (value: number) => (index: number) => ((index & 1) === 1 ? -value : value);
  for (const variant of [0, 1, 2, 3])
    add((tile) => {
      for (let i = 0; i < k; i++) {
        tile.column(i, (row) => (((row >> (i % 4)) & 1) === 1 ? -0 : 0));
        tile.row(i, signed(variant < 2 ? 1 : 0));
      }
      tile.sum((_, j) => (((variant & 1) === 1) === j < 4 ? -0 : 0));
    });
  add((tile) => {
    tile.column(0, 1);
    tile.column(1, -1);
    tile.row(0, 1);
    tile.row(1, 1);
    tile.sum((_, j) => signed(0)(j));
  });
  for (const sign of SIGNS)
    add((tile) => {
      tile.column(0, sign);
      tile.row(0, 1);
      tile.sum(-sign);
    });

  const largestC = (2 - 2 ** -mantissaC) * 2 ** c.most;
  for (let variant = 0; variant < 8; variant++)
    add((tile) => {
      const columnA = (i: number): number => 2 ** Math.max(a.most - i, a.least);
      const rowB = (j: number): number =>
        2 ** Math.min(Math.max(c.most + 3 - a.most - j + ((variant & 4) === 0 ? 0 : 7), b.least), b.most);
      tile.column(0, columnA);
      tile.row(0, rowB);
      if ((variant & 1) !== 0) {
        tile.column(k - 1, (i) => -columnA(i));
        tile.row(k - 1, rowB);
      }
      if ((variant & 2) !== 0) tile.sum((variant & 4) === 0 ? largestC : -largestC);
    });
  for (const sign of SIGNS) {
    const place = c.most - mantissaC - 3;
    const inB = Math.min(Math.max(place, b.least), b.most - 3);
    const inA = place - inB;
    if (inA > a.most - 4 || inA < a.least) continue;
    add((tile) => {
      tile.sum(sign * largestC);
      tile.column(0, (i) => sign * number(i) * 2 ** inA);
      tile.row(0, (j) => 2 ** (inB + (j & 3)));
    });
  }

  for (let variant = 0; variant < 6; variant++)
    add((tile) => {
      const subnormal = (i: number): number => {
        const few = Math.min(i + 1, 8);
        if (ta === "e5m2") return (i + 1 > 4 ? 8 : few) * 2 ** lowA;
        if (ta === "e4m3") return few * 2 ** lowA;
        if (variant >= 4) return 2 ** (a.least - Math.min(i, mantissaA));
        return ((variant & 1) === 1 ? i + 1 : few) * 2 ** (hasFewExponents(ta) ? lowA : a.least - mantissaA);
      };
      tile.column(0, subnormal);
      tile.row(0, (j) => ((variant & 2) === 0 ? 2 ** j : 2 ** Math.max(-3 * j, b.least)));
      if ((variant & 1) === 1) tile.sum((_, j) => 2 ** lowC * (j + 1) * (variant < 5 ? 1 : -1));
    });

  const width = FORMATS[tc]![0] + mantissaC + 1;
  const mixed = { high: 0, low: 0 };
  for (const mask of [(1n << BigInt(width)) - 1n, (1n << BigInt(width - 1)) | ((1n << BigInt(mantissaC)) - 1n)])
    addBits((tile) =>
      tile.sum((i, j) => {
        mix64(0, 77 + i * COLUMNS + j, mixed);
        const word = (BigInt(mixed.high >>> 0) << 32n) | BigInt(mixed.low >>> 0);
        return (word >> BigInt(64 - width)) & mask;
      }),
    );
  add((tile) => {
    tile.column(0, number);
    tile.row(0, 1);
    tile.sum((_, j) => 16 * j);
  });
  for (let row = 0; row < Math.min(k, 16); row++)
    add((tile) => {
      for (let i = 0; i < k; i++) tile.a[row * k + i] = i < 16 ? number(i) : 1;
      tile.row(row, (j) => j);
      tile.row(k - 1, 1);
    });
  return tiles;
}
