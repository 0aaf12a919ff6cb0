// The third recording: which element of shared memory wgmma reads for every element of an operand, for any descriptors. Inputs and
// measurement are those of its descriptors_inputs.py: memory holds digits of its own indices, the other operand is a unit matrix.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Device } from "../../../lib/exec/device/interface.js";
import { deviceOfModule } from "../../exec/kernel.js";
import { encode } from "./encode.js";
import { compareHash, type Engine, kernelText, placeOf, type Tally } from "./runner.js";

interface Kernel {
  readonly name: string;
  readonly N: number;
  readonly K: number;
  readonly nC: number;
  readonly t: string;
  readonly sparse: boolean;
}

/** mode, leading, stride, start, base offset, bits exclusive-ored. */
type Case = readonly number[];

export interface DescriptorGroup {
  readonly kernel: string;
  readonly role: "A" | "B" | "R";
  readonly mode?: number;
  readonly list?: string;
  /** Role R: pairs of them. */
  readonly cases?: readonly (Case | readonly [Case, Case])[];
  /** null: the launch ended with an illegal memory access. */
  readonly hashes: readonly (number | null)[];
}

export interface Descriptors {
  readonly lists: Readonly<Record<string, readonly Case[]>>;
  readonly kernels: readonly Kernel[];
  readonly groups: readonly DescriptorGroup[];
}

export const readDescriptors = (folder: string): Descriptors =>
  JSON.parse(readFileSync(path.join(folder, "descriptors.json"), "utf8")) as Descriptors;

/** Bytes of shared memory; where the tested operand (or A of role R) starts; B of role R. */
const SIZE = 212_992;
const BASE = 16_384;
const BASE_B = 81_920;

const BYTES: Readonly<Record<string, number>> = { f16: 2, bf16: 2, tf32: 4, u8: 1, e4m3: 1 };
/** Whole numbers below are exact. */
const DIGITS: Readonly<Record<string, number>> = { f16: 2048, tf32: 2048, bf16: 256, u8: 256, e4m3: 16 };
/** Sparse: stored element s is column 4 (s / 2) + s % 2, and the same + 2. */
const METADATA = [0x44444444, 0xeeeeeeee];

/** The kernel adds the address of its memory. */
function descriptorWord(base: number, [mode, leading, stride, start, baseOffset, more]: Case): bigint {
  const field = (bytes: number): bigint => BigInt((bytes >> 4) & 0x3fff);
  const word =
    (BigInt(mode!) << 62n) |
    (BigInt(baseOffset!) << 49n) |
    (field(stride!) << 32n) |
    (field(leading!) << 16n) |
    field(base + start!);
  return word ^ BigInt(more ?? 0);
}

const storedOf = ({ K, sparse }: Kernel): number => K / (sparse ? 2 : 1);

function put(image: DataView, type: string, index: number, value: number): void {
  const bytes = BYTES[type]!;
  if (type === "u8") image.setUint8(index, value);
  else if (bytes === 1) image.setUint8(index, Number(encode(type, value)));
  else if (bytes === 2) image.setUint16(2 * index, Number(encode(type, value)), true);
  else image.setFloat32(4 * index, value, true);
}

/** The other operand, at byte 0, K-major without swizzle, and its descriptor. */
function putUnit(image: DataView, kernel: Kernel, role: "A" | "B"): bigint {
  const { t, K, N, sparse } = kernel;
  const [size, stored] = [BYTES[t]!, storedOf(kernel)];
  const stride = (role === "A" ? K : stored) * size * 8;
  for (let r = 0; r < (role === "A" ? N : 64); r++) {
    const s = r % stored;
    const k = role === "B" || !sparse ? s : 4 * (s >> 1) + (s & 1);
    const at = (r >> 3) * stride + ((k * size) >> 4) * 128 + (r & 7) * 16 + ((k * size) & 15);
    if (at + size <= BASE) put(image, t, at / size, 1);
  }
  return (BigInt(stride) << 28n) | (128n << 12n);
}

/** MT19937 by init_genrand(9): its outputs. */
function* mersenne(): Generator<number> {
  const state = new Int32Array(624);
  state[0] = 9;
  for (let i = 1; i < 624; i++) {
    const last = state[i - 1]!;
    state[i] = Math.imul(1812433253, last ^ (last >>> 30)) + i;
  }
  for (;;) {
    for (let i = 0; i < 624; i++) {
      const y = (state[i]! & 0x80000000) | (state[(i + 1) % 624]! & 0x7fffffff);
      state[i] = state[(i + 397) % 624]! ^ (y >>> 1) ^ ((y & 1) === 0 ? 0 : 0x9908b0df);
    }
    for (const word of state) {
      let y = word ^ (word >>> 11);
      y ^= (y << 7) & 0x9d2c5680;
      y ^= (y << 15) & 0xefc60000;
      yield y ^ (y >>> 18);
    }
  }
}

/** Memory of role R. */
function numbersImage(type: string): DataView {
  const image = new DataView(new ArrayBuffer(SIZE));
  const random = mersenne();
  for (let i = 0; i < SIZE / BYTES[type]!; i++) {
    const value = random.next().value! & 0xff;
    put(image, type, i, type === "u8" ? value : (value % 15) - 7);
  }
  return image;
}

interface Measured {
  /** Undefined: the launch ended with an illegal address. */
  readonly tables: readonly Int32Array[] | undefined;
  readonly fault?: string;
}

/** A kernel on a device. */
interface Measuring {
  readonly kernel: Kernel;
  readonly device: Device;
  readonly engine: Engine;
}

type Pair = readonly [a: bigint, b: bigint];

