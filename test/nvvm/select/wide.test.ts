// Integers of every width, compared with exact arithmetic. No other compiler divides integers of more than 64 bits.

import test from "ava";
import { randomFrom } from "../../oracle/random.js";
import { bytesOf, integerAt, joined, runKernel } from "./run.js";

const room = 32;

/** A kernel that applies each operation to each pair: 16 threads. */
function kernelOf(bits: number, operations: readonly string[]): string {
  const type = `i${bits}`;
  const stores = operations.map((operation, i) => {
    const text = operation.includes("$") ? operation : `${operation} ${type} %a, %b`;
    return `  %r${i} = ${text.replaceAll("$T", type)}
  %o${i} = getelementptr i8, ptr %to, i64 ${i * room}
  store ${operation.includes("icmp") ? "i1" : type} %r${i}, ptr %o${i}, align 16`;
  });
  return `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %i = mul i64 %w, ${2 * room}
  %from = getelementptr i8, ptr %in, i64 %i
  %j = mul i64 %w, ${operations.length * room}
  %to = getelementptr i8, ptr %out, i64 %j
  %second = getelementptr i8, ptr %from, i64 ${room}
  %a = load ${type}, ptr %from, align 16
  %b = load ${type}, ptr %second, align 16
${stores.join("\n")}
  ret void
}`;
}

type Meaning = (a: bigint, b: bigint, bits: number) => bigint;

const signed = (value: bigint, bits: number): bigint => BigInt.asIntN(bits, value);
const meanings: Readonly<Record<string, Meaning>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  udiv: (a, b) => a / b,
  urem: (a, b) => a % b,
  sdiv: (a, b, bits) => signed(a, bits) / signed(b, bits),
  srem: (a, b, bits) => signed(a, bits) % signed(b, bits),
  xor: (a, b) => a ^ b,
  "icmp ult $T %a, %b": (a, b) => (a < b ? 1n : 0n),
  "icmp sle $T %a, %b": (a, b, bits) => (signed(a, bits) <= signed(b, bits) ? 1n : 0n),
  "icmp eq $T %a, %b": (a, b) => (a === b ? 1n : 0n),
};

for (const bits of [7, 31, 63, 65, 96, 128, 200]) {
  test(`arithmetic of i${bits}`, async (t) => {
    const { below } = randomFrom(bits);
    const any = (): bigint => {
      const digits = Array.from({ length: 8 }, () => BigInt(below(2 ** 16)) | (BigInt(below(2 ** 16)) << 16n));
      const whole = digits.reduce((sum, digit) => (sum << 32n) | digit, 0n);
      const edges = [
        1n,
        -1n,
        1n << BigInt(bits - 1),
        (1n << BigInt(bits - 1)) - 1n,
        whole >> BigInt(below(256)),
        whole,
      ];
      return BigInt.asUintN(bits, edges[below(edges.length)]!);
    };
    const pairs = Array.from({ length: 16 }, () => {
      const [a, b] = [any(), any()];
      // Avoids division by zero, and of the least number by -1.
      return [a, b === 0n || BigInt.asIntN(bits, b) === -1n ? 3n : b] as const;
    });
    const names = Object.keys(meanings);
    const input = joined(pairs.flatMap(([a, b]) => [bytesOf(a, room), bytesOf(b, room)]));
    const { bytes, fault } = await runKernel(kernelOf(bits, names), input, 16 * names.length * room, 16);
    t.is(fault, undefined);
    const size = Math.ceil(bits / 8);
    pairs.forEach(([a, b], thread) => {
      names.forEach((name, i) => {
        const isTest = name.startsWith("icmp");
        const found = integerAt(bytes, (thread * names.length + i) * room, isTest ? 1 : size);
        t.is(found, BigInt.asUintN(isTest ? 1 : bits, meanings[name]!(a, b, bits)), `${name} i${bits} ${a}, ${b}`);
      });
    });
  });
}
