// Huffman codes of Zstandard (RFC 8878, section 4.2), which encode the literals of a block.
import { malformed } from "../bytes/malformed.js";
import { bitsAt, checkUsedUp, openBackward, takeBits } from "./bits.js";
import { readFseTable } from "./fse.js";

/** For each value of the next `log` bits: the byte whose code they begin with, and the length of that code. */
export interface HuffmanTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
}

const MAX_BITS = 11;

/** Reads the description of a code at `start` of `bytes`; returns the code and its end. */
export function readHuffmanTable(
  bytes: Uint8Array,
  start: number,
  base: number,
): { readonly table: HuffmanTable; readonly end: number } {
  const head = bytes[start] ?? 0;
  const size = head < 128 ? head : (head - 126) >> 1;
  const end = start + 1 + size;
  if (end > bytes.length) malformed("truncated", base + start, "Zstandard: the Huffman code reaches past its block");
  const weights =
    head < 128
      ? codedWeights(bytes.subarray(start + 1, end), base + start + 1)
      : Array.from({ length: head - 127 }, (_, i) =>
          bitsAt(bytes, 8 * (start + 1) + (i % 2 === 0 ? 4 * i + 4 : 4 * i - 4), 4),
        );
  return { table: buildTable(weights, base + start), end };
}

/** Decodes weights that are coded with two alternating states. */
function codedWeights(bytes: Uint8Array, base: number): number[] {
  const { table, end } = readFseTable(bytes, 0, { log: 6, symbols: 256 }, base);
  const bits = openBackward(bytes.subarray(end), base + end);
  const states = [takeBits(bits, table.log), takeBits(bits, table.log)];
  const weights: number[] = [];
  for (let turn = 0; weights.length <= 255; turn ^= 1) {
    const state = states[turn]!;
    weights.push(table.symbols[state]!);
    const count = table.bits[state]!;
    if (bits.left < count) {
      weights.push(table.symbols[states[turn ^ 1]!]!);
      break;
    }
    states[turn] = table.bases[state]! + takeBits(bits, count);
  }
  return weights;
}

/** Builds the table. The last symbol's weight is not stored: it completes the code. */
function buildTable(weights: readonly number[], at: number): HuffmanTable {
  const wrong = (what: string): never => malformed("malformed", at, `Zstandard: a Huffman code ${what}`);
  if (weights.length > 255) wrong("of more than 256 symbols");
  const sum = weights.reduce((total, weight) => total + (weight === 0 ? 0 : 2 ** (weight - 1)), 0);
  if (sum === 0) wrong("of no symbols");
  const log = Math.floor(Math.log2(sum)) + 1;
  if (log > MAX_BITS) wrong(`of more than ${MAX_BITS} bits`);
  const rest = 2 ** log - sum;
  if ((rest & (rest - 1)) !== 0) wrong("that is not complete");
  const all = [...weights, Math.log2(rest) + 1];
  const symbols = new Uint8Array(1 << log);
  const bits = new Uint8Array(1 << log);
  let position = 0;
  for (let weight = 1; weight <= log; weight++) {
    all.forEach((of, symbol) => {
      if (of !== weight) return;
      const end = position + (1 << (weight - 1));
      symbols.fill(symbol, position, end);
      bits.fill(log + 1 - weight, position, end);
      position = end;
    });
  }
  return { log, symbols, bits };
}

/** Fills `out` from a stream of codes, which must end with it. */
export function decodeHuffman(table: HuffmanTable, bytes: Uint8Array, out: Uint8Array, base: number): void {
  const bits = openBackward(bytes, base);
  const { log, symbols, bits: lengths } = table;
  for (let i = 0; i < out.length && bits.left >= 0; i++) {
    const code = bitsAt(bytes, bits.left - log, log);
    out[i] = symbols[code]!;
    bits.left -= lengths[code]!;
  }
  checkUsedUp(bits, "literals");
}
