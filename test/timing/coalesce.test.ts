// Coalescing, against the rule written out plainly.

import test from "ava";
import fc from "fast-check";
import { createCoalescer, describeAccess } from "../../lib/timing/record/coalesce.js";

/** Sectors of each line, and the data stage's cycles. */
function plainly(addresses: readonly number[], active: number, bytes: number): unknown {
  const lanes = addresses.filter((_, lane) => ((active >>> lane) & 1) !== 0);
  const sectors = new Set<number>();
  const words = new Set<number>();
  for (const address of lanes)
    for (let i = 0; i < bytes; i++) {
      sectors.add(Math.floor((address + i) / 32));
      words.add(Math.floor((address + i) / 4));
    }
  const banks = new Map<number, number>();
  for (const word of words) banks.set(word % 32, (banks.get(word % 32) ?? 0) + 1);
  const lines = new Set([...sectors].map((sector) => Math.floor(sector / 4)));
  return {
    sectors: [...sectors].sort((a, b) => a - b),
    wavefronts: Math.max(...banks.values(), Math.ceil(lines.size / 4)),
  };
}

test("lines, sectors and cycles follow the rule", (t) => {
  const coalescer = createCoalescer();
  const { footprint } = coalescer;
  const lanes = (bytes: number): fc.Arbitrary<readonly number[]> =>
    fc.oneof(
      fc.array(fc.nat(400), { minLength: 32, maxLength: 32 }).map((items) => items.map((n) => 2 ** 32 + n * bytes)),
      fc
        .tuple(fc.nat(100), fc.nat(40))
        .map(([from, step]) => Array.from({ length: 32 }, (_, i) => (from + i * step) * bytes)),
    );
  const cases = fc.constantFrom(1, 2, 4, 8, 16).chain((bytes) => fc.tuple(fc.constant(bytes), lanes(bytes)));
  fc.assert(
    fc.property(cases, fc.oneof(fc.constant(-1), fc.integer()), ([bytes, addresses], mask) => {
      const active = mask === 0 ? 1 : mask;
      describeAccess(
        coalescer,
        { space: "global", bytes, barrier: -1, addresses: Float64Array.from(addresses) },
        active,
        0,
        false,
      );
      const found = Array.from(footprint.lines.subarray(0, footprint.lineCount)).flatMap((entry) =>
        [0, 1, 2, 3].filter((i) => ((entry % 16) >> i) & 1).map((i) => Math.floor(entry / 16) * 4 + i),
      );
      t.deepEqual(
        { sectors: found.sort((a, b) => a - b), wavefronts: footprint.wavefronts },
        plainly(addresses, active, bytes),
      );
    }),
    { numRuns: 500 },
  );
});

test("local memory at one offset in all lanes is one line", (t) => {
  const coalescer = createCoalescer();
  const { footprint } = coalescer;
  describeAccess(
    coalescer,
    { space: "local", bytes: 4, addresses: new Float64Array(32).fill(64), barrier: -1 },
    -1,
    3,
    false,
  );
  t.is(footprint.lineCount, 1);
  t.is(footprint.lines[0]! % 16, 15);
});
