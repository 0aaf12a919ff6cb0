// The checker answers everything: bytes that are no PTX at all, right modules with a token missing, doubled or moved, all
// give diagnostics and never an exception; and what passes the checker can be assembled and written.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import test from "ava";
import { checkModule } from "../../lib/check/check.js";
import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/write.js";
import { tokenize } from "../../lib/ptx/lexer.js";
import { parseModule } from "../../lib/ptx/parse.js";

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));
const read = (name: string): Uint8Array => readFileSync(path.join(testdata, name));

/** Through the whole of `ptxkit as`. */
function process(bytes: Uint8Array): DiagnosticSink {
  const sink = createSink();
  const module = checkModule(parseModule({ name: "a.ptx", bytes }, sink), sink);
  if (sink.errorCount === 0) writeObject(assemble(module));
  return sink;
}

/** Where each token begins and ends, bytes. */
function tokensOf(bytes: Uint8Array): readonly (readonly [number, number])[] {
  const { tokens } = tokenize(bytes);
  return Array.from({ length: tokens.count }, (_, i) => [tokens.starts[i]!, tokens.ends[i]!] as const).filter(
    ([start, end]) => end > start,
  );
}

const ours = readdirSync(testdata, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ptx") && !name.startsWith("hostile") && !name.endsWith("prelude.ptx"),
);

test("every module of testdata is clean", (t) => {
  t.true(ours.length > 70);
  for (const name of ours) {
    t.deepEqual(
      process(read(name)).all.map(({ message }) => message),
      [],
      name,
    );
  }
});

test("any bytes give diagnostics", (t) => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ maxLength: 200 }).map((text) => new TextEncoder().encode(text)),
    fc
      .uint8Array({ maxLength: 100 })
      .map((tail) => Buffer.concat([Buffer.from(".version 8.5\n.target sm_90\n.address_size 64\n"), tail])),
  );
  fc.assert(
    fc.property(bytes, (some) => {
      t.true(process(some).all.every(({ message }) => message.length > 0));
    }),
    { seed: 7, numRuns: 2000 },
  );
});

test("one byte changed anywhere gives diagnostics, or another right module", (t) => {
  const original = read("programs/matmul/matmul.ptx");
  fc.assert(
    fc.property(fc.nat(original.length - 1), fc.nat(255), (at, value) => {
      const changed = original.slice();
      changed[at] = value;
      t.notThrows(() => process(changed));
    }),
    { seed: 8, numRuns: 500 },
  );
});

for (const name of ["programs/matmul/matmul.ptx", "demo/march.ptx", "programs/printf/printf.ptx"]) {
  const bytes = read(name);
  const tokens = tokensOf(bytes);
  const without = (start: number, end: number): Uint8Array =>
    Buffer.concat([bytes.subarray(0, start), Buffer.from(" "), bytes.subarray(end)]);

  test(`${name} without any one of its tokens gives diagnostics, or another right module`, (t) => {
    t.true(tokens.length > 500);
    let refused = 0;
    for (const [start, end] of tokens) if (process(without(start, end)).errorCount > 0) refused++;
    t.true(refused > tokens.length / 2);
  });

  test(`${name} with a run of tokens repeated elsewhere gives diagnostics, or another right module`, (t) => {
    const index = fc.nat(tokens.length - 1);
    fc.assert(
      fc.property(index, fc.integer({ min: 1, max: 12 }), index, (first, count, where) => {
        const last = tokens[Math.min(first + count, tokens.length) - 1]!;
        const run = bytes.subarray(tokens[first]![0], last[1]);
        const at = tokens[where]![0];
        const moved = [bytes.subarray(0, at), Buffer.from(" "), run, Buffer.from(" "), bytes.subarray(at)];
        t.notThrows(() => process(Buffer.concat(moved)));
      }),
      { seed: 9, numRuns: 300 },
    );
  });
}
