// Decodes compressed blocks of Zstandard (RFC 8878, section 3.1.1.3): literals, and sequences that place them between copies of
// earlier output. Every sequence makes at least three bytes of the output, whose size is fixed, so the work is bounded. Rejected:
// the fzstd package (0.1.1), which continues copying beyond the end of its output: 18 bytes whose 40,000 sequences claim 64 KiB
// each keep it busy for a minute (test/formats/zstd).
import { malformed } from "../bytes/malformed.js";
import { copyMatch } from "../lz4/block.js";
import { checkUsedUp, openBackward, takeBits, takeWide, type BackwardBits } from "./bits.js";
import { buildFseTable, onlySymbol, readFseTable, type FseTable } from "./fse.js";
import { decodeHuffman, readHuffmanTable, type HuffmanTable } from "./huffman.js";
import { literalLengths, matchLengths, offsets, type CodeKind } from "./sequences.table.js";

/** Limit of a block's output in bytes. */
export const MAX_BLOCK_BYTES = 128 * 1024;

/** The state that a block passes to the next one, and the output. */
export interface FrameState {
  readonly out: Uint8Array;
  /** Start of the frame in `out`: no match reaches before it. */
  readonly start: number;
  /** Bytes of `out` written so far. */
  made: number;
  huffman: HuffmanTable | undefined;
  /** In the order of the modes byte: literal lengths, offsets, match lengths. */
  readonly tables: [FseTable | undefined, FseTable | undefined, FseTable | undefined];
  /** The last three offsets, the latest first. */
  readonly recent: [number, number, number];
}

export function newFrame(out: Uint8Array, start: number): FrameState {
  const tables: FrameState["tables"] = [undefined, undefined, undefined];
  return { out, start, made: start, huffman: undefined, tables, recent: [1, 4, 8] };
}

/** `base`: offset of the block in the input, for errors. */
export function decodeBlock(state: FrameState, block: Uint8Array, base: number): void {
  const { literals, end } = readLiterals(state, block, base);
  decodeSequences(state, block, end, literals, base);
}

// ------------------------------------------------------------------------------------------------------------- literals

/** Literals by the two lowest bits of a block. */
const RAW = 0;
const REPEATED = 1;
const TREELESS = 3;

/** Header bytes of compressed literals, and bits of each of its two sizes, by size format. */
const codedHeads = [
  { bytes: 3, bits: 10 },
  { bytes: 3, bits: 10 },
  { bytes: 4, bits: 14 },
  { bytes: 5, bits: 18 },
] as const;

function readLiterals(
  state: FrameState,
  block: Uint8Array,
  base: number,
): { readonly literals: Uint8Array; readonly end: number } {
  const first = block[0] ?? malformed("truncated", base, "Zstandard: an empty compressed block");
  const [kind, format] = [first & 3, (first >> 2) & 3];
  /** The first bytes of the block as one number. */
  const head = (bytes: number): number => {
    if (bytes > block.length) malformed("truncated", base, "Zstandard: the block ends in the head of its literals");
    return block.subarray(0, bytes).reduceRight((value, byte) => value * 256 + byte, 0);
  };
  const checked = (size: number): number =>
    size > MAX_BLOCK_BYTES ? malformed("limit", base, `Zstandard: a block with ${size} literals`) : size;
  const slice = (start: number, size: number): Uint8Array => {
    if (size > block.length - start) malformed("truncated", base, `Zstandard: the block ends in its ${size} literals`);
    return block.subarray(start, start + size);
  };
  if (kind === RAW || kind === REPEATED) {
    const bytes = format === 1 ? 2 : format === 3 ? 3 : 1;
    const size = checked(Math.floor(head(bytes) / (bytes === 1 ? 8 : 16)));
    if (kind === RAW) return { literals: slice(bytes, size), end: bytes + size };
    return { literals: new Uint8Array(size).fill(slice(bytes, 1)[0]!), end: bytes + 1 };
  }
  const { bytes, bits } = codedHeads[format as 0 | 1 | 2 | 3];
  const sizes = Math.floor(head(bytes) / 16);
  const size = checked(sizes % 2 ** bits);
  const coded = slice(bytes, Math.floor(sizes / 2 ** bits));
  let start = 0;
  if (kind !== TREELESS) {
    const { table, end } = readHuffmanTable(coded, 0, base + bytes);
    state.huffman = table;
    start = end;
  }
  const table = state.huffman ?? malformed("malformed", base, "Zstandard: literals use a code that no block gave");
  const literals = new Uint8Array(size);
  const streams = coded.subarray(start);
  if (format === 0) decodeHuffman(table, streams, literals, base + bytes + start);
  else decodeFourStreams(table, streams, literals, base + bytes + start);
  return { literals, end: bytes + coded.length };
}

/** Four streams of literals, preceded by the sizes of the first three. */
function decodeFourStreams(table: HuffmanTable, bytes: Uint8Array, out: Uint8Array, base: number): void {
  const quarter = (out.length + 3) >> 2;
  let at = 6;
  for (let i = 0; i < 4; i++) {
    const size = i === 3 ? bytes.length - at : bytes[2 * i]! | (bytes[2 * i + 1]! << 8);
    if (!(size >= 0 && size <= bytes.length - at) || 3 * quarter > out.length)
      malformed("truncated", base, "Zstandard: the streams of literals do not fit their block");
    const part = out.subarray(i * quarter, i === 3 ? out.length : (i + 1) * quarter);
    decodeHuffman(table, bytes.subarray(at, at + size), part, base + at);
    at += size;
  }
}

