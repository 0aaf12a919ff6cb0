// Diagnostics compared with the record of links, in words and order; a link with only warnings must also give the same
// image. Inputs: the matrix of conflicts (a sample has one in 32), cases written for this test, and random sets of
// modules, some omitted, repeated or changed.

import test from "ava";
import fc from "fast-check";
import { rounds, sample } from "../../sample.js";
import { matrixNames, readMatrixFile, textsOf } from "../../oracle/matrix.js";
import { fileOf, joined, linkQuietly, program, withRecord } from "./links.js";
import { moduleText } from "../build.js";
import { randomSets } from "../random-graph.js";
import type { PassOptions } from "../../../lib/link/state/options.js";

const { agree, testRecord } = withRecord(import.meta.url);

const lenient: PassOptions = {
  allowDuplicates: true,
  warnCommon: true,
  warnUndefined: true,
  detectOdrViolations: true,
};
const allOptions: readonly PassOptions[] = [
  {},
  lenient,
  { allowUndefined: () => true },
  { gcSections: true },
  { ...lenient, gcSections: true },
  { relocatable: true },
  { ...lenient, relocatable: true },
];

test("diagnostics of the matrix of linkages and conflicts", (t) => {
  let plain = 0;
  let all = 0;
  for (const name of sample(matrixNames(), 32)) {
    const [order] = readMatrixFile(name).expect.flatMap(({ orders }) => orders);
    if (order === undefined) continue;
    const files = textsOf(name, order).map(fileOf);
    for (const options of allOptions) {
      all++;
      if (agree(t, files, `${name} ${order} ${JSON.stringify(options)}`, options)) plain++;
    }
  }
  t.true(plain > 0.9 * all, `${plain} of ${all} were plain`);
});

/** Module bodies that cause diagnostics. */
const situations: Readonly<Record<string, readonly string[]>> = {
  "undefined symbols, with what may have been meant": [
    ".extern .func _Z5shadef();\n.extern .func hidden();\n.extern .global .u32 far;\n.extern .func nowhere();\n.extern .func fft_one();\n" +
      ".visible .entry k() { .reg .u64 %d; mov.u64 %d, far; call _Z5shadef; call hidden; call nowhere; call fft_one; ret; }\n" +
      ".func dead() { call hidden; ret; }\n.global .u64 table[3] = {0, far, generic(far)+4};",
    ".visible .func _Z5shaded() { ret; }\n.func hidden() { ret; }\n.visible .global .u32 fars;\n.extern .func unused();\n" +
      ".visible .func fft_a() { ret; }\n.visible .func fft_b() { ret; }\n.visible .func fft_c() { ret; }",
    ".extern .func nowhere();\n.extern .global .align 16 .u32 far[];\n.weak .func other() { call nowhere; ret; }\n.extern .const .u32 bank[2];\n" +
      ".visible .func uses() { .reg .u32 %r; ld.const.u32 %r, [bank+4]; ret; }",
  ],
  "definitions that are doubled": [
    ".visible .global .u32 v = 1;\n.visible .func f() { ret; }\n.visible .const .u64 c[2] = {v, generic(v)+4};\n.visible .entry k() { ret; }",
    ".visible .global .u32 v = 2;\n.visible .func f() { call f; ret; }\n.visible .const .u64 c[2] = {v, generic(v)+8};\n.visible .entry k() { ret; }",
    ".visible .global .u32 v = 1;\n.weak .func f() { ret; }\n.extern .const .u64 c[2];\n.common .global .u32 w;",
    ".weak .global .u32 w = 3;\n.visible .global .f32 v;",
  ],
  "declarations that do not fit": [
    ".visible .global .align 4 .u32 a[4];\n.visible .global .u32 b;\n.visible .func (.param .b32 r) f(.param .b32 x) { ret; }",
    ".extern .global .align 16 .u32 a[4];\n.extern .global .f32 b;\n.extern .func (.param .b32 r) f(.param .b64 x);",
    ".extern .global .align 16 .u32 a[4];\n.extern .global .u64 b;\n.extern .func f();\n.visible .entry k() { .reg .u64 %d; mov.u64 %d, a; ret; }",
    ".extern .const .u32 a[4];\n.extern .func b();\n.extern .global .u32 f;",
  ],
  "weak definitions that say other things": [
    ".weak .func f() { ret; }\n.weak .global .u32 v = 1;\n.weak .global .u64 p[1] = {v};\n.func own() { call f; ret; }",
    ".weak .func f() { bar.sync 0; ret; }\n.weak .global .u32 v = 2;\n.weak .global .align 16 .u64 p[1] = {f};\n.func own() { ret; }",
    ".visible .func f() { ret; }\n.weak .global .u32 v = 1;\n.weak .global .f64 p[1];\n.visible .entry k() { call f; ret; }",
  ],
  "common variables": [
    ".common .global .u32 c[3];\n.common .global .u32 d;\n.extern .global .align 32 .u32 e[2];\n.visible .entry k() { .reg .u64 %d; mov.u64 %d, e; ret; }",
    ".common .global .align 16 .u32 c[2];\n.visible .global .u32 d = 1;\n.common .global .u32 e[2];",
    ".common .global .f32 c[3];\n.weak .global .u32 d = 2;\n.common .global .u32 e[1];",
  ],
  "textures that begin otherwise": [
    ".visible .global .texref t = { width = 3 };\n.extern .global .surfref u;\n.visible .global .texref same = { width = 3 };",
    ".visible .global .texref t = { width = 4, normalized_coords = 1 };\n.visible .global .surfref u = { height = 2 };",
    ".visible .global .texref t;\n.extern .global .texref same;\n.global .surfref u;",
    ".visible .global .texref t = { width = 3 };\n.visible .global .texref same = { width = 3 };",
  ],
  "kernels of one name": [
    ".entry k() { .shared .u32 s[2]; st.shared.u32 [s], 1; ret; }\n.visible .entry other(.param .u32 a) { ret; }",
    ".entry k(.param .u64 p) { .shared .u64 s[3]; st.shared.u64 [s], 1; ret; }",
  ],
};