/** D of each pair of descriptors, as whole numbers of 64 x N; undefined where the launch faults. */
async function launch(
  measuring: Measuring,
  image: DataView,
  pairs: readonly Pair[],
  metadata: number,
): Promise<Measured> {
  const { kernel, device, engine } = measuring;
  const { name, nC, N, t } = kernel;
  const words = BigUint64Array.from(pairs.flat());
  const [memory, descriptors] = [device.alloc(image), device.alloc(words)];
  const [d, address] = [device.alloc(pairs.length * nC * 512), device.alloc(4)];
  const u32 = (value: number) => ({ type: "u32", value }) as const;
  const args = [memory, descriptors, d, address, u32(SIZE / 16), u32(metadata)];
  const options = { grid: pairs.length, block: 128, sharedBytes: SIZE, args, engine };
  const { fault } = await device.launch(name, options);
  const results = device.read(d, Int32Array);
  for (const buffer of [memory, descriptors, d, address]) device.free(buffer);
  if (fault !== undefined) return { tables: undefined, fault: `${fault.kind}: ${fault.message}` };
  const floats = new Float32Array(results.buffer, results.byteOffset, results.length);
  const tables = pairs.map((_, i) => {
    const table = new Int32Array(64 * N);
    for (let m = 0; m < 64; m++)
      for (let n = 0; n < N; n++) {
        const register = 4 * (n >> 3) + 2 * ((m >> 3) & 1) + (n & 1);
        const at = (i * nC + register) * 128 + 32 * (m >> 4) + 4 * (m & 7) + ((n & 7) >> 1);
        table[m * N + n] = t === "u8" ? results[at]! : floats[at]!;
      }
    return table;
  });
  return { tables };
}

/** Which element was read for each of an operand: A [64][stored K], B [K][N]; role R: D. */
async function measure(measuring: Measuring, { role }: DescriptorGroup, cases: readonly unknown[]): Promise<Measured> {
  const { kernel } = measuring;
  const { t, N, K, sparse } = kernel;
  if (role === "R") {
    const pairs = (cases as readonly (readonly [Case, Case])[]).map(([a, b]): Pair => [
      descriptorWord(BASE, a),
      descriptorWord(BASE_B, b),
    ]);
    return launch(measuring, numbersImage(t), pairs, METADATA[0]!);
  }
  const [count, stored] = [SIZE / BYTES[t]!, storedOf(kernel)];
  const parts: Int32Array[][] = [];
  for (const metadata of sparse && role === "B" ? METADATA : METADATA.slice(0, 1)) {
    const sums = cases.map(() => new Int32Array(64 * N));
    for (let weight = 1; weight < count; weight *= DIGITS[t]!) {
      const image = new DataView(new ArrayBuffer(SIZE));
      for (let i = BASE / BYTES[t]!; i < count; i++) put(image, t, i, Math.floor(i / weight) % DIGITS[t]!);
      const unit = putUnit(image, kernel, role);
      const pairs = (cases as readonly Case[]).map((each): Pair => {
        const word = descriptorWord(BASE, each);
        return role === "A" ? [word, unit] : [unit, word];
      });
      const { tables, fault } = await launch(measuring, image, pairs, metadata);
      if (tables === undefined) return { tables, ...(fault === undefined ? {} : { fault }) };
      tables.forEach((table, i) => table.forEach((value, at) => (sums[i]![at]! += value * weight)));
    }
    parts.push(sums);
  }
  const [first, second] = parts;
  const tables = first!.map((table, i) => {
    if (role === "A") {
      const columns = Array.from({ length: 64 }, (_, m) => table.subarray(m * N, m * N + stored));
      return Int32Array.from(columns.flatMap((column) => [...column]));
    }
    if (second === undefined) return table.slice(0, stored * N);
    const rows = Array.from({ length: K }, (_, k) => {
      const from = ((k >> 1) & 1) === 0 ? table : second[i]!;
      const s = 2 * (k >> 2) + (k & 1);
      return from.subarray(s * N, (s + 1) * N);
    });
    return Int32Array.from(rows.flatMap((row) => [...row]));
  });
  return { tables };
}

/** One group of descriptors.json. */
export async function runDescriptorGroup(
  group: DescriptorGroup,
  { lists, kernels }: Descriptors,
  text: string,
  engines: readonly Engine[],
  most: number,
): Promise<Tally> {
  const tally: Tally = { compared: 0, equal: 0 };
  const kernel = kernels.find(({ name }) => name === group.kernel)!;
  const cases = group.cases ?? lists[group.list!]!.map((each): Case => [group.mode!, ...each, 0]);
  const numbers = cases.map((_, i) => i).filter((i) => placeOf(i) !== undefined);
  for (const engine of engines) {
    const measuring = { kernel, device: deviceOfModule(kernelText(text, kernel.name)), engine };
    const isFault = (i: number): boolean => group.hashes[placeOf(i)!] === null;
    const whole = numbers.filter((i) => !isFault(i)).slice(0, most);
    if (whole.length > 0) {
      const { tables, fault } = await measure(
        measuring,
        group,
        whole.map((i) => cases[i]),
      );
      whole.forEach((i, at) => {
        const what = `case ${i} on the ${engine} engine${fault === undefined ? "" : `: ${fault}`}`;
        compareHash(
          tally,
          what,
          new Uint32Array(tables?.[at]?.buffer ?? new ArrayBuffer(0)),
          group.hashes[placeOf(i)!]!,
        );
      });
    }
    for (const i of numbers.filter(isFault)) {
      const { fault } = await measure(measuring, group, [cases[i]]);
      tally.compared++;
      if (fault?.startsWith("illegal-address") === true) tally.equal++;
      else tally.difference ??= `case ${i} on the ${engine} engine: ${fault ?? "no fault"}`;
    }
  }
  return tally;
}