// ------------------------------------------------------------------------------------------------------------ sequences

const kinds: readonly [CodeKind, CodeKind, CodeKind] = [literalLengths, offsets, matchLengths];

function decodeSequences(state: FrameState, block: Uint8Array, at: number, literals: Uint8Array, base: number): void {
  const { count, end } = sequenceCount(block, at, base);
  let used = 0;
  if (count > 0) {
    const bits = openTables(state, block, end, base);
    const [lengthTable, offsetTable, matchTable] = state.tables as readonly [FseTable, FseTable, FseTable];
    let lengthState = takeBits(bits, lengthTable.log);
    let offsetState = takeBits(bits, offsetTable.log);
    let matchState = takeBits(bits, matchTable.log);
    for (let i = 0; i < count; i++) {
      const offsetValue = codeValue(offsets, offsetTable, offsetState, bits);
      const matchLength = codeValue(matchLengths, matchTable, matchState, bits);
      const literalLength = codeValue(literalLengths, lengthTable, lengthState, bits);
      if (literalLength > literals.length - used)
        malformed("out-of-range", base, `Zstandard: sequence ${i} takes literals that are not there`);
      if (literalLength > 0) put(state, literals.subarray(used, used + literalLength), base);
      used += literalLength;
      match(state, chosenOffset(state.recent, offsetValue, literalLength), matchLength, base);
      if (i + 1 === count) break;
      lengthState = lengthTable.bases[lengthState]! + takeBits(bits, lengthTable.bits[lengthState]!);
      matchState = matchTable.bases[matchState]! + takeBits(bits, matchTable.bits[matchState]!);
      offsetState = offsetTable.bases[offsetState]! + takeBits(bits, offsetTable.bits[offsetState]!);
      if (bits.left < 0) break;
    }
    checkUsedUp(bits, "sequences");
  }
  put(state, literals.subarray(used), base);
}

function sequenceCount(block: Uint8Array, at: number, base: number): { readonly count: number; readonly end: number } {
  const [first, second, third] = block.subarray(at, at + 3);
  const short = first === undefined || (first > 127 && second === undefined) || (first === 255 && third === undefined);
  if (short) malformed("truncated", base + at, "Zstandard: the block ends in the number of its sequences");
  if (first < 128) return { count: first, end: at + 1 };
  if (first < 255) return { count: ((first - 128) << 8) + second!, end: at + 2 };
  return { count: second! + (third! << 8) + 0x7f00, end: at + 3 };
}

/** Reads the block's tables into the state, and opens the bit stream after them. */
function openTables(state: FrameState, block: Uint8Array, start: number, base: number): BackwardBits {
  const modes = block[start] ?? malformed("truncated", base + start, "Zstandard: the block ends in its modes");
  if ((modes & 3) !== 0) malformed("malformed", base + start, "Zstandard: reserved bits of the modes are set");
  let at = start + 1;
  kinds.forEach((kind, i) => {
    const mode = (modes >> (6 - 2 * i)) & 3;
    if (mode === 0) state.tables[i] = buildFseTable(kind.counts, kind.log);
    else if (mode === 1) {
      const symbol = block[at++] ?? malformed("truncated", base + at, "Zstandard: the block ends in its tables");
      if (symbol >= kind.bits.length)
        malformed("out-of-range", base + at - 1, `Zstandard: there is no code ${symbol} of ${kind.name}`);
      state.tables[i] = onlySymbol(symbol);
    } else if (mode === 2) {
      const { table, end } = readFseTable(block, at, { log: kind.mostLog, symbols: kind.bits.length }, base);
      state.tables[i] = table;
      at = end;
    } else if (state.tables[i] === undefined)
      malformed("malformed", base + start, `Zstandard: a table of ${kind.name} is used again that no block gave`);
  });
  return openBackward(block.subarray(at), base + at);
}

function codeValue(kind: CodeKind, table: FseTable, state: number, bits: BackwardBits): number {
  const code = table.symbols[state]!;
  return kind.bases[code]! + takeWide(bits, kind.bits[code]!);
}

/** Values 1 to 3 select one of the last offsets; without literals, the selection is shifted by one. */
function chosenOffset(recent: FrameState["recent"], value: number, literalLength: number): number {
  const index = value > 3 ? 3 : literalLength === 0 ? value : value - 1;
  if (index === 0) return recent[0];
  const offset = value > 3 ? value - 3 : index === 3 ? recent[0] - 1 : recent[index as 1 | 2];
  if (index !== 1) recent[2] = recent[1];
  recent[1] = recent[0];
  recent[0] = offset;
  return offset;
}

/** Appends bytes to the output. */
export function put(state: FrameState, bytes: Uint8Array, base: number): void {
  checkRoom(state, bytes.length, base);
  state.out.set(bytes, state.made);
  state.made += bytes.length;
}

export function checkRoom({ out, made }: FrameState, bytes: number, base: number): void {
  if (bytes > out.length - made)
    malformed("out-of-range", base, `Zstandard: more than the expected ${out.length} bytes`);
}

function match(state: FrameState, offset: number, length: number, base: number): void {
  checkRoom(state, length, base);
  if (offset < 1 || offset > state.made - state.start)
    malformed(
      "out-of-range",
      base,
      `Zstandard: an offset of ${offset} where ${state.made - state.start} bytes precede it`,
    );
  copyMatch(state.out, state.made, offset, length);
  state.made += length;
}