test("diagnostics of situations, in both orders, separately and joined before", (t) => {
  for (const [what, bodies] of Object.entries(situations)) {
    const files = bodies.map((body, i) => fileOf(moduleText(body), i));
    for (const options of sample(allOptions, 4, { name: (each) => what + JSON.stringify(each) })) {
      t.true(agree(t, files, `${what} ${JSON.stringify(options)}`, options));
      t.true(agree(t, files.toReversed(), `${what}, turned around ${JSON.stringify(options)}`, options));
    }
    if (what !== "definitions that are doubled" && what !== "declarations that do not fit")
      t.true(agree(t, [joined(files.slice(0, 2)), ...files.slice(2)], `${what}, joined`));
  }
});

test("diagnostics of incompatible targets", (t) => {
  const files = [...program(2, "sm_80"), ...program(1, "sm_90"), ...program(1, "sm_75")];
  t.true(agree(t, files, "the first one's"));
  t.true(agree(t, files, "one that is asked for", { arch: "sm_86" }));
  t.true(agree(t, files, "that of another", { leader: 2 }));
});

test("diagnostics of random sets with modules left out, doubled or changed", (t) => {
  let plain = 0;
  const changes = fc.record({
    left: fc.nat({ max: 3 }),
    doubled: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
    changed: fc.nat({ max: 3 }),
    change: fc.constantFrom<readonly [RegExp, string]>(
      [/\.align 4/g, ".align 8"],
      [/\.u32/g, ".f32"],
      [/\.weak/g, ".visible"],
      [/\.extern \.global/g, ".extern .const"],
      [/\.visible/g, ".weak"],
    ),
    options: fc.constantFrom(...allOptions),
  });
  fc.assert(
    fc.property(randomSets, changes, ({ modules }, { left, doubled, changed, change, options }) => {
      const texts = modules.map((text, i) => (i === changed ? text.replace(...change) : text));
      const some = [...texts.filter((_, i) => i !== left), ...(doubled === undefined ? [] : [modules[doubled]!])];
      const files = some.flatMap((text, i) => {
        try {
          return [fileOf(text, i)];
        } catch {
          // The change itself caused the error.
          return [];
        }
      });
      if (files.length > 0 && agree(t, files, some.join("\n"), options)) plain++;
    }),
    { numRuns: rounds(150, 8) },
  );
  t.true(plain * 2 > rounds(150, 8), `${plain} were plain`);
});

test("a link with findings and without a sink writes nothing", (t) => {
  const linked = (...bodies: readonly string[]) => linkQuietly(bodies.map((body, i) => fileOf(moduleText(body), i)));
  t.is(linked(".visible .global .u32 a;", ".extern .global .align 8 .u32 a;"), undefined);
  t.is(linked(".extern .global .u32 a;"), undefined);
});

testRecord();
