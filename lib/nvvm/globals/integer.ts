// Integer arithmetic of constant expressions, on unsigned bits of a width (LLVM Language Reference, "Binary Operations").

/** The result of a binary opcode; undefined for others, and for undefined results such as division by zero. */
export function computeBits(opcode: string, a: bigint, b: bigint, width: number): bigint | undefined {
  const signed = (value: bigint): bigint => BigInt.asIntN(width, value);
  const wrap = (value: bigint): bigint => BigInt.asUintN(width, value);
  const isShift = opcode === "shl" || opcode === "lshr" || opcode === "ashr";
  // Poison: any value is valid, such as zero.
  if (isShift && b >= BigInt(width)) return 0n;
  switch (opcode) {
    case "add":
      return wrap(a + b);
    case "sub":
      return wrap(a - b);
    case "mul":
      return wrap(a * b);
    case "udiv":
      return b === 0n ? undefined : a / b;
    case "urem":
      return b === 0n ? undefined : a % b;
    case "sdiv":
      return b === 0n ? undefined : wrap(signed(a) / signed(b));
    case "srem":
      return b === 0n ? undefined : wrap(signed(a) % signed(b));
    case "shl":
      return wrap(a << b);
    case "lshr":
      return a >> b;
    case "ashr":
      return wrap(signed(a) >> b);
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    default:
      return undefined;
  }
}

type Test = (a: bigint, b: bigint) => boolean;

const tests: Readonly<Record<string, Test>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
};

/** 1 or 0, by the predicate of an icmp. */
export function compareBits(predicate: string, a: bigint, b: bigint, width: number): bigint | undefined {
  const isSigned = predicate.startsWith("s");
  const test = tests[predicate] ?? tests[predicate.slice(1)];
  if (test === undefined) return undefined;
  const value = (bits: bigint): bigint => (isSigned ? BigInt.asIntN(width, bits) : bits);
  return test(value(a), value(b)) ? 1n : 0n;
}
