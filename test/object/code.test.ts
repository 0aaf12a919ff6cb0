import test from "ava";
import fc from "fast-check";
import { rounds } from "../sample.js";
import { decodeFunction, readSlots } from "../../lib/object/code/decode.js";
import { encodeFunction } from "../../lib/object/code/encode.js";
import type { Code } from "../../lib/isa/code.js";
import { code, type } from "./build.js";
import { richCode } from "./samples.js";

const encode = (names: boolean) =>
  encodeFunction(richCode([0, 1, 2]), (s) => (["global", "const", "function"] as const)[s]!, { names });

test("decoding encoded code gives the same code, with slots for symbols", (t) => {
  const encoded = encode(true);
  t.deepEqual(
    encoded.slots.map(({ symbol, space, offset }) => [symbol, space, offset]),
    [
      [2, "function", 16],
      [0, "global", 24],
      [1, "const", 32],
    ],
  );
  const decoded = decodeFunction(encoded.bytes);
  if (!decoded.ok) return t.fail(decoded.error.what);
  t.deepEqual(decoded.value.code, richCode([1, 2, 0]));
  t.deepEqual(
    decoded.value.slots.map(({ word }) => word),
    [0n, 0n, 0n],
  );
});

test("code without names keeps everything else", (t) => {
  const decoded = decodeFunction(encode(false).bytes);
  if (!decoded.ok) return t.fail(decoded.error.what);
  const anonymous = (of: Code) => ({
    ...of,
    registers: of.registers.map((r) => ({ ...r, name: "" })),
    variables: of.variables.map((v) => ({ ...v, name: "" })),
    labels: [],
    branchTargets: of.branchTargets.map((v) => ({ ...v, name: "" })),
    callTargets: of.callTargets.map((v) => ({ ...v, name: "" })),
    prototypes: of.prototypes.map((v) => ({ ...v, name: "" })),
  });
  t.deepEqual(anonymous(decoded.value.code), anonymous(richCode([1, 2, 0])));
  t.is(new Set(decoded.value.code.registers.map((r) => r.name)).size, 8);
  t.true(encode(false).bytes.length < encode(true).bytes.length);
});

test("patching a slot's word leaves the other code unchanged", (t) => {
  const { bytes } = encode(true);
  new DataView(bytes.buffer).setBigUint64(24, 0x1234n, true);
  const decoded = decodeFunction(bytes);
  if (!decoded.ok) return t.fail(decoded.error.what);
  t.deepEqual(decoded.value.code, richCode([1, 2, 0]));
  const slots = readSlots(bytes);
  t.deepEqual(slots.ok && slots.value.map((s) => s.word), [0n, 0x1234n, 0n]);
});

test("a common instruction takes few bytes", (t) => {
  const loads = (n: number) => {
    const { instructions, registers } = richCode([0, 0, 0]);
    const add = instructions[2]!;
    return encodeFunction(
      code(
        registers,
        Array.from({ length: n }, (_, i) => ({ ...add, line: 10 + i })),
      ),
      () => "global",
    ).bytes.length;
  };
  t.is((loads(1000) - loads(500)) / 500, 6, "a guarded load: head, guard, register, base, offset, policy");
});

test("many declared registers are kept, and a few bytes cannot declare too many", (t) => {
  const registers = Array.from({ length: 5000 }, (_, i) => ({ name: `%r${i}`, type: type("b32"), vector: 1 as const }));
  const { bytes } = encodeFunction(code(registers, []), () => "global");
  const decoded = decodeFunction(bytes);
  t.is(decoded.ok && decoded.value.code.registers.length, 5000);
  const short = decodeFunction(bytes.subarray(0, 100));
  t.is(short.ok ? "" : short.error.code, "limit");
});

test("truncated code is refused at every length", (t) => {
  const { bytes } = encode(true);
  for (let length = 0; length < bytes.length; length++)
    t.false(decodeFunction(bytes.subarray(0, length)).ok, `${length}`);
});

test("damaged bytes never throw", (t) => {
  const { bytes } = encode(true);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (damage) => {
      const copy = bytes.slice();
      for (const [offset, value] of damage) copy[offset] = value;
      decodeFunction(copy);
    }),
    { numRuns: rounds(3000, 8) },
  );
  t.pass();
});
