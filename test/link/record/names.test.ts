// --wrap, --export and --localize, compared with the record of links: output and diagnostics.

import test from "ava";
import fc from "fast-check";
import type { VisibilityRule } from "../../../lib/link/resolve/visibility-rules.js";
import { rounds } from "../../sample.js";
import { fileOf, joined, withRecord } from "./links.js";
import { moduleText } from "../build.js";
import { randomSets } from "../random-graph.js";

const { agree, testRecord } = withRecord(import.meta.url);

const rule: fc.Arbitrary<VisibilityRule> = fc.record({
  to: fc.constantFrom("export", "localize"),
  pattern: fc.constantFrom("s*", "s1*", "*2", "s[0-5]*", "s1", "s2", "s3"),
});

test("--wrap, --localize and --export on random sets, with and without --gc-sections, also where some were joined before", (t) => {
  const how = fc.record({
    visibility: fc.array(rule, { maxLength: 2 }),
    wraps: fc.boolean(),
    isJoined: fc.boolean(),
    gcSections: fc.boolean(),
    keepExports: fc.boolean(),
  });
  let plain = 0;
  fc.assert(
    fc.property(randomSets, how, ({ modules }, { visibility, wraps, isJoined, gcSections, keepExports }) => {
      const wrapped = (text: string): string =>
        text.replaceAll(/\bs3\b/g, "__wrap_s2").replaceAll(/\bs5\b/g, "__real_s2");
      const files = modules.map((text, i) => fileOf(wraps ? wrapped(text) : text, i));
      const given = isJoined ? [joined(files.slice(0, 3)), files[3]!] : files;
      const options = { gcSections, roots: { keepExports }, visibility, wrap: wraps ? ["s2"] : [] };
      if (agree(t, given, modules.join("\n"), options)) plain++;
    }),
    { numRuns: rounds(100, 4) },
  );
  t.true(plain * 4 > rounds(100, 4), `${plain} were plain`);
});

test("--wrap of driver functions", (t) => {
  const declared = (name: string): string => `.extern .func (.param .b64 r) ${name}(.param .b64 s);\n`;
  const call = (name: string): string =>
    `{ .param .b64 s; .param .b64 r; st.param.b64 [s], 8; call (r), ${name}, (s); } ret;`;
  const files = [
    `${declared("malloc")}.visible .entry k() { ${call("malloc")} }`,
    `${declared("__real_malloc")}.visible .func (.param .b64 r) __wrap_malloc(.param .b64 s) { ${call("__real_malloc")} }`,
  ].map((body, i) => fileOf(moduleText(body), i));
  t.true(agree(t, files, "wrapped", { wrap: ["malloc"] }));
});

test("rules without a match, and names that two symbols would have, are reported", (t) => {
  const files = [".global .u32 x = 1;\n.visible .entry k() { ret; }", ".global .u32 x = 2;"].map((body, i) =>
    fileOf(moduleText(body), i),
  );
  const isPlain = (...visibility: readonly VisibilityRule[]): boolean => agree(t, files, "", { visibility });
  t.true(isPlain({ to: "localize", pattern: "x" }));
  t.true(isPlain({ to: "localize", pattern: "k" }));
  t.true(isPlain({ to: "localize", pattern: "k*" }));
  t.true(isPlain({ to: "export", pattern: "y" }));
  t.true(isPlain({ to: "export", pattern: "x" }));
});

testRecord();
