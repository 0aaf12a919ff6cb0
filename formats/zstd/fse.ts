// Finite state entropy tables of Zstandard (RFC 8878, section 4.1): symbol frequencies, and the states built from them.
import { malformed } from "../bytes/malformed.js";
import { bitsAt } from "./bits.js";

/** For each state: its symbol, the number of bits to read for the next state, and the base that is added to them. */
export interface FseTable {
  /** Bits of a state number. */
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** A table for a single symbol, which takes no bits. */
export function onlySymbol(symbol: number): FseTable {
  return { log: 0, symbols: Uint8Array.of(symbol), bits: Uint8Array.of(0), bases: Uint16Array.of(0) };
}

/**
 * Reads the description of a table at `start` of `bytes`; returns the table and its end. `base`: offset of `bytes`, for errors.
 */
export function readFseTable(
  bytes: Uint8Array,
  start: number,
  most: { readonly log: number; readonly symbols: number },
  base: number,
): { readonly table: FseTable; readonly end: number } {
  const log = bitsAt(bytes, 8 * start, 4) + 5;
  if (log > most.log)
    malformed("out-of-range", base + start, `Zstandard: a table of 2^${log} states, at most 2^${most.log}`);
  const counts: number[] = [];
  let at = 8 * start + 4;
  for (let left = 1 << log; left > 0;) {
    // Values are 0 to left + 1; the first `short` of them take one bit less.
    const width = 32 - Math.clz32(left + 1);
    const short = (1 << width) - 2 - left;
    const low = bitsAt(bytes, at, width - 1);
    const whole = bitsAt(bytes, at, width);
    const value = low < short ? low : whole >= 1 << (width - 1) ? whole - short : whole;
    at += low < short ? width - 1 : width;
    const count = value - 1;
    counts.push(count);
    left -= Math.abs(count);
    if (count === 0) {
      for (let repeat = 3; repeat === 3 && counts.length <= most.symbols; at += 2) {
        repeat = bitsAt(bytes, at, 2);
        for (let i = 0; i < repeat; i++) counts.push(0);
      }
    }
    if (counts.length > most.symbols)
      malformed("out-of-range", base + start, `Zstandard: a table of more than ${most.symbols} symbols`);
  }
  const end = Math.ceil(at / 8);
  if (end > bytes.length) malformed("truncated", base + bytes.length, "Zstandard: a table reaches past its block");
  return { table: buildFseTable(counts, log), end };
}

/** Builds a table. `counts` add up to 2^`log`, where -1 (less than one) counts as one. */
export function buildFseTable(counts: readonly number[], log: number): FseTable {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  let high = size - 1;
  counts.forEach((count, symbol) => {
    if (count === -1) symbols[high--] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let position = 0;
  counts.forEach((count, symbol) => {
    for (let i = 0; i < count; i++) {
      symbols[position] = symbol;
      do position = (position + step) & (size - 1);
      while (position > high);
    }
  });
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  const next = counts.map(Math.abs);
  symbols.forEach((symbol, state) => {
    const occurrence = next[symbol]!++;
    bits[state] = log - (31 - Math.clz32(occurrence));
    bases[state] = (occurrence << bits[state]!) - size;
  });
  return { log, symbols, bits, bases };
}
