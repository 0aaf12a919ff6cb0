// Malformed bitcode gives a diagnostic at a byte of the file: each prefix of small files, and mutants. A sample has one
// in 8 of both.

import { readFileSync } from "node:fs";
import test from "ava";
import { rounds, sample } from "../../sample.js";
import { createSink } from "../../../lib/diag/sink.js";
import { readBitcode } from "../../../lib/nvvm/bitcode/read.js";

const folder = new URL("../../../../testdata/nvvm/bitcode/", import.meta.url);

/** Random numbers in [0, 1), the same on every run. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Reads the module with all its bodies, and returns whether it is valid. Exceptions pass. */
function isGood(bytes: Uint8Array): boolean {
  const sink = createSink();
  const module = readBitcode({ name: "a.bc", bytes }, sink);
  for (const { attachments, body } of module?.functions ?? []) if (attachments.length >= 0) body?.read(sink);
  for (const { place } of sink.all)
    if (place?.kind !== "bytes" || place.offset > bytes.length) throw new Error(`place ${JSON.stringify(place)}`);
  if (module === undefined && sink.errorCount === 0) throw new Error("no module, and no reason");
  return sink.errorCount === 0;
}

for (const name of ["typed.bc", "opaque.bc"]) {
  const bytes = readFileSync(new URL(name, folder));

  test(`each prefix of ${name}`, (t) => {
    t.true(isGood(bytes));
    const lengths = Array.from({ length: Math.ceil(bytes.length / 17) }, (_, i) => 17 * i);
    for (const length of sample(lengths, 8)) isGood(bytes.subarray(0, length));
    t.false(isGood(bytes.subarray(0, bytes.length >> 1)));
  });

  test(`mutants of ${name}`, (t) => {
    const random = seededRandom(1);
    const mutants = rounds(300, 8);
    let good = 0;
    for (let i = 0; i < mutants; i++) {
      const mutant = Uint8Array.from(bytes);
      for (let flips = 1 + Math.floor(random() * 3); flips > 0; flips--)
        mutant[Math.floor(random() * mutant.length)]! ^= 1 << Math.floor(random() * 8);
      if (isGood(mutant)) good++;
    }
    t.true(good < mutants / 2);
  });
}
