// The checker's verdicts, compared with those of ptxas 13.0 (recorded by testdata/check/make.mjs and
// make-whole-modules.mjs). Every intended disagreement is listed here with its reason.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "ava";
import { checkSource } from "../../lib/check/check.js";
import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";

interface Verdict {
  readonly text: string;
  readonly target?: string;
  readonly accepted: boolean;
  readonly says?: string;
}

const folder = new URL("../../../testdata/check/", import.meta.url);
const record = JSON.parse(readFileSync(new URL("verdicts.json", folder), "utf8")) as {
  snippets: readonly Verdict[];
  bodies: readonly Verdict[];
};
const prelude = readFileSync(fileURLToPath(new URL("prelude.ptx", folder)), "utf8");

/** Where we follow the manual, or refuse certain errors: docs/differences.md. */
const deliberate: ReadonlyMap<string, string> = new Map([
  [".global .u32 a[4611686018427387904];", "no memory holds it"],
  [".global .f64 a = 1.0 - (0f3F800000);", "the bits of an .f32 may not be used in expressions"],
  [".global .u32 a[2*3];", "the size of a dimension is a constant expression"],
  [".global .samplerref a[2];", "samplers of their own belong to independent texturing"],
  [
    ".extern .func f(.param .f16x2 p);\\n.entry k() { .reg .pred x; call f, (x); ret; }",
    "a predicate has no 32 bits to pass",
  ],
]);

function check(text: string): DiagnosticSink {
  const sink = createSink();
  checkSource({ name: "a.ptx", bytes: new TextEncoder().encode(text) }, sink);
  return sink;
}

function compare(verdicts: readonly Verdict[], module: (verdict: Verdict) => string): readonly string[] {
  return verdicts.flatMap((verdict) => {
    const sink = check(module(verdict));
    const accepted = sink.errorCount === 0;
    if (accepted === verdict.accepted || deliberate.has(verdict.text)) return [];
    const ours = sink.all.find((d) => d.severity === "error")?.message ?? "accepted";
    return [`${verdict.text}  ptxas: ${verdict.says ?? "accepted"}; ptxkit: ${ours}`];
  });
}

test("modules are accepted and refused as ptxas does", (t) => {
  const disagreements = compare(
    record.snippets,
    (v) => `.version 8.5\n.target ${v.target ?? "sm_75"}\n.address_size 64\n${v.text.replaceAll("\\n", "\n")}\n`,
  );
  t.deepEqual(disagreements, []);
});

test("statements are accepted and refused as ptxas does", (t) => {
  t.deepEqual(
    compare(record.bodies, (v) => prelude.replace("// BODY", v.text)),
    [],
  );
});

test("whole modules are accepted and refused as ptxas does, with -c or without", (t) => {
  const file = readFileSync(new URL("whole-modules.json", folder), "utf8");
  const { modules } = JSON.parse(file) as { readonly modules: readonly Verdict[] };
  t.deepEqual(
    compare(modules, (v) => v.text),
    [],
  );
});
