// The checker answers everything: any bytes, and modules with a token missing, doubled or moved, give diagnostics and
// never an exception, and what the checker accepts can be assembled and written. A sample has some modules of each
// folder, and some damages of each.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import test from "ava";
import type { Source } from "../../lib/ptx/source-text.js";
import { isAll, least, rounds, sample, topFolder } from "../sample.js";
import { checkModule, checkSource } from "../../lib/check/check.js";
import type { CheckedModule } from "../../lib/check/module.js";
import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/file/write.js";
import { parseModule } from "../../lib/ptx/parse.js";
import { deletions, faultOf, prefixes, process, tokensOf } from "./damage.js";

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));
const read = (name: string): Uint8Array => readFileSync(path.join(testdata, name));

/**
 * Folders and files with intended errors: hostile input, incomplete modules, situations with recorded messages, 32-bit
 * addresses in a cubin's source, the frame of decisions.test.ts, an out-of-bounds access for the sanitizer, and
 * templates of microbenchmarks.
 */
const FAULTY = [
  "hostile",
  path.join("link", "situations", "04-versions"),
  path.join("inspect", "cubins", "copies.ptx"),
  path.join("check", "decisions.ptx"),
  path.join("sanitize", "bounds.ptx"),
  path.join("hardware", "h200", "timing", "micro"),
];
const all = readdirSync(testdata, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ptx"));
const ours = all.filter((name) => !name.endsWith("prelude.ptx") && !FAULTY.some((folder) => name.startsWith(folder)));

test("every module of testdata is clean", (t) => {
  t.true(ours.length > 70);
  for (const name of sample(ours, 12, { kind: topFolder })) {
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
    { seed: 7, numRuns: rounds(2000, 12) },
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
    { seed: 8, numRuns: rounds(500, 12) },
  );
});

for (const damage of [prefixes, deletions]) {
  test(`a sample of the ${damage.name} of every module is answered`, (t) => {
    let answered = 0;
    const some = sample([...ours.entries()], 32, { name: ([, each]) => each, kind: ([, each]) => topFolder(each) });
    for (const [at, name] of some) {
      for (const damaged of damage(read(name), { first: at % 97, step: isAll ? 97 : 4 * 97 })) {
        t.is(faultOf(damaged), undefined, `${name}, ${damaged.what}`);
        answered++;
      }
    }
    t.true(answered > least(some.length));
  });
}

test("matmul without any one of its tokens is answered, and mostly refused", (t) => {
  const each = [...deletions(read("programs/matmul/matmul.ptx"), { first: 0, step: 1 })];
  t.true(each.length > 500);
  const all = sample(each, 16, { name: ({ what }) => what });
  for (const damaged of all) t.is(faultOf(damaged), undefined, damaged.what);
  t.true(all.filter(({ bytes }) => process(bytes).errorCount > 0).length > all.length / 2);
});

for (const name of ["programs/matmul/matmul.ptx", "demo/march.ptx", "programs/printf/printf.ptx"]) {
  const bytes = read(name);
  const tokens = tokensOf(bytes);

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
      { seed: 9, numRuns: rounds(300, 12) },
    );
  });
}

test("a module checked body by body from its text gives what its whole tree gives", (t) => {
  const names = sample(all, 48, { kind: topFolder });
  const outcome = (check: (source: Source, sink: DiagnosticSink) => CheckedModule, name: string): string => {
    const sink = createSink();
    const module = check({ name, bytes: read(name) }, sink);
    const written = sink.errorCount === 0 ? Buffer.from(writeObject(assemble(module))).toString("hex") : "";
    return JSON.stringify([sink.all, written]);
  };
  for (const name of names) {
    const whole = outcome((source, sink) => checkModule(parseModule(source, sink), sink), name);
    if (outcome(checkSource, name) !== whole) t.fail(name);
  }
  t.pass();
});
